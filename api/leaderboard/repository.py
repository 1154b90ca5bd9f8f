"""SQL of the leaderboard. The one place where entries are written."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from functools import cache
from typing import Any
from uuid import UUID

from sqlalchemy.dialects.postgresql import insert

from api.core.db import AsyncSession
from api.core.query import Command, Query
from api.leaderboard.filters import Filters, SortName, after_values, clauses, conditions, order_sql, usage_sql
from api.leaderboard.filters import values as filter_values
from api.leaderboard.models import Declaration, Entry, EntryRow
from api.leaderboard.scoring import Result


@dataclass(frozen=True)
class ModelOnSplit:
    """The entries among which one is marked as the best."""

    split_id: UUID
    organisation_id: UUID
    model_name: str


@dataclass(frozen=True)
class BestEntry:
    """The best entry of an organisation's model, with its 95 % interval in [0, 1]."""

    organisation_id: UUID
    organisation: str
    organisation_verified: bool
    model_name: str
    score: float
    low: float
    high: float


@dataclass(frozen=True)
class Between:
    """How many entries lie above the score of number `place` + 1 in descending order, and not above the one before."""

    place: int
    n: int


@dataclass(frozen=True)
class Point:
    """A ranked entry as a chart shows it; `cost` in US dollars, None where it was not reported."""

    submission_id: UUID
    organisation_slug: str
    model_name: str
    organisation: str
    score: float
    low: float
    high: float
    cost: float | None
    created_at: datetime


@dataclass(frozen=True)
class FrontPoint(Point):
    """The same with the release and the split on whose board it stands."""

    release_id: UUID
    split: str


@dataclass(frozen=True)
class PublishedScore:
    """What the leaderboard says of a submission; below the floor of a hidden split (`near_chance`) no score."""

    score: float
    low: float
    high: float
    breakdown: dict[str, Any]
    near_chance: bool


@dataclass(frozen=True)
class Restated:
    """What a board says of a run anew at each of its releases."""

    score: float
    low: float
    high: float
    adjusted: float | None
    near_chance: bool
    overfit: bool
    judge_weak: bool
    contaminated: bool


# Each split has its best of a model; of several splits it is the best of these.
_BEST_OF_ALL = """not exists (
  select from entry o where o.split_id = any(:splits) and o.split_id <> entry.split_id and o.best {hidden}
    and o.organisation_id = entry.organisation_id and o.model_name = entry.model_name
    and (o.score > entry.score or (o.score = entry.score and o.submission_id < entry.submission_id)))"""
_BEST = Query(
    BestEntry,
    "The best listed entry of each organisation's model on a split.",
    f"""select organisation_id, organisation, model_name, score, low, high,
              verified_at is not null as organisation_verified
       from entry join organisation on organisation.id = organisation_id
       where split_id = any(:splits) and best and not hidden and not near_chance
         and {_BEST_OF_ALL.format(hidden="and not o.hidden")}
       order by score desc, submission_id limit 10000""",  # noqa: S608 - a constant
)


def _of(*, several: bool) -> str:
    # A single one is asked for as such: its index has the entries in order.
    return "split_id = any(:splits)" if several else "split_id = :split"


def _best(*, several: bool, hidden: bool) -> str:
    of_all = _BEST_OF_ALL.format(hidden="" if hidden else "and not o.hidden")
    return f"and best and {of_all}" if several else "and best"


_PUBLISHED = Query(
    PublishedScore,
    "The entry of a submission, hidden or not.",
    "select score, low, high, breakdown, near_chance from entry where submission_id = :id",
)
_DECLARED = Query(
    bool,
    "Whether a run of this model and version was declared long enough before it was made.",
    """select exists (select 1 from declaration where split_id = :split and organisation_id = :organisation
                      and model_name = :model and commit = :version and counts_from < :made)""",
)
_BY_SERVICE = Query(
    bool,
    "Whether the service itself asked the model for a submission's answers.",
    "select exists (select from endpoint_run where submission_id = :id)",
)
_LOCK_DECLARING = Command(
    "Let an organisation's declarations on a split wait for each other.",
    "select pg_advisory_xact_lock(hashtextextended(:name, 0))",
)
_RECENT = Query(
    int,
    "How many runs an organisation declared on a split since a time.",
    """select count(*) from declaration
       where split_id = :split and organisation_id = :organisation and declared_at >= :since""",
)
_RESCORE = Query(
    ModelOnSplit,
    "Give an entry another score.",
    """update entry set score = :score, low = :low, high = :high, breakdown = cast(:breakdown as jsonb)
       where submission_id = :id returning split_id, organisation_id, model_name""",
)
_CORRECT = Query(
    ModelOnSplit,
    "Keep the correction for the judge; a corrected score becomes the entry's.",
    """update entry set correction = cast(:found as jsonb), score = coalesce(:score, score),
         low = coalesce(:low, low), high = coalesce(:high, high)
       where submission_id = :id returning split_id, organisation_id, model_name""",
)
_CHANGE = Query(
    bool,
    "Hide, restore or verify an entry of a benchmark of the user's; null leaves a mark as it is. The best is marked.",
    "select change_entry(:id, :owner, :by, cast(:hidden as boolean), cast(:verified as boolean))",
)
_LISTED = Query(UUID, "Submissions that have an entry.", "select submission_id from entry where split_id = :split")
_RESTATE = Query(
    ModelOnSplit,
    "Bring an entry to what its board says now.",
    """update entry set score = :score, low = :low, high = :high, adjusted = :adjusted, near_chance = :near_chance,
         overfit = :overfit, judge_weak = :judge_weak, contaminated = :contaminated
       where submission_id = :id returning split_id, organisation_id, model_name""",
)
_MARK_BEST = Command(
    "Mark one entry of each organisation's model on a split as its best: the highest score, then the earliest.",
    "select mark_best(:split, :organisation, :model)",
)


_BETTER = {
    (everything, several): Query(
        Between,
        "How many listed entries that answered every problem lie above each of some scores, given negated in order.",
        f"""select width_bucket(-score, cast(:negated as double precision[])) as place, count(*) as n
            from entry where {_of(several=several)} and score > :lowest and not hidden and coverage >= 1
              {"" if everything else _best(several=several, hidden=False)}
            group by 1""",  # noqa: S608 - constants of this module
    )
    for everything in (False, True)
    for several in (False, True)
}
_JOINED = ("organisation_verified", "organisation_slug")
_COLUMNS = ", ".join(f"entry.{field.name}" for field in fields(EntryRow) if field.name not in _JOINED)


@dataclass(frozen=True)
class _Kind:
    """What makes one statement of many: the conditions by name, and whose best entries are asked for."""

    conditions: tuple[str, ...]
    everything: bool
    hidden: bool
    several: bool

    @classmethod
    def of(cls, splits: Sequence[UUID], filters: Filters) -> "_Kind":
        return cls(conditions(filters), filters.everything, filters.hidden, len(splits) > 1)

    def where(self, more: Sequence[str] = ()) -> str:
        """The conditions as SQL."""
        found = [_of(several=self.several), *clauses(self.conditions, hidden=self.hidden), *more]
        best = "" if self.everything else _best(several=self.several, hidden=self.hidden)
        return f"{' and '.join(found)} {best}"


@cache
def _page(kind: _Kind, sort: SortName, *, descending: bool, after: bool) -> Query[EntryRow]:
    """A statement for each combination of filters: each finds its index, one with all of them in `or` would not."""
    order, keyset = order_sql(sort, descending=descending)
    return Query(
        EntryRow,
        "A page of a split's entries in order.",
        f"""select {_COLUMNS}, verified_at is not null as organisation_verified, organisation.slug as organisation_slug
            from entry join organisation on organisation.id = organisation_id
            where {kind.where([keyset] if after else [])}
            order by {order} limit :limit""",  # noqa: S608 - constants of this module
    )


_POINT = f"""entry.submission_id, organisation.slug as organisation_slug, model_name, entry.organisation, score, low,
  high, {usage_sql("cost")} as cost, entry.created_at"""


_LISTED_ONES = Query(
    EntryRow,
    "A board's entries by their submissions, in no order; hidden ones are left out.",
    f"""select {_COLUMNS}, verified_at is not null as organisation_verified, organisation.slug as organisation_slug
        from entry join organisation on organisation.id = organisation_id
        where submission_id = any(:submissions) and split_id = any(:splits) and not hidden""",  # noqa: S608 - constants of this module
)


@cache
def _points(kind: _Kind) -> Query[Point]:
    return Query(
        Point,
        "The best entries that have a score and answered every problem, as points of a chart.",
        f"""select {_POINT} from entry join organisation on organisation.id = organisation_id
            where {kind.where(["entry.coverage >= 1", "not near_chance"])}
            order by score desc, submission_id limit :limit""",  # noqa: S608 - constants of this module
    )


@cache
def _records(kind: _Kind) -> Query[Point]:
    before = "rows between unbounded preceding and 1 preceding"
    return Query(
        Point,
        "The entries that were the best of their board when they were made, newest first.",
        f"""select {_POINT} from (
              select *, max(score) over (order by created_at, submission_id {before}) as best_before
              from entry where {kind.where(["entry.coverage >= 1", "not near_chance"])}) as entry
            join organisation on organisation.id = organisation_id
            where best_before is null or score > best_before
            order by entry.created_at desc limit :limit""",  # noqa: S608 - constants of this module
    )


def _chosen(splits: Sequence[UUID]) -> dict[str, object]:
    return {"splits": list(splits)} if len(splits) > 1 else {"split": splits[0]}


_FRONT = Query(
    FrontPoint,
    "The best ranked entries of the split that each release's page shows first.",
    f"""select s.release_id, s.name as split, e.* from (
          select distinct on (release_id) release_id, name, array_append(carries, id) as board
          from split where release_id = any(:releases) order by release_id, visibility = 'dev', name) as s
        cross join lateral (
          select one.* from unnest(s.board) as carried (split_id) cross join lateral (
            select {_POINT} from entry join organisation on organisation.id = organisation_id
            where split_id = carried.split_id and best and not hidden and entry.coverage >= 1 and not near_chance
              and {_BEST_OF_ALL.format(hidden="and not o.hidden").replace(":splits", "s.board")}
            order by score desc, submission_id limit :limit) as one
          order by score desc, submission_id limit :limit) as e""",  # noqa: S608 - constants of this module
)


class LeaderboardRepository:
    """Entries of splits. A board is a split with those whose entries it carries (`SplitRow.board`)."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def page(
        self, splits: Sequence[UUID], filters: Filters, after: Sequence[Any] | None, limit: int
    ) -> list[EntryRow]:
        """Entries of one board in order, after a key: (what they are ordered by, submission)."""
        values = {"limit": limit} | _chosen(splits) | filter_values(filters)
        if after:
            values |= after_values(after)
        query = _page(_Kind.of(splits, filters), filters.sort, descending=filters.descending, after=bool(after))
        return await self._session.fetch_all(query, **values)

    async def some(self, splits: Sequence[UUID], submissions: Sequence[UUID]) -> list[EntryRow]:
        """The entries of a board that are listed, among these submissions."""
        return await self._session.fetch_all(_LISTED_ONES, splits=list(splits), submissions=list(submissions))

    async def points(self, splits: Sequence[UUID], filters: Filters, limit: int) -> list[Point]:
        """The best `limit` ranked entries of a board that have a score, for charts."""
        values = {"limit": limit} | _chosen(splits) | filter_values(filters)
        return await self._session.fetch_all(_points(_Kind.of(splits, filters)), **values)

    async def records(self, splits: Sequence[UUID], limit: int) -> list[Point]:
        """The ranked entries that were a board's best when they were made, newest first."""
        kind = _Kind.of(splits, Filters(everything=True))
        return await self._session.fetch_all(_records(kind), limit=limit, **_chosen(splits))

    async def best(self, splits: Sequence[UUID]) -> list[BestEntry]:
        """The best entry of each organisation's model on one board."""
        return await self._session.fetch_all(_BEST, splits=list(splits))

    async def better(self, splits: Sequence[UUID], scores: Iterable[float], filters: Filters) -> dict[float, int]:
        """For each score how many listed entries of full coverage have a better one: its rank less one. One pass."""
        ordered = sorted(set(scores), reverse=True)
        if not ordered:
            return {}
        query = _BETTER[filters.everything, len(splits) > 1]
        negated = [-score for score in ordered]
        rows = await self._session.fetch_all(query, negated=negated, lowest=ordered[-1], **_chosen(splits))
        between = {row.place: row.n for row in rows}
        return {score: sum(between.get(above, 0) for above in range(at + 1)) for at, score in enumerate(ordered)}

    async def published(self, submission_id: UUID) -> PublishedScore | None:
        """What the leaderboard says of a submission; None: nothing."""
        return await self._session.fetch_optional(_PUBLISHED, id=submission_id)

    async def publish(self, entry: Entry) -> None:
        """Insert the entry of a submission; again it replaces its score. Then mark the best of its model.

        A model's parameters stay with the submission: boards are read by everybody, and often.
        """
        entry.model = {name: value for name, value in entry.model.items() if name != "parameters"}
        entry.declared = await self._session.fetch_one(
            _DECLARED,
            split=entry.split_id,
            organisation=entry.organisation_id,
            model=entry.model_name,
            version=entry.model.get("version", ""),
            made=entry.created_at,
        )
        entry.by_service = await self._session.fetch_one(_BY_SERVICE, id=entry.submission_id)
        statement = insert(Entry).values(entry.model_dump())
        again = {name: statement.excluded[name] for name in ("score", "low", "high", "coverage", "breakdown")}
        await self._session.exec(statement.on_conflict_do_update(index_elements=["submission_id"], set_=again))
        await self.mark_best(ModelOnSplit(entry.split_id, entry.organisation_id, entry.model_name))

    async def rescore(self, submission_id: UUID, result: Result) -> ModelOnSplit | None:
        """Give an entry another score, after a regrading; None: nothing is published. The best is not marked yet."""
        return await self._session.fetch_optional(
            _RESCORE,
            id=submission_id,
            score=result.score,
            low=result.low,
            high=result.high,
            breakdown=json.dumps(result.breakdown),
        )

    async def listed(self, split_id: UUID) -> set[UUID]:
        """Submissions that have an entry."""
        return set(await self._session.fetch_all(_LISTED, split=split_id))

    async def restate(self, submission_id: UUID, restated: Restated) -> None:
        """Bring an entry to what its board says now, and mark the best of its model."""
        among = await self._session.fetch_optional(_RESTATE, id=submission_id, **asdict(restated))
        if among is not None:
            await self.mark_best(among)

    async def set_correction(self, submission_id: UUID, found: Mapping[str, Any]) -> ModelOnSplit | None:
        """Keep the correction for the judge; a corrected score becomes the entry's. None: nothing is published."""
        best = found.get("corrected") or {}
        return await self._session.fetch_optional(
            _CORRECT,
            id=submission_id,
            found=json.dumps(found),
            score=best.get("score"),
            low=best.get("low"),
            high=best.get("high"),
        )

    async def mark_best(self, among: ModelOnSplit) -> None:
        """One `best` for each organisation and model: the highest score, then the earliest."""
        await self._session.run(
            _MARK_BEST, split=among.split_id, organisation=among.organisation_id, model=among.model_name
        )

    async def change(
        self, submission_id: UUID, by: UUID, owner_id: UUID, *, hidden: bool | None, verified: bool | None
    ) -> bool:
        """Hide, restore or verify an entry of one's own benchmark; False: there is no such entry."""
        return await self._session.fetch_one(
            _CHANGE, id=submission_id, by=by, owner=owner_id, hidden=hidden, verified=verified
        )


class FrontRepository:
    """What the list of benchmarks shows of their boards."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def best(self, releases: Sequence[UUID], limit: int) -> dict[UUID, list[FrontPoint]]:
        """The best `limit` ranked entries of each release's first hidden split, or of its first where none is."""
        found: dict[UUID, list[FrontPoint]] = {}
        for row in await self._session.fetch_all(_FRONT, releases=list(releases), limit=limit):
            found.setdefault(row.release_id, []).append(row)
        return found


class DeclarationRepository:
    """Runs that were declared before they were made."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def recent(self, split_id: UUID, organisation_id: UUID, since: datetime) -> int:
        """How many an organisation declared on a split since a time; one at a time until the transaction ends."""
        await self._session.run(_LOCK_DECLARING, name=f"declaring:{split_id}:{organisation_id}")
        return await self._session.fetch_one(_RECENT, split=split_id, organisation=organisation_id, since=since)

    async def add(self, row: Declaration) -> None:
        self._session.add(row)
        await self._session.flush()
