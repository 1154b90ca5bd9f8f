"""Who was served what of a benchmark, and when its hidden splits speak. `Client.owned(slug)` is the way in."""

from datetime import datetime
from typing import TypedDict

from heldout._records import Received
from heldout.models import Entry


class ExposureFilters(TypedDict, total=False):
    """Which rows of the ledger: texts as they are shown, and times (ISO 8601; `until` is excluded)."""

    organisation: str
    split: str
    problem: str
    key: str
    channel: str
    address: str
    since: str
    until: str


class Served(Received):
    """One problem served: to whom, when, from where, in which variant. `seal` is its hash in the chain."""

    id: int
    organisation: str
    key: str
    problem: str
    split: str
    variant: str
    channel: str
    address: str
    served_at: datetime
    seal: str | None = None


class OwnedEntries(Received):
    """A page of the entries of your own board, also of those that you took off it (`hidden`)."""

    benchmark: str
    version: str
    split: str
    items: tuple[Entry, ...] = ()
    next: str | None = None


class LedgerCheck(Received):
    """Whether the ledger's hash chain holds; `broken` is the first row that does not fit. Keep `head` elsewhere."""

    holds: bool
    rows: int
    head: str
    broken: int | None = None
    unsealed: int = 0


class ReleaseListed(Received):
    """A release of the ranking part: made (`done`), or `called` for by the owner and made within seconds."""

    scheduled: datetime
    called: bool
    done: bool


class ReleaseSchedule(Received):
    """When a hidden split's ranking part speaks; `calls_left` more releases may be called for this year."""

    benchmark: str
    split: str
    policy: str
    next_release: datetime | None = None
    calls: int
    calls_left: int
    items: tuple[ReleaseListed, ...] = ()


class ReleaseCalled(Received):
    """A release that was called for; it is made within seconds."""

    benchmark: str
    split: str
    scheduled: datetime
    calls_left: int
