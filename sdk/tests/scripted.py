"""A scripted service: real requests go through httpx2 into this, and it answers as the service does."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx2

from heldout import AsyncClient, Client, Retries

Answer = Callable[[httpx2.Request], httpx2.Response]


def problem_document(
    status: int, code: str, detail: str = "no", headers: dict[str, str] | None = None, **more: Any
) -> Answer:
    """An error as the service sends it."""
    body = {
        "type": "about:blank",
        "title": "T",
        "status": status,
        "detail": detail,
        "code": code,
        "request_id": "req_1",
    }
    return lambda _: httpx2.Response(status, json=body | more, headers=headers)


@dataclass
class Scripted:
    """Answers in order for each (method, path); what is not scripted is answered by the small service below."""

    script: dict[tuple[str, str], list[Answer]] = field(default_factory=dict)
    requests: list[httpx2.Request] = field(default_factory=list)
    pauses: list[float] = field(default_factory=list)
    count: int = 45
    submissions: dict[str, dict[str, Any]] = field(default_factory=dict)
    by_key: dict[str, str] = field(default_factory=dict)

    def first(self, method: str, path: str, *answers: Answer) -> None:
        """Answers to give before the usual ones."""
        self.script.setdefault((method, path), []).extend(answers)

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        queue = self.script.get((request.method, request.url.path))
        if queue:
            return queue.pop(0)(request)
        return self._usual(request)

    def client(self, **more: Any) -> Client:
        """A client of this service whose pauses are only noted."""
        given: dict[str, Any] = {"api_key": "hk_test", "base_url": "https://service.test", "benchmark": "demo"}
        return Client(**given | more, transport=httpx2.MockTransport(self), sleep=self.pauses.append)

    def async_client(self, **more: Any) -> AsyncClient:
        """The asynchronous one."""

        async def sleep(seconds: float) -> None:
            self.pauses.append(seconds)

        given: dict[str, Any] = {"api_key": "hk_test", "base_url": "https://service.test", "benchmark": "demo"}
        return AsyncClient(**given | more, transport=httpx2.MockTransport(self), sleep=sleep)

    def sent(self, method: str, path: str) -> list[httpx2.Request]:
        """The requests to one address."""
        return [r for r in self.requests if r.method == method and r.url.path == path]

    def _usual(self, request: httpx2.Request) -> httpx2.Response:
        path, method = request.url.path, request.method
        if path == "/v1/benchmarks/demo/problems":
            return self._problems(request)
        if path == "/v1/benchmarks":
            return httpx2.Response(200, json={"items": [_benchmark("demo")], "next": None})
        if path == "/v1/benchmarks/demo":
            return httpx2.Response(200, json=_benchmark("demo") | {"card": "# Demo", "agreement": None, "digest": "d"})
        if path == "/v1/benchmarks/demo/leaderboard":
            rows = [_entry(rank) for rank in (1, 2)]
            return httpx2.Response(200, json={"items": rows, "next": None, "count": 45, "columns": _COLUMNS})
        if path == "/v1/me":
            return httpx2.Response(
                200, json={"user": "Ann", "organisation": "lab", "organisations": [], "scopes": ["a"]}
            )
        if path == "/v1/limits":
            limits = {"answer_characters": 100, "items": 1000, "body_bytes": 10_000, "session_idle_seconds": 900}
            return httpx2.Response(200, json=limits)
        if path.startswith("/v1/submissions"):
            return self._submissions(request, method, path)
        return problem_document(404, "not_found")(request)

    def _problems(self, request: httpx2.Request) -> httpx2.Response:
        start = int(request.url.params.get("cursor", "0"))
        size = int(request.url.params.get("limit", "20"))
        end = min(self.count, start + size)
        items = [_problem(number, request.url.params["split"]) for number in range(start, end)]
        budget = {"limit": 100, "used": end, "resets_at": "2030-01-01T00:00:00Z"}
        page = {"items": items, "next": str(end) if end < self.count else None, "budget": budget}
        return httpx2.Response(200, json=page)

    def _submissions(self, request: httpx2.Request, method: str, path: str) -> httpx2.Response:
        if method == "GET" and path == "/v1/submissions":
            return httpx2.Response(200, json={"items": list(self.submissions.values()), "next": None})
        parts = path.split("/")[3:]
        if method == "GET":
            return httpx2.Response(200, json=self._advance(self.submissions[parts[0]]))
        body = json.loads(request.content)
        if not parts:
            key = request.headers["idempotency-key"]
            name = self.by_key.setdefault(key, f"sub_{len(self.by_key) + 1}")
            if name not in self.submissions:
                state = "queued" if body.get("finalize", True) else "open"
                self.submissions[name] = _status(name, state, body, self.count)
            return httpx2.Response(202, json=self.submissions[name])
        found = self.submissions[parts[0]]
        if parts[1] == "items":
            found["received"] += len(body["items"])
        else:
            found["state"] = "queued"
        return httpx2.Response(202, json=found)

    def _advance(self, found: dict[str, Any]) -> dict[str, Any]:
        following = {"queued": "grading", "grading": "graded"}
        shown = dict(found)
        found["state"] = following.get(found["state"], found["state"])
        if found["state"] == "graded":
            found |= {"score": 0.5, "interval": {"low": 0.4, "high": 0.6}, "graded": found["received"]}
        return shown


def _benchmark(slug: str) -> dict[str, Any]:
    split = {"name": "test", "visibility": "test", "feedback": "ladder", "count": 45, "problems_per_day": 100}
    named = {"slug": slug, "title": "Demo", "version": "1.0.0", "owner": "o", "licence": "l", "summary": "s"}
    return named | {"splits": [split], "field_of_a_newer_service": 1}


def _problem(number: int, split: str) -> dict[str, Any]:
    choices = [{"label": "A", "text": "yes"}, {"label": "B", "text": "no"}]
    return {
        "id": f"prb_{number}",
        "benchmark": "demo",
        "version": "1.0.0",
        "split": split,
        "type": "mc",
        "subject": "law",
        "statement": f"Question {number}?",
        "choices": choices,
        "answer_format": "ANSWER:",
        "images": [],
        "episode": False,
    }


def _status(name: str, state: str, body: dict[str, Any], expected: int) -> dict[str, Any]:
    received = len(body["items"])
    return {
        "id": name,
        "benchmark": body["benchmark"],
        "split": body["split"],
        "state": state,
        "model": body["model"],
        "received": received,
        "expected": expected,
        "graded": 0,
        "coverage": received / expected,
        "created_at": "2026-01-01T00:00:00Z",
        "attempt": 1,
    }


_COLUMNS = [
    {"name": name, "label": name.title(), "format": form, "hint": "", "shown_in": places, "optional": name == "tokens"}
    for name, form, places in (
        ("rank", "integer", ["csv", "terminal"]),
        ("model", "text", ["csv", "terminal"]),
        ("score", "score", ["page", "terminal"]),
        ("tokens", "integer", ["terminal"]),
        ("hidden", "flag", ["csv"]),
    )
]


def _entry(rank: int) -> dict[str, Any]:
    return {
        "rank": rank,
        "model": {"name": f"m{rank} [b]", "version": ""},
        "organisation": "lab",
        "score": 0.9,
        "interval": {"low": 0.8, "high": 1.0},
        "coverage": 1.0,
        "attempts": 1,
        "verified": rank == 1,
        "created_at": "2026-01-01T00:00:00Z",
        "breakdown": {},
        "usage": {},
        "cells": {"rank": rank, "model": f"m{rank} [b]", "score": 0.9, "tokens": None},
    }


QUICK = Retries(attempts=4, base=0.01, cap=0.05, longest_wait=120)
