"""SQL of reviews."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.dialects.postgresql import insert
from sqlmodel import select

from api.core.db import AsyncSession
from api.core.query import Command, Query
from api.reviews.models import Review


@dataclass(frozen=True)
class ClaimedReview:
    """A review that a reviewer holds until `lease_until`, with its sealed sheet."""

    id: UUID
    sheet: bytes
    lease_until: datetime


@dataclass(frozen=True)
class QueueProgress:
    """How many answers wait and are settled, how many called a third vote, and one reviewer's own votes."""

    waiting: int
    settled: int
    disagreements: int
    yours: int
    median_seconds: float | None


@dataclass(frozen=True)
class ReviewableItem:
    """An answer that people may look at, with the public side of its problem and what its grader said."""

    problem_id: UUID
    benchmark_id: UUID
    answer: str | None
    reason: str | None
    statement: str
    choices: list[dict[str, str]]
    variation: dict[str, Any] | None

    @property
    def id(self) -> UUID:
        """The problem's."""
        return self.problem_id


@dataclass(frozen=True)
class JudgedItem(ReviewableItem):
    """An answer that a judge decided; `asked`: people were asked, and their score is `person` once they settled."""

    score: float
    judge: str
    person: float | None
    asked: bool


@dataclass(frozen=True)
class ReviewedPair:
    """What people and a judge (`model`) said of one answer: scores in [0, 1], the judge's credits by criterion."""

    id: UUID
    person: float
    judge: float
    model: str | None
    credits: dict[str, float] | None


@dataclass(frozen=True)
class Ballot:
    """One person's credits by criterion."""

    review_id: UUID
    credits: dict[str, float]


@dataclass(frozen=True)
class AppliedReview:
    """A settled review whose score is on its way to its item."""

    submission_id: UUID
    problem_id: UUID
    score: float
    purpose: str


_CLAIM = Query(
    ClaimedReview,
    "Give a reviewer the oldest answer they may grade and nobody else holds, for half an hour.",
    """with next as (
         select r.id from review r join submission s on s.id = r.submission_id
         where r.benchmark_id = :benchmark and r.settled_at is null
           and (r.lease_until is null or r.lease_until < now() or r.lease_user = :user)
           and not exists (select 1 from review_vote v where v.review_id = r.id and v.user_id = :user)
           and not exists (select 1 from membership m
                           where m.user_id = :user and m.organisation_id = s.organisation_id)
         order by (r.lease_user is not distinct from :user and r.lease_until >= now()) desc, r.created_at, r.id
         limit 1 for update of r skip locked)
       update review r set lease_user = :user, lease_until = now() + interval '30 minutes'
       from next where r.id = next.id
       returning r.id, r.sheet, r.lease_until""",
)
_RELEASE = Command(
    "Give a claimed review back to the queue.",
    "update review set lease_user = null, lease_until = null where id = :id and lease_user = :user",
)
_VOTE = Command(
    "Write a vote down.",
    """insert into review_vote (review_id, user_id, credits, score, comment, seconds, created_at)
       values (:review, :user, cast(:credits as jsonb), :score, :comment, :seconds, now())""",
)
_SCORES = Query(
    float,
    "The scores of a review's votes, in the order in which they were given.",
    "select score from review_vote where review_id = :id order by created_at",
)
_WANT_THIRD = Command(
    "Ask a third person.",
    "update review set votes_needed = 3, lease_user = null, lease_until = null where id = :id",
)
_CLOSE = Command(
    "End a review; its sheet is not needed any more.",
    """update review set settled_at = now(), score = :score, sheet = null, lease_user = null, lease_until = null
       where id = :id and settled_at is null""",
)
_PROGRESS = Query(
    QueueProgress,
    "How far a benchmark's queue is.",
    """select count(*) filter (where r.settled_at is null) as waiting,
              count(*) filter (where r.settled_at is not null) as settled,
              count(*) filter (where r.votes_needed > 2) as disagreements,
              (select count(*) from review_vote v join review x on x.id = v.review_id
                where x.benchmark_id = :benchmark and v.user_id = :user) as yours,
              (select percentile_cont(0.5) within group (order by v.seconds) from review_vote v
                join review x on x.id = v.review_id where x.benchmark_id = :benchmark) as median_seconds
       from review r where r.benchmark_id = :benchmark""",
)
_CALIBRATED = Query(
    UUID,
    "The submission of a settled calibration review.",
    "select submission_id from review where id = :id and purpose = 'calibrate' and settled_at is not null",
)
_APPLY = Query(
    AppliedReview,
    "Take a settled review's score to its item, once.",
    """update review set applied_at = now() where id = :id and settled_at is not null and applied_at is null
       returning submission_id, problem_id, score, purpose""",
)
_UNAPPLIED = Query(
    UUID,
    "Settled reviews whose job was lost.",
    """select r.id from review r where r.settled_at < now() - interval '1 minute' and r.applied_at is null
       and not exists (select 1 from procrastinate_jobs j where j.status in ('todo', 'doing')
                       and j.args->>'review' = cast(r.id as text))""",
)
_UNSCORED = Query(
    ReviewableItem,
    "Items of a submission that no grader could decide.",
    """select i.problem_id, i.answer, i.reason, p.statement, p.choices, p.variation, r.benchmark_id
       from submission_item i join problem p on p.id = i.problem_id join release r on r.id = p.release_id
       where i.submission_id = :id and i.outcome = 'unscored' order by p.position""",
)
_JUDGED = Query(
    JudgedItem,
    "Items of a submission that a judge decided, with people's score where they looked.",
    """select i.problem_id, i.answer, i.reason, p.statement, p.choices, p.variation, r.benchmark_id,
              i.score, i.detail->>'judge' as judge, v.score as person, v.id is not null as asked
       from submission_item i join problem p on p.id = i.problem_id join release r on r.id = p.release_id
       left join review v on v.submission_id = i.submission_id and v.problem_id = i.problem_id
         and v.purpose = 'calibrate'
       where i.submission_id = :id and i.grader <> 'people' and i.outcome <> 'unscored'
         and i.detail->>'judge' is not null order by p.position""",
)
_PAIRS = Query(
    ReviewedPair,
    "What people and a judge said of the same answers, in the order in which people settled.",
    """select v.id, v.score as person, i.score as judge, i.detail->>'judge' as model, i.detail->'credits' as credits
       from review v join submission_item i on i.submission_id = v.submission_id and i.problem_id = v.problem_id
       where v.benchmark_id = :benchmark and v.purpose = 'calibrate' and v.settled_at is not null
         and i.grader <> 'people' and i.score is not null
         and (cardinality(cast(:judges as text[])) = 0 or i.detail->>'judge' = any(:judges))
         and v.submission_id is distinct from cast(:but as uuid)
       order by v.settled_at, v.id""",
)
_BALLOTS = Query(
    Ballot,
    "Everybody's credits of settled calibration reviews.",
    """select x.review_id, x.credits from review_vote x join review v on v.id = x.review_id
       where v.benchmark_id = :benchmark and v.purpose = 'calibrate' and v.settled_at is not null
       order by x.created_at""",
)
_UNCALIBRATED = Query(
    int,
    "How many answers wait for people for the judge's sake.",
    "select count(*) from review where benchmark_id = :benchmark and purpose = 'calibrate' and settled_at is null",
)
_MAY_REVIEW = Query(
    bool,
    "Whether a user reviews a benchmark: by name, or as a member of the organisation that owns it.",
    """select exists (select 1 from reviewer where benchmark_id = :benchmark and user_id = :user)
           or exists (select 1 from benchmark b join membership m on m.organisation_id = b.organisation_id
                      where b.id = :benchmark and m.user_id = :user)""",
)


class ReviewRepository:
    """The queue and its votes."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def add(self, row: Review) -> None:
        """Queue an answer for people; one that is queued stays."""
        statement = insert(Review).values(row.model_dump())
        unique = ["submission_id", "problem_id", "purpose"]
        await self._session.exec(statement.on_conflict_do_nothing(index_elements=unique))

    async def claim(self, benchmark_id: UUID, user_id: UUID) -> ClaimedReview | None:
        """The oldest answer this reviewer may grade and nobody else holds; theirs for half an hour."""
        return await self._session.fetch_optional(_CLAIM, benchmark=benchmark_id, user=user_id)

    async def locked(self, review_id: UUID) -> Review | None:
        """A review, locked until the end of the transaction."""
        return (await self._session.exec(select(Review).where(Review.id == review_id).with_for_update())).one_or_none()

    async def release(self, review_id: UUID, user_id: UUID) -> None:
        """Give a claimed review back to the queue."""
        await self._session.run(_RELEASE, id=review_id, user=user_id)

    async def vote(
        self, review_id: UUID, user_id: UUID, credits: dict[str, float], score: float, comment: str, seconds: float
    ) -> None:
        """Write a vote down: credits by criterion, the score in [0, 1] they make, and the seconds it took."""
        await self._session.run(
            _VOTE,
            review=review_id,
            user=user_id,
            credits=json.dumps(credits),
            score=score,
            comment=comment,
            seconds=seconds,
        )

    async def scores(self, review_id: UUID) -> list[float]:
        """The scores of the votes, in the order in which they were given."""
        return await self._session.fetch_all(_SCORES, id=review_id)

    async def want_third(self, review_id: UUID) -> None:
        """Ask a third person."""
        await self._session.run(_WANT_THIRD, id=review_id)

    async def close(self, review_id: UUID, score: float) -> None:
        """End a review; its sheet is not needed any more."""
        await self._session.run(_CLOSE, id=review_id, score=score)

    async def progress(self, benchmark_id: UUID, user_id: UUID) -> QueueProgress:
        """How far a benchmark's queue is, and a reviewer's own votes."""
        return await self._session.fetch_one(_PROGRESS, benchmark=benchmark_id, user=user_id)

    async def calibrated(self, review_id: UUID) -> UUID | None:
        """The submission of a settled calibration review."""
        return await self._session.fetch_optional(_CALIBRATED, id=review_id)

    async def apply(self, review_id: UUID) -> AppliedReview | None:
        """Take a settled review's score to its item; None when it was done before."""
        return await self._session.fetch_optional(_APPLY, id=review_id)

    async def unapplied(self) -> list[UUID]:
        """Settled reviews whose job was lost."""
        return await self._session.fetch_all(_UNAPPLIED)

    async def unscored(self, submission_id: UUID) -> list[ReviewableItem]:
        """Items of a submission that no grader could decide."""
        return await self._session.fetch_all(_UNSCORED, id=submission_id)

    async def judged(self, submission_id: UUID) -> list[JudgedItem]:
        """Items of a submission that a judge decided, with people's score where they looked."""
        return await self._session.fetch_all(_JUDGED, id=submission_id)

    async def pairs(self, benchmark_id: UUID, judges: Sequence[str], but: UUID | None = None) -> list[ReviewedPair]:
        """What people and these judges (none: any) said of the same answers, but of one submission's, as settled."""
        return await self._session.fetch_all(_PAIRS, benchmark=benchmark_id, judges=list(judges), but=but)

    async def ballots(self, benchmark_id: UUID) -> list[Ballot]:
        """Everybody's credits of settled calibration reviews."""
        return await self._session.fetch_all(_BALLOTS, benchmark=benchmark_id)

    async def uncalibrated(self, benchmark_id: UUID) -> int:
        """Answers that wait for people for the judge's sake."""
        return await self._session.fetch_one(_UNCALIBRATED, benchmark=benchmark_id)

    async def may_review(self, benchmark_id: UUID, user_id: UUID) -> bool:
        """Reviewers by name, and members of the organisation that owns the benchmark."""
        return await self._session.fetch_one(_MAY_REVIEW, benchmark=benchmark_id, user=user_id)
