"""Every operation of the service as a flow; see `heldout._flow`."""

import json
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

from pydantic import BaseModel, TypeAdapter

from heldout import _device as device
from heldout._flow import Flow, Pause, Request, exchange
from heldout._organisation_calls import OrganisationCalls
from heldout._session_calls import params, part_of, post
from heldout.combined import OverallBoard
from heldout.errors import HeldoutError, Invalid
from heldout.models import (
    Benchmark,
    DeviceCode,
    Entry,
    Item,
    Login,
    Me,
    Model,
    Page,
    Problem,
    ServiceLimits,
    SubmissionStatus,
)
from heldout.ngrams import NgramFilter

CHUNK_ITEMS = 1000
CHUNK_BYTES = 4_000_000
# A decision further off than this is not waited for.
LONGEST_WAIT = timedelta(minutes=30)

_BENCHMARK = TypeAdapter(Benchmark)
_BENCHMARKS = TypeAdapter(Page[Benchmark])
_PROBLEM = TypeAdapter(Problem)
_PROBLEMS = TypeAdapter(Page[Problem])
_STATUS = TypeAdapter(SubmissionStatus)
_STATUSES = TypeAdapter(Page[SubmissionStatus])
_ENTRIES = TypeAdapter(Page[Entry])
_OVERALL = TypeAdapter(OverallBoard)
_ME = TypeAdapter(Me)
_LIMITS = TypeAdapter(ServiceLimits)


class Calls(OrganisationCalls):
    """The operations, for one default benchmark and one way to retry."""

    def me(self) -> Flow[Me]:
        return self._typed(Request("GET", "/v1/me"), _ME)

    def limits(self) -> Flow[ServiceLimits]:
        return self._typed(Request("GET", "/v1/limits", public=True), _LIMITS)

    def login(self, show: Callable[[DeviceCode], None], scopes: Sequence[str], name: str) -> Flow[Login]:
        return device.login(show, scopes, name, self._retries)

    def revoke_key(self) -> Flow[None]:
        """Revoke the key that asks."""
        found = yield from self.me()
        if found.key is not None:
            yield from exchange(Request("DELETE", f"/v1/keys/{part_of(found.key.id)}"), self._retries)

    def delete_account(self, email: str) -> Flow[None]:
        yield from exchange(post("/v1/me/delete", {"email": email}), self._retries)

    def benchmarks(self, cursor: str | None) -> Flow[Page[Benchmark]]:
        return self._typed(Request("GET", "/v1/benchmarks", params(cursor=cursor), public=True), _BENCHMARKS)

    def benchmark(self, slug: str | None) -> Flow[Benchmark]:
        slug = yield from self.slug(slug)
        request = Request("GET", f"/v1/benchmarks/{part_of(slug)}", public=True)
        return (yield from self._of_split(slug, "", request, _BENCHMARK))

    def ngram_filter(self, slug: str | None) -> Flow[NgramFilter]:
        slug = yield from self.slug(slug)
        request = Request("GET", f"/v1/benchmarks/{part_of(slug)}/ngram-filter", public=True)
        reply = yield from exchange(request, self._retries)
        return NgramFilter.from_json(json.loads(reply.body)["filter"])

    def problems(
        self,
        slug: str | None,
        split: str,
        cursor: str | None,
        limit: int | None,
        filters: Mapping[str, Any] | None = None,
    ) -> Flow[Page[Problem]]:
        slug = yield from self.slug(slug)
        query = params(split=split, cursor=cursor, limit=limit, **(filters or {}))
        request = Request("GET", f"/v1/benchmarks/{part_of(slug)}/problems", query)
        return (yield from self._of_split(slug, split, request, _PROBLEMS))

    def problem(self, alias: str) -> Flow[Problem]:
        return self._typed(Request("GET", f"/v1/problems/{part_of(alias)}"), _PROBLEM)

    def file(self, path: str) -> Flow[bytes]:
        reply = yield from exchange(Request("GET", path), self._retries)
        return reply.body

    def leaderboard(
        self, slug: str | None, split: str, cursor: str | None, filters: Mapping[str, Any]
    ) -> Flow[Page[Entry]]:
        slug = yield from self.slug(slug)
        query = params(split=split, cursor=cursor, **filters)
        request = Request("GET", f"/v1/benchmarks/{part_of(slug)}/leaderboard", query, public=True)
        return (yield from self._of_split(slug, split, request, _ENTRIES))

    def overall(self, name: str) -> Flow[OverallBoard]:
        return self._typed(Request("GET", f"/v1/overall/{part_of(name)}", public=True), _OVERALL)

    def submissions(self, cursor: str | None) -> Flow[Page[SubmissionStatus]]:
        return self._typed(Request("GET", "/v1/submissions", params(cursor=cursor)), _STATUSES)

    def submission(self, identifier: str) -> Flow[SubmissionStatus]:
        return self._typed(Request("GET", f"/v1/submissions/{part_of(identifier)}"), _STATUS)

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
        with _about(parts[0]):
            status = yield from self._of_split(slug, split, post("/v1/submissions", body, key), _STATUS)
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
        with _about(items):
            return (yield from self._typed(post(f"/v1/submissions/{part_of(identifier)}/items", body), _STATUS))

    def finalize(self, identifier: str) -> Flow[SubmissionStatus]:
        return self._typed(post(f"/v1/submissions/{part_of(identifier)}/finalize", {}), _STATUS)

    def select(self, identifier: str) -> Flow[SubmissionStatus]:
        return self._typed(post(f"/v1/submissions/{part_of(identifier)}/select", {}), _STATUS)

    def wait(
        self, identifier: str, timeout: float | None, report: Callable[[SubmissionStatus], None] | None
    ) -> Flow[SubmissionStatus]:
        """Ask until there is something to read; the pauses grow from 0.1 to 5 seconds.

        A submission to a hidden split is decided at a time that is known: one that is further off than LONGEST_WAIT is
        not waited for, and `next_release` says when to come back.
        """
        end = time.monotonic() + timeout if timeout is not None else None
        seconds = 0.1
        while True:
            status = yield from self.submission(identifier)
            if report is not None:
                report(status)
            if status.settled or _far_off(status):
                return status
            if status.state == "open":
                raise Invalid(f"{identifier} is still open", code="not_finalized", advice="call finalize() first")
            if end is not None and time.monotonic() + seconds > end:
                raise TimeoutError(f"{identifier} is still {status.state} after {timeout} s; call wait() again")
            yield Pause(seconds)
            seconds = min(5.0, seconds * 1.5)


@contextmanager
def _about(items: Sequence[Item]) -> Iterator[None]:
    """What the service says of items by number is said by the problems' ids."""
    try:
        yield
    except HeldoutError as error:
        error.about([item.problem for item in items])
        raise


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


def _far_off(status: SubmissionStatus) -> bool:
    """Whether the decision on a submission is further off than anybody waits for."""
    if status.feedback is None or status.next_release is None:
        return False
    return status.next_release - datetime.now(UTC) > LONGEST_WAIT


def _size(item: Item) -> int:
    parts = [part for part in (item.data, item.trajectory) if part is not None]
    return 100 + 4 * len(item.answer or "") + sum(len(json.dumps(part)) for part in parts)


def _plain(record: BaseModel) -> dict[str, Any]:
    return record.model_dump(mode="json", exclude_defaults=True)


def _tell(report: Callable[[int, int], None] | None, done: int, total: int) -> None:
    if report is not None:
        report(done, total)
