"""SQL of reviews."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from pydantic import TypeAdapter
from sqlalchemy.dialects.postgresql import insert

from api.core.db import AsyncSession
from api.core.query import Command, Query
from api.reviews.models import CalibrationReportRow, Review
from api.reviews.records import (
    AppliedReview,
    Ballot,
    CalibratedReview,
    ClaimedReview,
    CountedVote,
    JudgedItem,
    OpenReview,
    QueueProgress,
    ReviewableItem,
    ReviewedPair,
    VotedReview,
)
from api.reviews.votes import GivenVote, StoredVote, open_score, seal_score, seal_vote
from api.submissions import answers
from api.submissions.answers import StoredAnswer
from api.submissions.verdicts import COLUMNS, PEOPLE, SEALED, StoredVerdict
from grading import Outcome, Verdict

_CREDITS = TypeAdapter(dict[str, float] | None)


@dataclass(frozen=True)
class _AppliedRow:
    submission_id: UUID
    problem_id: UUID
    score: bytes
    purpose: str


@dataclass(frozen=True)
class _ItemRow(StoredVerdict, StoredAnswer):
    problem_id: UUID
    benchmark_id: UUID
    statement: str
    choices: list[dict[str, str]]
    images: list[dict[str, str]]
    variation: dict[str, Any] | None
    review_id: UUID | None
    person: bytes | None


@dataclass(frozen=True)
class _PairRow(StoredVerdict):
    id: UUID
    submission_id: UUID
    problem_id: UUID
    problem: str
    person: bytes


# Those that a reviewer is or was in, as far as is known, and those that an operator grouped with one of them.
_OURS = """select shared from membership m cross join lateral sharing_limits(m.organisation_id) shared
                where m.user_id = :user
                union select k.organisation_id from api_key k where k.user_id = :user"""
_NOT_OURS = f"s.user_id <> :user and s.organisation_id not in ({_OURS})"
_TAKES_PART = Query(
    bool,
    "Whether a user submitted to a hidden split of a benchmark, or an organisation of theirs did that does not own it.",
    f"""select exists (
          select from submission s join split p on p.id = s.split_id and p.visibility <> 'dev'
          join release r on r.id = s.release_id join benchmark b on b.id = r.benchmark_id
          where b.id = :benchmark and s.organisation_id <> b.organisation_id
            and (s.user_id = :user or s.organisation_id in ({_OURS})))""",  # noqa: S608 - constants
)
_LOCK_TAKING_PART = Query(
    object,
    "Let nobody begin to take part in a benchmark's hidden splits until the end of the transaction.",
    "select cast(pg_advisory_xact_lock(hashtextextended('taking part:' || cast(:benchmark as text), 0)) as text)",
)
_CLAIM = Query(
    ClaimedReview,
    "Give a reviewer the oldest answer they may grade and nobody else holds, for half an hour; what they are shown of a"
    " hidden split is written down.",
    f"""with next as (
         select r.id, p.visibility <> 'dev' as is_hidden
         from review r join submission s on s.id = r.submission_id join split p on p.id = s.split_id
         where r.benchmark_id = :benchmark and r.settled_at is null
           and (cast(:hidden as boolean) or p.visibility = 'dev')
           and (r.lease_until is null or r.lease_until < now() or r.lease_user = :user)
           and not exists (select 1 from review_vote v where v.review_id = r.id and v.user_id = :user)
           and (select count(*) from review_vote v where v.review_id = r.id) < r.votes_needed
           and {_NOT_OURS}
         order by (r.lease_user is not distinct from :user and r.lease_until >= now()) desc, r.created_at, r.id
         limit 1 for update of r skip locked),
       shown as (
         insert into review_shown (review_id, user_id, benchmark_id, shown_at)
         select id, :user, :benchmark, now() from next where is_hidden on conflict do nothing)
       update review r set lease_user = :user, lease_until = now() + interval '30 minutes'
       from next where r.id = next.id
       returning r.id, r.sheet, r.lease_until, r.purpose, r.votes_needed""",  # noqa: S608 - constants
)
_HOLDS = "lease_user = :user and lease_until > now() and settled_at is null"
_HELD = Query(
    ClaimedReview,
    "The answer of a benchmark that a reviewer holds.",
    f"""select id, sheet, lease_until, purpose, votes_needed from review
        where benchmark_id = :benchmark and {_HOLDS} order by lease_until desc limit 1""",  # noqa: S608 - a constant
)
_HELD_SHEET = Query(
    bytes,
    "The sheet of a review that a reviewer holds.",
    f"select sheet from review where id = :id and {_HOLDS}",  # noqa: S608 - a constant
)
_RELEASE = Command(
    "Give a claimed review back to the queue.",
    "update review set lease_user = null, lease_until = null where id = :id and lease_user = :user",
)
_LOCKED = Query(
    OpenReview,
    "A review, locked until the end of the transaction; people's scores are not among what is read.",
    "select id, benchmark_id, sheet, lease_user, settled_at from review where id = :id for update",
)
_VOTE = Query(
    CountedVote,
    "Write a sealed vote of whoever holds the review down, who then holds it no longer.",
    "select votes, votes_needed from cast_vote(:review, :user, :sealed, :seconds)",
)
_PUBLIC = Query(bytes, "The public key under which votes are sealed.", "select public from intake_key")
_VOTED = Query(
    VotedReview,
    "A review that is not settled, locked until the end of the transaction.",
    "select id, benchmark_id, votes_needed from review where id = :id and settled_at is null for update",
)
_VOTES = Query(
    StoredVote,
    "The votes of a review.",
    "select review_id, user_id, sealed from review_vote where review_id = :id order by created_at",
)
_SETTLE = Command(
    "Settle a review on a score; its sheet is not needed any more.",
    """update review set score = :score, settled_at = now(), sheet = null, lease_user = null, lease_until = null
       where id = :id and settled_at is null""",
)
_CALL_ANOTHER = Command("Have so many reviewers.", "update review set votes_needed = :votes where id = :id")
_PROGRESS = Query(
    QueueProgress,
    "How far a benchmark's queue is, as far as it is a reviewer's: how many answers of an organisation wait for people"
    " hangs on what they are, and is nothing to that organisation.",
    f"""with mine as (
          select r.id, r.settled_at, r.votes_needed, r.purpose,
                 r.lease_until is null or r.lease_until < now() or r.lease_user = :user as is_free
          from review r join submission s on s.id = r.submission_id join split p on p.id = s.split_id
          where r.benchmark_id = :benchmark and (cast(:hidden as boolean) or p.visibility = 'dev') and {_NOT_OURS}),
        votes as (select v.user_id, v.seconds from review_vote v join mine on mine.id = v.review_id)
        select count(*) filter (where settled_at is null) as waiting,
               count(*) filter (where settled_at is null and purpose = 'calibrate') as calibration,
               count(*) filter (where settled_at is null and is_free
                 and not exists (select 1 from review_vote v where v.review_id = mine.id and v.user_id = :user)
                 and (select count(*) from review_vote v where v.review_id = mine.id) < votes_needed) as for_you,
               count(*) filter (where settled_at is not null) as settled,
               count(*) filter (where votes_needed > 2) as disagreements,
               (select count(*) from votes where user_id = :user) as yours,
               (select percentile_cont(0.5) within group (order by seconds) from votes) as median_seconds
        from mine""",  # noqa: S608 - constants
)
_CALIBRATED = Query(
    CalibratedReview,
    "A settled calibration review.",
    """select submission_id, benchmark_id from review
       where id = :id and purpose = 'calibrate' and settled_at is not null""",
)
_LOCK_REPORT = Query(
    object,
    "Take the lock of a benchmark's report on its judges, until the end of the transaction.",
    "select cast(pg_advisory_xact_lock(hashtextextended('judges:' || cast(:benchmark as text), 0)) as text)",
)
_REPORT = Query(
    bytes,
    "The sealed report on a benchmark's judges.",
    "select sealed from calibration_report where benchmark_id = :id",
)
_APPLY = Query(
    _AppliedRow,
    "Take a settled review's score to its item, once.",
    """update review set applied_at = now() where id = :id and settled_at is not null and applied_at is null
       returning submission_id, problem_id, score, purpose""",
)
_UNAPPLIED = Query(
    UUID,
    "Reviews that have all votes, or are settled, and whose job was lost.",
    """select r.id from review r
       where r.applied_at is null and (r.settled_at < now() - interval '1 minute' or (
         r.settled_at is null and r.votes_needed <= (
           select count(*) from review_vote v
           where v.review_id = r.id and v.created_at < now() - interval '1 minute')))
       and not exists (select 1 from procrastinate_jobs j where j.status in ('todo', 'doing')
                       and j.args->>'review' = cast(r.id as text))""",
)
_ITEMS = Query(
    _ItemRow,
    "Graded items of a submission, all or those a judge may have decided, with people's score where they looked.",
    f"""select i.problem_id, {answers.COLUMNS}, p.statement, p.choices, p.images, p.variation, r.benchmark_id,
               v.id as review_id, v.score as person, {COLUMNS}
        from submission_item i join problem p on p.id = i.problem_id join release r on r.id = p.release_id {SEALED}
        left join review v on v.submission_id = i.submission_id and v.problem_id = i.problem_id
          and v.purpose = 'calibrate'
        where i.submission_id = :id and i.graded_at is not null
          and (not cast(:judged as boolean) or coalesce(p.lane, 'judges') = 'judges')
        order by p.position""",  # noqa: S608 - constants
)
_PAIRS = Query(
    _PairRow,
    "Answers that people and a grader decided, in the order in which people settled.",
    f"""select v.id, v.submission_id, v.problem_id, q.name as problem, v.score as person, {COLUMNS}
        from review v join problem q on q.id = v.problem_id
        join submission_item i on i.submission_id = v.submission_id and i.problem_id = v.problem_id
        {SEALED}
        where v.benchmark_id = :benchmark and v.purpose = 'calibrate' and v.settled_at is not null
          and v.submission_id is distinct from cast(:but as uuid)
        order by v.settled_at, v.id""",  # noqa: S608 - constants
)
_BALLOTS = Query(
    StoredVote,
    "Everybody's votes of settled calibration reviews.",
    """select x.review_id, x.user_id, x.sealed from review_vote x join review v on v.id = x.review_id
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

    async def takes_part(self, benchmark_id: UUID, user_id: UUID, *, lock: bool = False) -> bool:
        """Whether a user, or another organisation of theirs than the owner, submitted to a hidden split.

        `lock`: nobody begins to until the transaction ends.
        """
        if lock:
            await self._session.fetch_one(_LOCK_TAKING_PART, benchmark=benchmark_id)
        return await self._session.fetch_one(_TAKES_PART, benchmark=benchmark_id, user=user_id)

    async def claim(self, benchmark_id: UUID, user_id: UUID, *, hidden: bool) -> ClaimedReview | None:
        """The oldest answer this reviewer may grade and nobody else holds; theirs for half an hour.

        `hidden`: answers to hidden splits, too.
        """
        return await self._session.fetch_optional(_CLAIM, benchmark=benchmark_id, user=user_id, hidden=hidden)

    async def leased(self, benchmark_id: UUID, user_id: UUID) -> ClaimedReview | None:
        """What a reviewer holds of a benchmark's queue."""
        return await self._session.fetch_optional(_HELD, benchmark=benchmark_id, user=user_id)

    async def leased_sheet(self, review_id: UUID, user_id: UUID) -> bytes | None:
        """The sealed sheet of a review, if the reviewer holds it."""
        return await self._session.fetch_optional(_HELD_SHEET, id=review_id, user=user_id)

    async def locked(self, review_id: UUID) -> OpenReview | None:
        """A review, locked until the end of the transaction."""
        return await self._session.fetch_optional(_LOCKED, id=review_id)

    async def release(self, review_id: UUID, user_id: UUID) -> None:
        """Give a claimed review back to the queue."""
        await self._session.run(_RELEASE, id=review_id, user=user_id)

    async def vote(self, review_id: UUID, user_id: UUID, vote: GivenVote, seconds: float) -> CountedVote:
        """Write a vote of whoever holds the review down, sealed for the worker."""
        sealed = seal_vote(await self._session.fetch_one(_PUBLIC), review_id, user_id, vote)
        return await self._session.fetch_one(_VOTE, review=review_id, user=user_id, sealed=sealed, seconds=seconds)

    async def voted(self, review_id: UUID) -> VotedReview | None:
        """A review that is not settled, locked until the end of the transaction."""
        return await self._session.fetch_optional(_VOTED, id=review_id)

    async def votes(self, review_id: UUID) -> dict[UUID, GivenVote]:
        """What was said in a review, by who said it."""
        rows = await self._session.fetch_all(_VOTES, id=review_id)
        return {row.user_id: row.opened(self._session.verdict_key) for row in rows}

    async def decide(self, review_id: UUID, score: float) -> None:
        """Settle a review on a score in [0, 1]."""
        await self._session.run(_SETTLE, id=review_id, score=seal_score(self._session.verdict_key, review_id, score))

    async def call_another(self, review_id: UUID, votes: int) -> None:
        """Have so many reviewers in all."""
        await self._session.run(_CALL_ANOTHER, id=review_id, votes=votes)

    async def progress(self, benchmark_id: UUID, user_id: UUID, *, hidden: bool) -> QueueProgress:
        """How far a reviewer's part of a benchmark's queue is, and their own votes."""
        return await self._session.fetch_one(_PROGRESS, benchmark=benchmark_id, user=user_id, hidden=hidden)

    async def calibrated(self, review_id: UUID) -> CalibratedReview | None:
        """A settled calibration review."""
        return await self._session.fetch_optional(_CALIBRATED, id=review_id)

    async def apply(self, review_id: UUID) -> AppliedReview | None:
        """Take a settled review's score to its item; None when it was done before."""
        row = await self._session.fetch_optional(_APPLY, id=review_id)
        if row is None:
            return None
        score = open_score(self._session.verdict_key, review_id, row.score)
        return AppliedReview(row.submission_id, row.problem_id, score, row.purpose)

    async def unapplied(self) -> list[UUID]:
        """Reviews whose job, which settles them or takes the score to the item, was lost."""
        return await self._session.fetch_all(_UNAPPLIED)

    async def unscored(self, submission_id: UUID) -> list[ReviewableItem]:
        """Items of a submission that no grader could decide."""
        found = []
        for row in await self._session.fetch_all(_ITEMS, id=submission_id, judged=False):
            verdict = row.opened(self._session.verdict_key, submission_id, row.problem_id)
            if verdict and verdict.outcome is Outcome.UNSCORED:
                found.append(ReviewableItem(reason=verdict.reason, **self._shown(submission_id, row)))
        return found

    async def judged(self, submission_id: UUID) -> list[JudgedItem]:
        """Items of a submission that a judge decided, with people's score where they looked."""
        found = []
        for row in await self._session.fetch_all(_ITEMS, id=submission_id, judged=True):
            verdict = row.opened(self._session.verdict_key, submission_id, row.problem_id)
            judge = _judge_of(verdict)
            if verdict and verdict.score is not None and judge:
                judged = JudgedItem(
                    score=verdict.score,
                    judge=judge,
                    person=self._person(row.review_id, row.person),
                    asked=row.review_id is not None,
                    reason=verdict.reason,
                    **self._shown(submission_id, row),
                )
                found.append(judged)
        return found

    def _shown(self, submission_id: UUID, row: _ItemRow) -> dict[str, Any]:
        names = ("problem_id", "benchmark_id", "statement", "choices", "images", "variation")
        given = row.given(self._session.verdict_key, submission_id, row.problem_id)
        return {name: getattr(row, name) for name in names} | {"answer": given.answer}

    def _person(self, review_id: UUID | None, sealed: bytes | None) -> float | None:
        if review_id is None or sealed is None:
            return None
        return open_score(self._session.verdict_key, review_id, sealed)

    async def pairs(self, benchmark_id: UUID, judges: Sequence[str], but: UUID | None = None) -> list[ReviewedPair]:
        """What people and these judges (none: any) said of the same answers, but of one submission's, as settled."""
        found = []
        for row in await self._session.fetch_all(_PAIRS, benchmark=benchmark_id, but=but):
            verdict = row.opened(self._session.verdict_key, row.submission_id, row.problem_id)
            judge = _judge_of(verdict)
            if not verdict or verdict.score is None or verdict.grader == PEOPLE or (judges and judge not in judges):
                continue
            credits = _CREDITS.validate_python(verdict.detail.get("credits"))
            person = open_score(self._session.verdict_key, row.id, row.person)
            found.append(ReviewedPair(row.id, row.problem_id, row.problem, person, verdict.score, judge, credits))
        return found

    async def ballots(self, benchmark_id: UUID) -> list[Ballot]:
        """Everybody's credits of settled calibration reviews."""
        rows = await self._session.fetch_all(_BALLOTS, benchmark=benchmark_id)
        return [Ballot(row.review_id, row.opened(self._session.verdict_key).credits) for row in rows]

    async def uncalibrated(self, benchmark_id: UUID) -> int:
        """Answers that wait for people for the judge's sake."""
        return await self._session.fetch_one(_UNCALIBRATED, benchmark=benchmark_id)

    async def lock_report(self, benchmark_id: UUID) -> None:
        """One at a time writes a benchmark's report, so that the last one has seen every review."""
        await self._session.fetch_one(_LOCK_REPORT, benchmark=benchmark_id)

    async def report(self, benchmark_id: UUID) -> bytes | None:
        """The sealed report on a benchmark's judges; None: there is none yet."""
        return await self._session.fetch_optional(_REPORT, id=benchmark_id)

    async def keep_report(self, benchmark_id: UUID, sealed: bytes) -> None:
        """Put a report in the place of the one before."""
        statement = insert(CalibrationReportRow).values(benchmark_id=benchmark_id, sealed=sealed)
        changed = {"sealed": statement.excluded.sealed}
        await self._session.exec(statement.on_conflict_do_update(index_elements=["benchmark_id"], set_=changed))

    async def may_review(self, benchmark_id: UUID, user_id: UUID) -> bool:
        """Reviewers by name, and members of the organisation that owns the benchmark."""
        return await self._session.fetch_one(_MAY_REVIEW, benchmark=benchmark_id, user=user_id)


def _judge_of(verdict: Verdict | None) -> str | None:
    """The judge that decided an answer; None where a program or people did."""
    judge = verdict.detail.get("judge") if verdict and verdict.grader != PEOPLE else None
    return str(judge) if judge is not None else None
