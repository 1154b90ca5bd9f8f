"""SQL of feedback releases: what is due, what was released, who asked to be ranked."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from cachetools import LRUCache
from sqlalchemy.dialects.postgresql import insert

from api.core.db import AsyncSession
from api.core.query import Command, Query
from api.feedback.models import UNVERIFIED, FeedbackIntakeRow, FeedbackReleaseRow, RankingSelection
from packs.benchmark import SplitConfig
from protection.feedback.exit import Intake as Decided
from protection.feedback.release import Part


@dataclass(frozen=True)
class HiddenSplit:
    """A hidden split of a current release, with what its policy hangs on."""

    id: UUID
    benchmark_id: UUID
    release_id: UUID
    name: str
    problem_count: int
    people: bool
    config: SplitConfig
    choices: int


@dataclass(frozen=True)
class StoredRelease:
    """A feedback release with its submission's organisation and model."""

    id: UUID
    receiver: UUID
    submission_id: UUID
    organisation_id: UUID
    model_name: str
    part: Part
    new: bool
    band: int | None
    left: int
    bits: float
    regrade: bool
    judge_weak: bool
    contaminated: bool
    scheduled: datetime


@dataclass(frozen=True)
class Intake:
    """When a submission is decided, and as what; `outcome` is None before that."""

    decide_at: datetime
    outcome: str | None
    left: int | None
    release_id: UUID | None


@dataclass(frozen=True)
class Selected:
    """A submission that is to be ranked at the next scheduled release."""

    submission_id: UUID
    organisation_id: UUID
    model_name: str


@dataclass(frozen=True)
class LearntOfSplit:
    """What one receiver was released of a hidden split: `decisions` and `rankings` made, and the bits of both."""

    slug: str
    version: str
    split: str
    decisions: int
    rankings: int
    bits: float


@dataclass(frozen=True)
class ScheduledRelease:
    """A release of a ranking part: `called` for by the owner, or of the clock; `done` or to be made."""

    scheduled: datetime
    called: bool
    done: bool


@dataclass(frozen=True)
class SplitTotals:
    """What a split has released so far, to how many receivers, and the bits of either part."""

    receivers: int
    feedback_bits: float
    ranking_bits: float


CARRIED = "carried"
"""The outcome of a run that goes on from an earlier release: its band is told again, and it is not ranked anew."""
FAILED = "failed"
"""The outcome of a submission that could not be graded: no fault of its makers, and no run to rank."""
RETIRED = "retired"
"""The outcome of a submission that was not decided yet when its feedback part was published."""
NEVER_RANKED = (Decided.INCOMPLETE.value, CARRIED, FAILED, RETIRED)
"""Outcomes whose submissions can neither be selected for a ranking release nor be picked for who never asked."""
_HIDDEN = Query(
    HiddenSplit,
    "The hidden splits of all current releases, or one split of any release.",
    """select s.id, r.benchmark_id, r.id as release_id, s.name, s.problem_count, s.people, s.config, s.choices
       from split s join release r on r.id = s.release_id join benchmark b on b.id = r.benchmark_id
       where s.visibility <> 'dev' and (s.id = cast(:id as uuid) or cast(:id as uuid) is null and b.release_id = r.id)
       order by s.id""",
)
_LOCK = Query(
    object,
    "Take the lock of a split's decisions, until the end of the transaction.",
    "select cast(pg_advisory_xact_lock(hashtextextended(:name, 0)) as text)",
)
_RECEIVER = Query(
    UUID,
    "Who an organisation's releases are counted for: it, the lead of its group, or all that nobody verified.",
    """select case when verified_at is null then cast(:unverified as uuid) else group_lead(id) end as receiver
       from organisation where id = :id""",
)
_SHARES = Query(
    bool,
    "Whether an organisation is grouped with others.",
    "select count(*) > 1 as shares from sharing_limits(:id)",
)
_NEWEST_TURN = Query(
    datetime,
    "When an organisation's newest submission to a split is decided.",
    """select max(decide_at) from feedback_intake where split_id = :split and organisation_id = :organisation
       having max(decide_at) is not null""",
)
_RETIRED = Query(
    bool, "Whether items of a split were published.", "select retired_at is not null from split where id = :id"
)
_DUE = Query(
    UUID,
    "Submissions that are to be decided by now, the earliest first.",
    """select submission_id from feedback_intake where outcome is null and decide_at <= :at
       order by decide_at, submission_id""",
)
_INTAKE = Query(
    Intake,
    "When a submission is decided, and as what.",
    """select decide_at, outcome, "left", release_id from feedback_intake where submission_id = :submission""",
)
_DECIDED = Command(
    "Write down as what a submission was decided, once.",
    """update feedback_intake set outcome = :outcome, "left" = :left, digest = :digest, release_id = :release
       where submission_id = :submission and outcome is null""",
)
_SAME_ANSWERS = Query(
    UUID,
    "The release that the same answers of the same receiver were given before.",
    """select i.release_id from feedback_intake i join feedback_release o on o.id = i.release_id
       where i.split_id = :split and i.digest = :digest and o.receiver = :receiver order by i.decide_at limit 1""",
)
_RELEASES = Query(
    StoredRelease,
    "Releases, the earliest first: of a split, of a submission, or the one with this id.",
    """select f.id, f.receiver, f.submission_id, u.organisation_id, u.model->>'name' as model_name, f.part, f.new,
              f.band, f."left", f.bits, f.regrade, f.judge_weak, f.contaminated, f.scheduled
       from feedback_release f join submission u on u.id = f.submission_id
       where f.split_id = cast(:split as uuid) or f.submission_id = cast(:submission as uuid)
         or f.id = cast(:id as uuid) order by f.scheduled, f.id""",
)
_SELECTED = Query(
    Selected,
    "Submissions to be ranked: selected before a time, and decided by then.",
    """select s.submission_id, s.organisation_id, s.model_name
       from ranking_selection s join feedback_intake i on i.submission_id = s.submission_id
       where s.split_id = :split and s.selected_at <= :at and i.outcome <> all (:never)
       order by s.submission_id""",
)
_SELECTION = Query(
    UUID,
    "What an organisation has selected of a split.",
    """select submission_id from ranking_selection
       where split_id = :split and organisation_id = :organisation order by model_name""",
)
_UNSELECT = Command(
    "Take a selection back, after its release.",
    """delete from ranking_selection where split_id = :split and organisation_id = :organisation
         and model_name = :model and submission_id = :submission""",
)
_UNASKED = Query(
    Selected,
    "For each organisation, the submission that speaks for it when it never asked: its best, else its newest.",
    """select distinct on (i.organisation_id) i.submission_id, i.organisation_id, '' as model_name
       from feedback_intake i left join feedback_release f on f.id = i.release_id and f.submission_id = i.submission_id
       where i.split_id = :split and i.outcome <> all (:never) and i.decide_at <= :at
       order by i.organisation_id, coalesce(f.new, false) desc, i.decide_at desc, i.submission_id desc""",
)
_DONE = Query(
    datetime,
    "When the ranking part of a split was last released.",
    "select max(scheduled) from ranking_schedule where split_id = :split and done having max(scheduled) is not null",
)
_CALLED = Query(
    datetime,
    "Releases that the owner called for and that are not made yet.",
    """select scheduled from ranking_schedule where split_id = :split and not done and scheduled <= :at
       order by scheduled""",
)
_CALL = Command(
    "Call for a release of a split's ranking part.",
    "insert into ranking_schedule (split_id, scheduled, called) values (:split, :at, true)",
)
_MADE = Command(
    "Write down that a scheduled release was made, once.",
    """insert into ranking_schedule (split_id, scheduled, called, done) values (:split, :scheduled, false, true)
       on conflict (split_id, scheduled) do update set done = true""",
)
_CALLS = Query(
    int,
    "How often the owner called for a release of a split since a time.",
    "select count(*) from ranking_schedule where split_id = :split and called and scheduled >= :since",
)
_SCHEDULE = Query(
    ScheduledRelease,
    "The newest releases of a split's ranking part.",
    "select scheduled, called, done from ranking_schedule where split_id = :split order by scheduled desc limit :limit",
)
_TOTALS = Query(
    SplitTotals,
    "What a split and those whose boards it carries have released so far: their items are the same.",
    """select count(distinct receiver) as receivers,
              coalesce(sum(bits) filter (where part = 'feedback'), 0) as feedback_bits,
              coalesce(sum(bits) filter (where part = 'ranking'), 0) as ranking_bits
       from feedback_release
       where split_id = :split or split_id in (select unnest(carries) from split where id = :split)""",
)
_LEARNT = Query(
    LearntOfSplit,
    "What one receiver was released of hidden splits, the newest release of each benchmark first.",
    """select b.slug, r.version, s.name as split, count(*) filter (where f.part = 'feedback') as decisions,
              count(*) filter (where f.part = 'ranking') as rankings, sum(f.bits) as bits
       from feedback_release f join split s on s.id = f.split_id join release r on r.id = s.release_id
       join benchmark b on b.id = r.benchmark_id
       where f.receiver = :receiver group by b.slug, r.version, r.created_at, s.name
       order by b.slug, r.created_at desc, s.name""",
)
_REGRADED = Query(
    bool,
    "Whether stored submissions of a benchmark were regraded between two releases.",
    """select exists (select 1 from regrade where benchmark_id = :benchmark and finished_at is not null
                      and finished_at <= :at and (cast(:since as timestamptz) is null or finished_at > :since))""",
)
_OWNERS_WHO_TAKE_PART = Query(
    str,
    "Organisations with a submission to a hidden split of a benchmark that own it, or share a member with who does. Who"
    " has left the one that they submitted for still counts.",
    """select distinct o.slug from submission u join split s on s.id = u.split_id and s.visibility <> 'dev'
       join release r on r.id = s.release_id join benchmark b on b.id = r.benchmark_id
       join organisation o on o.id = u.organisation_id
       where b.id = :benchmark and (o.id = b.organisation_id or exists (
         select 1 from membership m where m.organisation_id = b.organisation_id and (m.user_id = u.user_id or exists (
           select 1 from membership n where n.user_id = m.user_id and n.organisation_id = o.id))))
       order by o.slug""",
)
_OWN_USE = Query(
    int,
    "How often a part was looked at for an organisation's own submissions, whoever it was counted for.",
    """select count(*) from feedback_release f join submission u on u.id = f.submission_id
       join split s on s.id = f.split_id join release r on r.id = s.release_id
       where u.organisation_id = :organisation and r.benchmark_id = :benchmark and s.name = :split
         and f.part = :part and not f.regrade and f.scheduled > :since""",
)
_LEFT = Query(
    int,
    "How many ranking releases a receiver has left after its last of the year.",
    """select f."left" from feedback_release f where f.split_id = :split and f.receiver = :receiver
         and f.part = 'ranking' and f.scheduled > :since order by f.scheduled desc, f.id desc limit 1""",
)


_KNOWN: LRUCache[UUID, HiddenSplit | None] = LRUCache(maxsize=1000)


class FeedbackRepository:
    """Feedback releases of hidden splits."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def lock(self, split_id: UUID, organisation_id: UUID | None = None) -> None:
        """One decision on a split at a time, or one organisation's turn, until the end of the transaction."""
        await self._session.fetch_one(_LOCK, name=f"feedback:{split_id}:{organisation_id or ''}")

    async def receiver(self, organisation_id: UUID) -> UUID:
        """Who an organisation's releases are counted for.

        Once verified itself, or the lead of its group; else all unverified ones together.
        """
        return await self._session.fetch_one(_RECEIVER, id=organisation_id, unverified=UNVERIFIED)

    async def shares(self, organisation_id: UUID) -> bool:
        """Whether an operator grouped an organisation with others."""
        return await self._session.fetch_one(_SHARES, id=organisation_id)

    async def hidden_splits(self) -> list[HiddenSplit]:
        """Those of the current releases."""
        return await self._session.fetch_all(_HIDDEN, id=None)

    async def hidden_split(self, split_id: UUID) -> HiddenSplit | None:
        """A hidden split of any release. Releases never change, so it is read once."""
        if split_id not in _KNOWN:
            found = await self._session.fetch_optional(_HIDDEN, id=split_id)
            _KNOWN[split_id] = found
        return _KNOWN[split_id]

    async def retired(self, split_id: UUID) -> bool:
        """Whether its feedback part, or all of it, was published in a later release."""
        return await self._session.fetch_one(_RETIRED, id=split_id)

    async def newest_turn(self, split_id: UUID, organisation_id: UUID) -> datetime | None:
        """When the organisation's newest submission to the split is decided."""
        return await self._session.fetch_optional(_NEWEST_TURN, split=split_id, organisation=organisation_id)

    async def take_in(self, row: FeedbackIntakeRow) -> None:
        """Fix when a submission is decided; again is harmless."""
        fixed = row.model_dump(include={"submission_id", "split_id", "organisation_id", "decide_at"})
        await self._session.exec(insert(FeedbackIntakeRow).values(fixed).on_conflict_do_nothing())

    async def due(self, at: datetime) -> list[UUID]:
        """Submissions that are to be decided by now, the earliest first."""
        return await self._session.fetch_all(_DUE, at=at)

    async def intake(self, submission_id: UUID) -> Intake | None:
        """When a submission is decided, and as what; None: its split is not hidden, or it is still open."""
        return await self._session.fetch_optional(_INTAKE, submission=submission_id)

    async def decided(self, submission_id: UUID, outcome: str, left: int, digest: str, release_id: UUID | None) -> None:
        """Write down as what a submission was decided."""
        await self._session.run(
            _DECIDED, submission=submission_id, outcome=outcome, left=left, digest=digest, release=release_id
        )

    async def same_answers(self, split_id: UUID, receiver: UUID, digest: str) -> StoredRelease | None:
        """The release that the same answers of the same receiver were given before."""
        found = await self._session.fetch_optional(_SAME_ANSWERS, split=split_id, receiver=receiver, digest=digest)
        return await self.one(found) if found else None

    async def add(self, row: FeedbackReleaseRow) -> None:
        """Write a release down; it is never changed."""
        self._session.add(row)
        await self._session.flush()

    async def one(self, release_id: UUID) -> StoredRelease | None:
        return await self._session.fetch_optional(_RELEASES, split=None, submission=None, id=release_id)

    async def of_submission(self, submission_id: UUID) -> list[StoredRelease]:
        """Every release of a submission, the earliest first."""
        return await self._session.fetch_all(_RELEASES, split=None, submission=submission_id, id=None)

    async def all(self, split_id: UUID) -> list[StoredRelease]:
        """Every release of a split, the earliest first."""
        return await self._session.fetch_all(_RELEASES, split=split_id, submission=None, id=None)

    async def select(self, row: RankingSelection) -> None:
        """Select a submission for the next scheduled release, in the place of what was selected before."""
        statement = insert(RankingSelection).values(row.model_dump())
        changed: dict[str, Any] = {name: statement.excluded[name] for name in ("submission_id", "selected_at")}
        keys = ["split_id", "organisation_id", "model_name"]
        await self._session.exec(statement.on_conflict_do_update(index_elements=keys, set_=changed))

    async def selected(self, split_id: UUID, at: datetime) -> list[Selected]:
        """What is to be ranked: selected before a time, complete and decided by then."""
        return await self._session.fetch_all(_SELECTED, split=split_id, at=at, never=list(NEVER_RANKED))

    async def selection(self, split_id: UUID, organisation_id: UUID) -> Sequence[UUID]:
        """What an organisation has selected and what is not ranked yet."""
        return await self._session.fetch_all(_SELECTION, split=split_id, organisation=organisation_id)

    async def unselect(self, split_id: UUID, row: Selected) -> None:
        """Take a selection back, after its release."""
        await self._session.run(
            _UNSELECT,
            split=split_id,
            organisation=row.organisation_id,
            model=row.model_name,
            submission=row.submission_id,
        )

    async def unasked(self, split_id: UUID, at: datetime) -> list[Selected]:
        """For each organisation the submission that speaks for it when it never asked: its best, else its newest."""
        return await self._session.fetch_all(_UNASKED, split=split_id, at=at, never=list(NEVER_RANKED))

    async def last_made(self, split_id: UUID) -> datetime | None:
        """When the ranking part was last released."""
        return await self._session.fetch_optional(_DONE, split=split_id)

    async def called(self, split_id: UUID, at: datetime) -> list[datetime]:
        """Releases that the owner called for and that are not made yet."""
        return await self._session.fetch_all(_CALLED, split=split_id, at=at)

    async def schedule(self, split_id: UUID, limit: int) -> list[ScheduledRelease]:
        """The newest releases of a split's ranking part, newest first."""
        return await self._session.fetch_all(_SCHEDULE, split=split_id, limit=limit)

    async def calls(self, split_id: UUID, since: datetime) -> int:
        """How often the owner called for a release since a time."""
        return await self._session.fetch_one(_CALLS, split=split_id, since=since)

    async def call(self, split_id: UUID, at: datetime) -> None:
        """Call for a release of the ranking part."""
        await self._session.run(_CALL, split=split_id, at=at)

    async def made(self, split_id: UUID, scheduled: datetime) -> None:
        """Write down that a scheduled release was made."""
        await self._session.run(_MADE, split=split_id, scheduled=scheduled)

    async def regraded(self, benchmark_id: UUID, since: datetime | None, at: datetime) -> bool:
        """Whether stored submissions were regraded between two releases."""
        return await self._session.fetch_one(_REGRADED, benchmark=benchmark_id, since=since, at=at)

    async def rankings_left(self, split_id: UUID, receiver: UUID, since: datetime) -> int | None:
        """Ranking releases that a receiver has left since the beginning of the year; None: it had none yet."""
        return await self._session.fetch_optional(_LEFT, split=split_id, receiver=receiver, since=since)

    async def own_use(self, split: HiddenSplit, organisation_id: UUID, part: Part, year: int) -> int:
        """Decisions or ranking releases of an organisation's own submissions in a year.

        Those that were counted for a group that has ended since, too: nobody gets any by being grouped.
        """
        return await self._session.fetch_one(
            _OWN_USE,
            organisation=organisation_id,
            benchmark=split.benchmark_id,
            split=split.name,
            part=part.value,
            since=datetime(year, 1, 1, tzinfo=UTC),
        )

    async def totals(self, split_id: UUID) -> SplitTotals:
        """What a split has released so far."""
        return await self._session.fetch_one(_TOTALS, split=split_id)

    async def owners_who_take_part(self, benchmark_id: UUID) -> list[str]:
        """Organisations that submitted to a hidden split and own the benchmark, or share a member with its owner."""
        return await self._session.fetch_all(_OWNERS_WHO_TAKE_PART, benchmark=benchmark_id)

    async def learnt(self, receiver: UUID) -> list[LearntOfSplit]:
        """What one receiver was released of hidden splits."""
        return await self._session.fetch_all(_LEARNT, receiver=receiver)
