"""SQL of serving. Only public columns: the roles of this process cannot read the vault."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import msgspec
from sqlmodel import col, select

from api.catalog.models import ProblemRow
from api.catalog.repository import SPLIT_ACCESS_COLUMNS, SPLIT_ACCESS_ROW, SplitAccess
from api.core.db import AsyncSession
from api.core.pipeline import Pipeline
from api.core.query import Query


@dataclass(frozen=True)
class ServedProblem:
    """The public side of a problem, as a page serves it. `gold` and `solution` are None but on dev splits."""

    id: UUID
    position: int
    type: str
    subject: str
    statement: str
    choices: list[dict[str, str]]
    answer_format: str
    images: list[dict[str, str]]
    episode: bool
    variation: dict[str, object] | None
    name: str
    gold: str | None
    solution: str | None


@dataclass(frozen=True)
class ProblemFilters:
    """Which problems of a split to list; None: all."""

    subject: str | None = None
    type: str | None = None
    with_images: bool | None = None


@dataclass(frozen=True)
class ProblemAccess(ServedProblem, SplitAccess):
    """One problem, its split, and how an organisation stands to the agreement. `canary`: of its release."""

    canary: str


@dataclass(frozen=True)
class SplitListing(SplitAccess):
    """A split, how an organisation stands to its agreement, and some of its problems: `ServedProblem`s as JSON."""

    problems: str


@dataclass(frozen=True)
class ServedPage:
    """What the ledger and the budget are told of problems that are served together.

    `first`, `last`: their positions in the split's order, for the throttle; None where they are in none.
    """

    key: UUID
    split: UUID
    problems: list[UUID]
    variants: list[str]
    address: str
    channel: str
    first: int | None = None
    last: int | None = None


@dataclass(frozen=True)
class Sibling:
    """A problem and the group of siblings it belongs to."""

    id: UUID
    sibling_group: str | None


@dataclass(frozen=True)
class BudgetUse:
    """Problems counted for an organisation and a split today, this page included, and when the count starts again."""

    used: int
    resets_at: datetime


@dataclass(frozen=True)
class ReadingPace:
    """How a split is being read: counts of the last minute and of the day as `protection.throttle.Reading` has them.

    `oldest_of_key`, `oldest`: seconds since the oldest problem of the last minute, of the key and of all that count.
    """

    by_key: int
    by_organisation: int
    by_address: int
    keys_of_organisation: int
    keys_of_address: int
    run: int
    oldest_of_key: float
    oldest: float
    lifted: bool


# A third of the time that the driver and pydantic take for as many columns.
_SERVED = msgspec.json.Decoder(list[ServedProblem])
_COLUMNS = """id, position, type, subject, statement, choices, answer_format, images, episode, variation, name, gold,
              solution"""
_FILTERED = """position > :after
         and (cast(:subject as text) is null or subject = :subject) and (cast(:type as text) is null or type = :type)
         and (cast(:with_images as boolean) is null or (jsonb_array_length(images) > 0) = :with_images)
       order by position"""
_PAGE = Query(
    ServedProblem,
    "Problems of a split after a position, in the split's order; only some of them, where `only` is not null.",
    f"""select {_COLUMNS}
       from problem where split_id = :split and (cast(:only as uuid[]) is null or id = any(cast(:only as uuid[])))
         and {_FILTERED} limit :limit""",  # noqa: S608 - both parts are of this module
)


def _listing(described: str, rows: str) -> Query[SplitListing]:
    return Query(
        SplitListing,
        f"A split with a page of its problems, {described}, in one statement; of a hidden split at most `hidden`.",
        f"""select {SPLIT_ACCESS_COLUMNS},
                   cast((select coalesce(json_agg(row_to_json(p)), '[]') from (
                      select {_COLUMNS} from problem where split_id = s.id and {rows}
                      limit case s.visibility when 'dev' then :limit else least(:limit, :hidden) end
                   ) p) as text) as problems
            {SPLIT_ACCESS_ROW}""",  # noqa: S608 - its parts are constants
    )


# A plan kept for any filter expects few rows and sorts all that come after the position; without one the index is read.
_LISTING = _listing("all of them", "position > :after order by position")
_FILTERED_LISTING = _listing("only some of them", _FILTERED)
_SIBLINGS = Query(
    Sibling,
    "Every problem of a split with its group of siblings, in the split's order.",
    "select id, sibling_group from problem where split_id = :split order by position",
)
_ONE = Query(
    ProblemAccess,
    "One problem with all that decides whether an organisation may have it: a single row for the path of each episode.",
    """select p.id, p.position, p.type, p.subject, p.statement, p.choices, p.answer_format, p.images, p.episode,
              p.variation, p.name, p.gold, p.solution, b.id as benchmark_id, b.slug,
              b.organisation_id as owner_id, r.id as release_id, r.version, r.canary, s.id as split_id,
              s.name as split, s.visibility, s.feedback, s.config, s.problem_count, r.agreement,
              a.state as agreement_state
       from problem p join split s on s.id = p.split_id join release r on r.id = p.release_id
       join benchmark b on b.id = r.benchmark_id
       left join agreement_acceptance a on a.release_id = r.id and a.organisation_id = :organisation
       where p.id = :problem""",
)
RECORD = Query(
    BudgetUse,
    "Budget and ledger in one function: served means counted and written down, or not at all.",
    """select used, ((now() at time zone 'utc')::date + 1) at time zone 'utc' as resets_at
       from record_served(:key, :split, cast(:problems as uuid[]), cast(:variants as text[]), cast(:channel as text),
                          cast(:address as text), cast(:first as integer), cast(:last as integer)) as served(used)""",
)
_READING = Query(
    ReadingPace,
    "How a split is read; asked after the record, in its transaction: a page that comes too early is taken back whole.",
    """with minute as (
  select key_id, organisation_id, address, served_at from exposure
  where split_id = :split and served_at > clock_timestamp() - interval '60 seconds'
    and (organisation_id = :organisation or address = :address)),
keys as (
  select r.key_id, r.address, k.organisation_id, r.run, r.day from key_reading r join api_key k on k.id = r.key_id
  where r.split_id = :split and r.day >= (now() at time zone 'utc')::date - 1
    and (k.organisation_id = :organisation or r.address = :address))
select (select count(*) from minute where key_id = :key) as by_key,
       (select count(*) from minute where organisation_id = :organisation) as by_organisation,
       (select count(*) from minute where address = :address) as by_address,
       (select count(distinct key_id) from keys where organisation_id = :organisation) as keys_of_organisation,
       (select count(distinct key_id) from keys where address = :address and address <> '') as keys_of_address,
       coalesce((select run from keys where key_id = :key order by day desc limit 1), 0) as run,
       coalesce((select extract(epoch from clock_timestamp() - min(served_at)) from minute where key_id = :key), 0)
         as oldest_of_key,
       coalesce((select extract(epoch from clock_timestamp() - min(served_at)) from minute), 0) as oldest,
       exists (select 1 from scraping_lift where benchmark_id = :benchmark and organisation_id = :organisation)
         as lifted""",
)
USED = Query(
    int,
    "Problems of a split served to an organisation, and to those it is grouped with, today (UTC).",
    """select coalesce(sum(used), 0) from daily_budget
       where organisation_id in (select sharing_limits(:organisation))
         and split_id = :split and day = (now() at time zone 'utc')::date""",
)


@dataclass(frozen=True)
class ListedEpisode:
    """An episode of a split without anything that it asks."""

    id: UUID
    position: int
    type: str
    subject: str


_EPISODES = Query(
    ListedEpisode,
    "Problems of a split that are episodes, in order.",
    """select id, position, type, subject from problem
       where split_id = :split and position > :after and episode order by position limit :limit""",
)
_READER = Query(
    UUID,
    "Which of an account's organisations takes part in a split: the first that did.",
    """insert into split_reader as r (account_id, split_id, organisation_id) values (:account, :split, :organisation)
       on conflict (account_id, split_id) do update set organisation_id = r.organisation_id
       returning organisation_id""",
)


class ProblemRepository:
    """Public columns of problems, the budget and the exposure ledger."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def page(
        self, split_id: UUID, after: int, limit: int, filters: ProblemFilters, only: set[UUID] | None = None
    ) -> list[ServedProblem]:
        """Rows after the position `after`, in the split's order; `only` these, where it is given."""
        wanted = None if only is None else list(only)
        return await self._session.fetch_all(
            _PAGE, split=split_id, after=after, limit=limit, only=wanted, **vars(filters)
        )

    async def listing(
        self, slug: str, split: str, organisation: UUID, after: int, limit: int, hidden: int, filters: ProblemFilters
    ) -> tuple[SplitAccess, list[ServedProblem]] | None:
        """A split with its rows after the position `after`: at most `limit`, of a hidden split at most `hidden`."""
        chosen, values = (_FILTERED_LISTING, vars(filters)) if filters != ProblemFilters() else (_LISTING, {})
        found = await self._session.fetch_optional(
            chosen,
            slug=slug,
            split=split,
            organisation=organisation,
            after=after,
            limit=limit,
            hidden=hidden,
            **values,
        )
        return (found, _SERVED.decode(found.problems)) if found else None

    async def siblings(self, split_id: UUID) -> list[Sibling]:
        """Every problem of a split with the group it belongs to."""
        return await self._session.fetch_all(_SIBLINGS, split=split_id)

    async def one(self, problem_id: UUID, organisation_id: UUID) -> ProblemAccess | None:
        """One problem with how an organisation stands to its agreement."""
        return await self._session.fetch_optional(_ONE, problem=problem_id, organisation=organisation_id)

    async def known(self, split_id: UUID, ids: list[UUID]) -> set[UUID]:
        """Which of `ids` are problems of the split."""
        statement = select(ProblemRow.id).where(ProblemRow.split_id == split_id, col(ProblemRow.id).in_(ids))
        return set(await self._session.exec(statement))

    async def record(self, served: ServedPage, *, commit: bool = False) -> BudgetUse | None:
        """Count against the split's budget and write the ledger. None when it does not reach: nothing was written.

        `commit`: this is the last that the transaction does.
        """
        trip = Pipeline(self._session)
        done = trip.fetch(RECORD, **vars(served))
        await trip.send(commit=commit)
        return done.optional

    async def record_and_read(
        self, served: ServedPage, organisation: UUID, benchmark: UUID
    ) -> tuple[BudgetUse | None, ReadingPace]:
        """The same, and how the split is being read by the key, its organisation and its address then."""
        trip = Pipeline(self._session)
        done = trip.fetch(RECORD, **vars(served))
        pace = trip.fetch(
            _READING,
            benchmark=benchmark,
            split=served.split,
            key=served.key,
            organisation=organisation,
            address=served.address,
        )
        await trip.send()
        return done.optional, pace.rows[0]

    async def used_today(self, organisation: UUID, split: UUID) -> int:
        """Problems served to the organisation today."""
        return await self._session.fetch_one(USED, organisation=organisation, split=split)

    async def reader(self, account: UUID, split: UUID, organisation: UUID) -> UUID:
        """Which organisation of an account takes part in a split: this one, if none did before."""
        return await self._session.fetch_one(_READER, account=account, split=split, organisation=organisation)

    async def episodes(self, split_id: UUID, after: int, limit: int) -> list[ListedEpisode]:
        """Episodes of a split behind the position `after`."""
        return await self._session.fetch_all(_EPISODES, split=split_id, after=after, limit=limit)
