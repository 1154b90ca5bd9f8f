"""The operations on who was served what, on releases of rankings and on entries; see `heldout._flow`."""

from collections.abc import Mapping
from dataclasses import replace

from pydantic import TypeAdapter

from heldout._flow import Flow, Request, exchange
from heldout._owning_calls import OwningCalls
from heldout._session_calls import params, part_of, post
from heldout.exposure import LedgerCheck, OwnedEntries, ReleaseCalled, ReleaseSchedule, Served
from heldout.models import Page

_SERVED = TypeAdapter(Page[Served])
_CHECK = TypeAdapter(LedgerCheck)
_SCHEDULE = TypeAdapter(ReleaseSchedule)
_CALLED = TypeAdapter(ReleaseCalled)
_ENTRIES = TypeAdapter(OwnedEntries)


class ExposureCalls(OwningCalls):
    """What an owner lets out of a benchmark, and has let out."""

    def exposure(self, slug: str, filters: Mapping[str, object], cursor: str | None) -> Flow[Page[Served]]:
        query = params(**filters, cursor=cursor, limit=1000)
        return self._typed(Request("GET", f"{_path(slug)}/ledger", query), _SERVED)

    def check_ledger(self, slug: str) -> Flow[LedgerCheck]:
        return self._typed(Request("GET", f"{_path(slug)}/ledger/check"), _CHECK)

    def releases(self, slug: str, split: str) -> Flow[ReleaseSchedule]:
        return self._typed(Request("GET", f"{_path(slug)}/ranking-releases", params(split=split)), _SCHEDULE)

    def call_release(self, slug: str, split: str) -> Flow[ReleaseCalled]:
        request = Request("POST", f"{_path(slug)}/ranking-release", params(split=split))
        return self._typed(request, _CALLED)

    def owned_entries(self, slug: str, split: str, hidden: bool | None, cursor: str | None) -> Flow[OwnedEntries]:
        query = params(split=split, hidden=hidden, cursor=cursor, limit=200)
        return self._typed(Request("GET", f"{_path(slug)}/entries", query), _ENTRIES)

    def change_entry(self, entry: str, change: Mapping[str, bool]) -> Flow[None]:
        request = post(f"/v1/leaderboard/{part_of(entry)}", change)
        yield from exchange(replace(request, method="PATCH"), self._retries)


def _path(slug: str) -> str:
    return f"/v1/benchmarks/{part_of(slug)}"
