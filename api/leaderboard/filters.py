"""Which entries of a board are listed, in which order, as conditions of SQL. No statement is run here."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from api.core.query import contains

SortName = Literal[
    "score", "created_at", "model", "organisation", "coverage", "attempts", "adjusted", "tokens", "cost", "seconds"
]
Order = Literal["asc", "desc"]
Access = Literal["open", "api", "closed"]
Coverage = Literal["full", "partial"]


@dataclass(frozen=True)
class Filters:
    """What to list: best of each model unless `everything`; `hidden` ones only for owners, `taken_off` these alone.

    `search` is a part of a model's or an organisation's name in any case; `access` is what the submitter says of the
    model; `since` and `until` bound the time of the submission; `coverage` takes runs that answered all, or those that
    did not. `order`: None is the usual one, best or newest first and names from A.
    """

    everything: bool = False
    hidden: bool = False
    model: str | None = None
    organisation: str | None = None
    verified: bool | None = None
    search: str | None = None
    access: Access | None = None
    since: datetime | None = None
    until: datetime | None = None
    coverage: Coverage | None = None
    taken_off: bool | None = None
    sort: SortName = "score"
    order: Order | None = None

    @property
    def descending(self) -> bool:
        """Whether the largest comes first."""
        usual = "asc" if self.sort in _NAMES else "desc"
        return (self.order or usual) == "desc"

    @property
    def narrowed(self) -> bool:
        """Whether any ranked entry of the board may be left out, so that a row's number is not its rank."""
        left_out = (name for name in _CONDITIONS if name != "coverage")
        return self.hidden or any(getattr(self, name) is not None for name in left_out)


def owners_filters(taken_off: bool | None) -> Filters:
    """What an owner looks after: every entry newest first, or those that are (not) taken off the board."""
    return Filters(everything=True, hidden=True, taken_off=taken_off, sort="created_at")


_NAMES = ("model", "organisation")
_CONDITIONS = {
    "model": "model_name = :model",
    "organisation": "entry.organisation = :organisation",
    "verified": "entry.verified = :verified",
    "search": "(model_name ilike :search or entry.organisation ilike :search)",
    "access": "entry.model->>'access' = :access",
    "since": "entry.created_at >= :since",
    "until": "entry.created_at < :until",
    "coverage": "(entry.coverage >= 1) = (:coverage = 'full')",
    "taken_off": "entry.hidden = :taken_off",
}
# Never null, so that a place in the order can be gone on from; what an entry does not say comes after what others say.
_KEYS: dict[SortName, str] = {
    "score": "score",
    "created_at": "entry.created_at",
    "model": "model_name",
    "organisation": "entry.organisation",
    "coverage": "entry.coverage",
    "attempts": "entry.attempts",
    "adjusted": "coalesce(entry.adjusted, score)",
}
_TYPES = {"created_at": "timestamptz", "model": "text", "organisation": "text"}


def usage_sql(name: str) -> str:
    """A sum of what answering cost as a number; null where an older entry holds something else, or what is no float."""
    value = f"entry.usage->'{name}'"
    fits = f"case when abs(cast({value} as numeric)) < 1e300 then cast({value} as double precision) end"
    return f"case when jsonb_typeof({value}) = 'number' then {fits} end"


def conditions(filters: Filters) -> tuple[str, ...]:
    """The names of the filters that are set, which name the statement's conditions and values."""
    return tuple(name for name in _CONDITIONS if getattr(filters, name) is not None)


def clauses(names: Sequence[str], *, hidden: bool) -> list[str]:
    """SQL of these conditions."""
    return [_CONDITIONS[name] for name in names] + ([] if hidden else ["not hidden"])


def values(filters: Filters) -> dict[str, object]:
    """The values of the conditions that are set."""
    found: dict[str, object] = {name: getattr(filters, name) for name in conditions(filters)}
    if "search" in found:
        found["search"] = contains(str(found["search"]))
    return found


def key_sql(sort: SortName, *, descending: bool) -> str:
    """What entries are ordered by."""
    if sort in _KEYS:
        return _KEYS[sort]
    return f"coalesce({usage_sql(sort)}, cast('{'-' if descending else ''}infinity' as double precision))"


def order_sql(sort: SortName, *, descending: bool) -> tuple[str, str]:
    """`order by` and the condition that goes on after the key `:key` and the submission `:submission`."""
    if sort == "score" and descending:
        # As its index has it: the best first, and of equals the earliest.
        return (
            "score desc, submission_id",
            "(-score, submission_id) > (-cast(:key as double precision), :submission)",
        )
    key = key_sql(sort, descending=descending)
    way, beyond = ("desc", "<") if descending else ("asc", ">")
    typed = f"cast(:key as {_TYPES.get(sort, 'double precision')})"
    return f"{key} {way}, submission_id {way}", f"({key}, submission_id) {beyond} ({typed}, :submission)"


def after_values(after: Sequence[object]) -> dict[str, object]:
    """The values that a page goes on from: a key as text or number, and a submission."""
    key, submission = after
    return {"key": key, "submission": UUID(str(submission))}
