"""Rows before and after an episode, and what changed between them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, JsonValue, model_validator

Row = dict[str, JsonValue]
Kind = Literal["insert", "update", "delete"]


class ChangedRow(BaseModel):
    """One row that was there before and after."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    before: Row
    after: Row


class TableEvidence(BaseModel):
    """One table: either all rows `before` and `after` with their `key` columns, or the difference itself.

    The difference is `inserted`, `deleted` and `updated` (pairs). A table without `key` is compared as a multiset of
    rows: an update shows as a deletion and an insertion.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    key: tuple[str, ...] = ()
    before: tuple[Row, ...] | None = None
    after: tuple[Row, ...] | None = None
    inserted: tuple[Row, ...] = ()
    deleted: tuple[Row, ...] = ()
    updated: tuple[ChangedRow, ...] = ()

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        whole = self.before is not None or self.after is not None
        if whole and (self.before is None or self.after is None or self.inserted or self.deleted or self.updated):
            raise ValueError("give both 'before' and 'after', or the difference, not a mixture")
        return self


class StateEvidence(BaseModel):
    """Evidence of a database: its tables by name. A table that is not listed did not change."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    tables: dict[str, TableEvidence]


@dataclass(frozen=True)
class Change:
    """One row's change. `before` is None for an insertion, `after` for a deletion."""

    table: str
    before: Row | None
    after: Row | None

    @property
    def kind(self) -> Kind:
        """What happened to the row."""
        if self.before is None:
            return "insert"
        return "delete" if self.after is None else "update"

    def columns(self) -> frozenset[str]:
        """Columns whose value differs; empty for insertions and deletions."""
        if self.before is None or self.after is None:
            return frozenset()
        names = self.before.keys() | self.after.keys()
        return frozenset(name for name in names if self.before.get(name) != self.after.get(name))


def changes(evidence: StateEvidence) -> list[Change]:
    """All changes, table by table. Raises ValueError when key columns do not tell rows apart."""
    found: list[Change] = []
    for name, table in sorted(evidence.tables.items()):
        if table.before is not None and table.after is not None:
            found += _difference(name, table.key, table.before, table.after)
        else:
            found += [Change(name, None, row) for row in table.inserted]
            found += [Change(name, row, None) for row in table.deleted]
            found += [Change(name, pair.before, pair.after) for pair in table.updated if pair.before != pair.after]
    return found


def _frozen(value: JsonValue) -> object:
    if isinstance(value, dict):
        return tuple(sorted((name, _frozen(item)) for name, item in value.items()))
    if isinstance(value, list):
        return tuple(map(_frozen, value))
    return (type(value).__name__ if isinstance(value, bool) else "", value)


def _difference(name: str, key: Sequence[str], before: Sequence[Row], after: Sequence[Row]) -> list[Change]:
    if not key:
        return _bags(name, before, after)
    old, new = _by_key(name, key, before), _by_key(name, key, after)
    gone = [Change(name, row, None) for place, row in old.items() if place not in new]
    fresh = [Change(name, None, row) for place, row in new.items() if place not in old]
    both = [Change(name, row, new[place]) for place, row in old.items() if place in new and row != new[place]]
    return gone + fresh + both


def _by_key(name: str, key: Sequence[str], rows: Sequence[Row]) -> Mapping[object, Row]:
    keyed: dict[object, Row] = {tuple(_frozen(row.get(column)) for column in key): row for row in rows}
    if len(keyed) != len(rows):
        raise ValueError(f"the key {', '.join(key)} of table '{name}' does not tell its rows apart")
    return keyed


def _bags(name: str, before: Sequence[Row], after: Sequence[Row]) -> list[Change]:
    rows = {_frozen(dict(row)): row for row in (*before, *after)}
    old, new = Counter(_frozen(dict(row)) for row in before), Counter(_frozen(dict(row)) for row in after)
    gone = [Change(name, rows[mark], None) for mark in (old - new).elements()]
    return gone + [Change(name, None, rows[mark]) for mark in (new - old).elements()]
