"""Every operation of the service as a flow; see `heldout._flow`."""

import json
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import quote

from pydantic import BaseModel, TypeAdapter

from heldout._flow import Flow, Pause, Request, Retries, exchange, parse
from heldout.errors import Invalid
from heldout.models import (
    AgreementState,
    Benchmark,
    Entry,
    Item,
    Me,
    Model,
    Page,
    Problem,
    SubmissionStatus,
)

T = TypeVar("T")
CHUNK_ITEMS = 1000
CHUNK_BYTES = 4_000_000

_BENCHMARK = TypeAdapter(Benchmark)
_BENCHMARKS = TypeAdapter(Page[Benchmark])
_PROBLEM = TypeAdapter(Problem)
_PROBLEMS = TypeAdapter(Page[Problem])
_STATUS = TypeAdapter(SubmissionStatus)
_STATUSES = TypeAdapter(Page[SubmissionStatus])
_ENTRIES = TypeAdapter(Page[Entry])
_ME = TypeAdapter(Me)
_AGREED = TypeAdapter(AgreementState)


class Calls:
    """The operations, for one default benchmark and one way to retry."""

    def __init__(self, benchmark: str | None, retries: Retries) -> None:
        self._benchmark = benchmark
        self._retries = retries

    def me(self) -> Flow[Me]:
        return self._typed(Request("GET", "/v1/me"), _ME)

    def benchmarks(self, cursor: str | None) -> Flow[Page[Benchmark]]:
        return self._typed(Request("GET", "/v1/benchmarks", _params(cursor=cursor), public=True), _BENCHMARKS)

    def benchmark(self, slug: str | None) -> Flow[Benchmark]:
        slug = yield from self.slug(slug)
        return (yield from self._typed(Request("GET", f"/v1/benchmarks/{_part(slug)}", public=True), _BENCHMARK))

    def accept_agreement(self, slug: str | None, name: str) -> Flow[AgreementState]:
        slug = yield from self.slug(slug)
        request = _post(f"/v1/benchmarks/{_part(slug)}/agreement", {"name": name})
        return (yield from self._typed(request, _AGREED))

    def problems(self, slug: str | None, split: str, cursor: str | None, limit: int | None) -> Flow[Page[Problem]]:
        slug = yield from self.slug(slug)
        params = _params(split=split, cursor=cursor, limit=limit)
        request = Request("GET", f"/v1/benchmarks/{_part(slug)}/problems", params)
        return (yield from self._typed(request, _PROBLEMS))

    def problem(self, alias: str) -> Flow[Problem]:
        return self._typed(Request("GET", f"/v1/problems/{_part(alias)}"), _PROBLEM)

    def file(self, path: str) -> Flow[bytes]:
        reply = yield from exchange(Request("GET", path), self._retries)
        return reply.body

    def leaderboard(
        self, slug: str | None, split: str, cursor: str | None, filters: Mapping[str, Any]
    ) -> Flow[Page[Entry]]:
        slug = yield from self.slug(slug)
        params = _params(split=split, cursor=cursor, **filters)
        request = Request("GET", f"/v1/benchmarks/{_part(slug)}/leaderboard", params, public=True)
        return (yield from self._typed(request, _ENTRIES))

    def submissions(self, cursor: str | None) -> Flow[Page[SubmissionStatus]]:
        return self._typed(Request("GET", "/v1/submissions", _params(cursor=cursor)), _STATUSES)

    def submission(self, identifier: str) -> Flow[SubmissionStatus]:
        return self._typed(Request("GET", f"/v1/submissions/{_part(identifier)}"), _STATUS)

    def submit(
        self,
        slug: str | None,
        split: str,
        model: Model,
        items: Sequence[Item],
        *,
        finalize: bool = True,
        key: str | None = None,
        report: Callable[[int, int], None] | None = None,
    ) -> Flow[SubmissionStatus]:
        """One request if the items fit in it; otherwise an open submission, its parts, and the end.

        The same key and items again give the same submission, wherever the first try stopped.
        """
        slug = yield from self.slug(slug)
        key = key or uuid.uuid4().hex
        parts = list(chunks(items)) or [[]]
        whole = finalize and len(parts) == 1
        body = {"benchmark": slug, "split": split, "model": _plain(model), "finalize": whole}
        body["items"] = [_plain(item) for item in parts[0]]
        status = yield from self._typed(_post("/v1/submissions", body, key), _STATUS)
        sent = len(parts[0])
        for part in parts[1:] if status.state == "open" else []:
            _tell(report, sent, len(items))
            status = yield from self.add_items(status.id, part)
            sent += len(part)
        _tell(report, len(items), len(items))
        if finalize and not whole and status.state == "open":
            status = yield from self.finalize(status.id)
        return status

    def add_items(self, identifier: str, items: Sequence[Item]) -> Flow[SubmissionStatus]:
        body = {"items": [_plain(item) for item in items]}
        return self._typed(_post(f"/v1/submissions/{_part(identifier)}/items", body), _STATUS)

    def finalize(self, identifier: str) -> Flow[SubmissionStatus]:
        return self._typed(_post(f"/v1/submissions/{_part(identifier)}/finalize", {}), _STATUS)

    def wait(
        self, identifier: str, timeout: float | None, report: Callable[[SubmissionStatus], None] | None
    ) -> Flow[SubmissionStatus]:
        """Ask until the submission is settled; the pauses grow from 0.1 to 5 seconds."""
        end = time.monotonic() + timeout if timeout is not None else None
        seconds = 0.1
        while True:
            status = yield from self.submission(identifier)
            if report is not None:
                report(status)
            if status.settled:
                return status
            if status.state == "open":
                raise Invalid(f"{identifier} is still open", code="not_finalized", advice="call finalize() first")
            if end is not None and time.monotonic() + seconds > end:
                raise TimeoutError(f"{identifier} is still {status.state} after {timeout} s; call wait() again")
            yield Pause(seconds)
            seconds = min(5.0, seconds * 1.5)

    def slug(self, given: str | None) -> Flow[str]:
        """The benchmark given, or the default one, or the only one that there is."""
        if given or self._benchmark:
            return given or self._benchmark or ""
        page = yield from self.benchmarks(None)
        if len(page.items) == 1 and page.next is None:
            self._benchmark = page.items[0].slug
            return self._benchmark
        names = ", ".join(item.slug for item in page.items) or "none"
        raise Invalid(
            f"name the benchmark; the service has: {names}",
            code="benchmark_not_named",
            advice="pass benchmark=... or set HELDOUT_BENCHMARK",
        )

    def _typed(self, request: Request, adapter: TypeAdapter[T]) -> Flow[T]:
        reply = yield from exchange(request, self._retries)
        return parse(reply, adapter)


def chunks(items: Sequence[Item]) -> Iterator[list[Item]]:
    """Parts of at most CHUNK_ITEMS items and at most CHUNK_BYTES bytes of JSON, by a generous estimate."""
    part: list[Item] = []
    size = 0
    for item in items:
        length = _size(item)
        if part and (len(part) >= CHUNK_ITEMS or size + length > CHUNK_BYTES):
            yield part
            part, size = [], 0
        part.append(item)
        size += length
    if part:
        yield part


def _size(item: Item) -> int:
    parts = [part for part in (item.data, item.trajectory) if part is not None]
    return 100 + 4 * len(item.answer or "") + sum(len(json.dumps(part)) for part in parts)


def _plain(record: BaseModel) -> dict[str, Any]:
    return record.model_dump(mode="json", exclude_defaults=True)


def _post(path: str, body: Mapping[str, Any], key: str | None = None) -> Request:
    headers = {"content-type": "application/json", "idempotency-key": key or uuid.uuid4().hex}
    return Request("POST", path, body=json.dumps(body, ensure_ascii=False).encode(errors="replace"), headers=headers)


def _params(**values: Any) -> dict[str, str]:
    texts = {True: "true", False: "false"}
    return {
        name: texts[value] if isinstance(value, bool) else str(value)
        for name, value in values.items()
        if value is not None
    }


def _part(text: str) -> str:
    if not text or text in {".", ".."}:
        raise Invalid(f"'{text}' is no name", code="bad_name", advice="give the name or id as the service shows it")
    return quote(text, safe="")


def _tell(report: Callable[[int, int], None] | None, done: int, total: int) -> None:
    if report is not None:
        report(done, total)
