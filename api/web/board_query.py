"""The query string of a leaderboard's page: what is listed, how, and the addresses of its links."""

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Any, get_args
from urllib.parse import urlencode

from fastapi import Depends, Query

from api.core.errors import InvalidError
from api.core.schemas import CursorQuery, VersionQuery
from api.leaderboard.columns import Column, Place, columns_of, filled
from api.leaderboard.filters import Access, Filters, Order, SortName

_ACCESSES: tuple[Access, ...] = get_args(Access)
_SORTS: tuple[SortName, ...] = get_args(SortName)
_ORDERS: tuple[Order, ...] = get_args(Order)
# Columns that a board without its rank and names would not be one.
_ALWAYS = ("rank", "model")


@dataclass(frozen=True)
class BoardQuery:
    """What a reader asked of a board. Fields of a form that were left empty are None."""

    split: str | None = None
    version: str | None = None
    cursor: str | None = None
    everything: bool = False
    search: str | None = None
    organisation: str | None = None
    verified: bool = False
    access: Access | None = None
    since: date | None = None
    until: date | None = None
    sort: SortName = "score"
    order: Order | None = None
    columns: tuple[str, ...] = ()

    @property
    def filters(self) -> Filters:
        """The same as the leaderboard's filters; `until` is the last day that counts."""
        return Filters(
            everything=self.everything,
            organisation=self.organisation,
            verified=self.verified or None,
            search=self.search,
            access=self.access,
            since=_midnight(self.since) if self.since else None,
            until=_midnight(self.until) + timedelta(days=1) if self.until else None,
            sort=self.sort,
            order=self.order,
        )

    @property
    def narrowed(self) -> bool:
        """Whether something of the form is filled in."""
        return self.filters.narrowed or bool(self.columns)

    def shown(self, rows: list[dict[str, Any]]) -> list[Column]:
        """The columns of the table: those that were chosen, or all that the page has and a row fills."""
        known = columns_of(Place.PAGE)
        if self.columns:
            return [column for column in known if column.name in (*_ALWAYS, *self.columns)]
        return filled(known, rows)

    def link(self, **changes: Any) -> str:
        """The query of this page with changes; it begins anew unless they name a cursor."""
        changed = replace(self, **({"cursor": None} | changes))
        fields: dict[str, Any] = {
            "split": changed.split,
            "version": changed.version,
            "all": "true" if changed.everything else None,
            "search": changed.search,
            "organisation": changed.organisation,
            "verified": "true" if changed.verified else None,
            "access": changed.access,
            "since": changed.since,
            "until": changed.until,
            "sort": None if changed.sort == "score" and changed.order is None else changed.sort,
            "order": changed.order,
            "columns": changed.columns,
            "cursor": changed.cursor,
        }
        return "?" + urlencode({name: value for name, value in fields.items() if value}, doseq=True)

    def export(self, form: str = "json") -> str:
        """The query of the same entries as JSON or CSV."""
        kept = replace(self, columns=(), cursor=None, until=None).link()
        until = f"&until={self.until + timedelta(days=1)}" if self.until else ""
        return kept + until + ("&format=csv" if form == "csv" else "")

    def sorts(self, column: str) -> str | None:
        """The query that orders by a column, or the other way round; None where that cannot be done."""
        name = _SORTED_BY.get(column)
        if name is None:
            return None
        if self.sort != name:
            return self.link(sort=name, order=None)
        return self.link(sort=name, order="asc" if self.filters.descending else "desc")

    def direction(self, column: str) -> str | None:
        """How the rows are ordered by a column, as `aria-sort` says it."""
        if _SORTED_BY.get(column) != self.sort or column == "rank":
            return None
        return "descending" if self.filters.descending else "ascending"

    def hidden_fields(self) -> list[tuple[str, str]]:
        """What a form of filters sends along unseen."""
        kept = {"split": self.split, "version": self.version, "all": "true" if self.everything else None}
        ordered = {"sort": self.sort, "order": self.order} if self.sort != "score" or self.order else {}
        return [(name, value) for name, value in (kept | ordered).items() if value]


_SORTED_BY: dict[str, SortName] = {name: name for name in _SORTS} | {"rank": "score"}


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def _day(name: str, text: str) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise InvalidError(f"'{name}' is a day such as 2026-03-01") from None


def _one_of(name: str, text: str, known: tuple[Any, ...]) -> Any:
    if text and text not in known:
        raise InvalidError(f"'{name}' is one of {', '.join(known)}")
    return text or None


Text = Annotated[str, Query(max_length=200)]


async def _board_query(
    split: Annotated[str, Query(max_length=64)] = "",
    version: VersionQuery = None,
    cursor: CursorQuery = None,
    everything: Annotated[bool, Query(alias="all")] = False,
    search: Text = "",
    organisation: Text = "",
    verified: Text = "",
    access: Text = "",
    since: Text = "",
    until: Text = "",
    sort: Text = "",
    order: Text = "",
    columns: Annotated[list[str] | None, Query(max_length=60)] = None,
) -> BoardQuery:
    """Raises InvalidError. A form sends what was left empty too."""
    if "\0" in search + organisation:
        raise InvalidError("a name has no character U+0000")
    return BoardQuery(
        split=split or None,
        version=version or None,
        cursor=cursor,
        everything=everything,
        search=search.strip() or None,
        organisation=organisation.strip() or None,
        verified=_one_of("verified", verified, ("true", "false")) == "true",
        access=_one_of("access", access, _ACCESSES),
        since=_day("since", since),
        until=_day("until", until),
        sort=_one_of("sort", sort, _SORTS) or "score",
        order=_one_of("order", order, _ORDERS),
        columns=tuple(name for name in columns or () if name in {column.name for column in columns_of(Place.PAGE)}),
    )


BoardQueryDep = Annotated[BoardQuery, Depends(_board_query)]
