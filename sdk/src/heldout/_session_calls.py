"""What all flows of operations share, and the operations on live episodes; see `heldout._flow`."""

import json
import time
import uuid
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, TypeVar
from urllib.parse import quote

from pydantic import TypeAdapter

from heldout._flow import Flow, Pause, Request, Retries, exchange, parse
from heldout.errors import HeldoutError, Invalid, NotFound, foreign
from heldout.models import Action, Benchmark, Episode, Observation, Page, SessionStatus, StepResult, Usage

T = TypeVar("T")
JUDGED = frozenset({"graded", "failed"})
_BENCHMARK = TypeAdapter(Benchmark)
_BENCHMARKS = TypeAdapter(Page[Benchmark])
_SESSION = TypeAdapter(SessionStatus)
_STEP = TypeAdapter(StepResult)
_OBSERVATION = TypeAdapter(Observation)
_EPISODES = TypeAdapter(Page[Episode])


class SessionCalls:
    """Operations on live episodes, for one default benchmark and one way to retry."""

    def __init__(self, benchmark: str | None, retries: Retries) -> None:
        self._benchmark = benchmark
        self._retries = retries

    def episodes(self, slug: str | None, split: str, cursor: str | None) -> Flow[Page[Episode]]:
        slug = yield from self.slug(slug)
        request = Request("GET", f"/v1/benchmarks/{part_of(slug)}/episodes", params(split=split, cursor=cursor))
        return (yield from self._of_split(slug, split, request, _EPISODES))

    def open_session(self, problem: str, submission: str | None, key: str | None) -> Flow[SessionStatus]:
        body = {"problem": problem} | ({"submission": submission} if submission else {})
        return self._typed(post("/v1/sessions", body, key), _SESSION)

    def step(self, session: str, number: int, action: Action) -> Flow[StepResult]:
        body = {"number": number, "action": action.model_dump(mode="json", exclude_none=True)}
        return self._typed(post(f"/v1/sessions/{part_of(session)}/steps", body), _STEP)

    def observe(self, session: str, mode: str, whole_page: bool, marks: bool) -> Flow[Observation]:
        body = {"mode": mode, "whole_page": whole_page, "marks": marks}
        return self._typed(post(f"/v1/sessions/{part_of(session)}/observe", body), _OBSERVATION)

    def session(self, session: str) -> Flow[SessionStatus]:
        return self._typed(Request("GET", f"/v1/sessions/{part_of(session)}"), _SESSION)

    def finish(self, session: str, answer: str | None, usage: Usage | None, reason: str) -> Flow[SessionStatus]:
        body: dict[str, Any] = {"reason": reason} | ({} if answer is None else {"answer": answer})
        if usage is not None:
            body["usage"] = usage.model_dump(mode="json", exclude_none=True, include=set(Usage.model_fields))
        return self._typed(post(f"/v1/sessions/{part_of(session)}/finish", body), _SESSION)

    def keep_alive(self, session: str) -> Flow[None]:
        yield from exchange(post(f"/v1/sessions/{part_of(session)}/keep-alive", {}), self._retries)

    def cancel(self, session: str) -> Flow[SessionStatus]:
        return self._typed(Request("DELETE", f"/v1/sessions/{part_of(session)}"), _SESSION)

    def judged(self, session: str, timeout: float | None) -> Flow[SessionStatus]:
        """Ask until an episode that is over has been judged; the pauses grow from 0.1 to 2 seconds."""
        end = time.monotonic() + timeout if timeout is not None else None
        seconds = 0.1
        while (status := (yield from self.session(session))).state not in JUDGED:
            if end is not None and time.monotonic() + seconds > end:
                raise TimeoutError(f"{session} is not judged after {timeout} s; call judged() again")
            yield Pause(seconds)
            seconds = min(2.0, seconds * 1.5)
        return status

    def slug(self, given: str | None) -> Flow[str]:
        """The benchmark given, or the default one, or the only one that there is."""
        if given or self._benchmark:
            return given or self._benchmark or ""
        page = yield from self._typed(Request("GET", "/v1/benchmarks", public=True), _BENCHMARKS)
        if len(page.items) == 1 and page.next is None:
            self._benchmark = page.items[0].slug
            return self._benchmark
        names = ", ".join(item.slug for item in page.items) or "none"
        advice = "pass benchmark=... or set HELDOUT_BENCHMARK"
        raise Invalid(f"name the benchmark; the service has: {names}", code="benchmark_not_named", advice=advice)

    def _of_split(self, slug: str, split: str, request: Request, adapter: TypeAdapter[T]) -> Flow[T]:
        """What a request about a benchmark's split gives; an unknown name is said with those that there are."""
        try:
            return (yield from self._typed(request, adapter))
        except NotFound as error:
            yield from self._explain(error, slug, split)
            raise

    def _explain(self, error: NotFound, slug: str, split: str) -> Flow[None]:
        if error.code == "no_such_benchmark":
            page = yield from self._typed(Request("GET", "/v1/benchmarks", public=True), _BENCHMARKS)
            wrong, names = slug, [item.slug for item in page.items]
            error.detail = f"there is no benchmark '{slug}' here"
        elif error.code == "no_such_split":
            path = f"/v1/benchmarks/{part_of(slug)}"
            found = yield from self._typed(Request("GET", path, public=True), _BENCHMARK)
            wrong, names = split, [each.name for each in found.splits]
            error.detail = f"{slug} has no split '{split}'"
        else:
            return
        near = get_close_matches(wrong, names, 1)
        error.advice = (f"did you mean {near[0]}? " if near else "") + f"There are: {', '.join(names) or 'none'}"

    def _typed(self, request: Request, adapter: TypeAdapter[T]) -> Flow[T]:
        try:
            reply = yield from exchange(request, self._retries)
        except HeldoutError as error:
            foreign(error)
            raise
        return parse(reply, adapter)


def post(path: str, body: Mapping[str, Any], key: str | None = None) -> Request:
    """A POST with an Idempotency-Key. What is no Unicode text (lone surrogates) is sent as question marks."""
    headers = {"content-type": "application/json", "idempotency-key": key or uuid.uuid4().hex}
    content = json.dumps(body, ensure_ascii=False).encode(errors="replace")
    return Request("POST", path, body=content, headers=headers)


def params(**values: Any) -> dict[str, str]:
    """A query string's parameters; None is left out."""
    texts = {True: "true", False: "false"}
    return {
        name: texts[value] if isinstance(value, bool) else str(value)
        for name, value in values.items()
        if value is not None
    }


def part_of(text: str) -> str:
    """A name or id as one part of a path."""
    if not text or text in {".", ".."}:
        raise Invalid(f"'{text}' is no name", code="bad_name", advice="give the name or id as the service shows it")
    return quote(text, safe="")
