"""SQL of reviews."""

import json
from typing import Any
from uuid import UUID

from sqlmodel import select

from api.core.db import AsyncSession
from api.reviews.models import Review

_CLAIM = """
with next as (
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
returning r.id, r.sheet, r.lease_until
"""


class ReviewRepository:
    """The queue and its votes."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def add(self, row: dict[str, Any]) -> None:
        """Queue an answer for people; one that is queued stays."""
        await self._session.sql(
            """insert into review (id, submission_id, problem_id, benchmark_id, purpose, sheet, wanted, created_at)
               values (:id, :submission, :problem, :benchmark, :purpose, :sheet, 2, now())
               on conflict (submission_id, problem_id, purpose) do nothing""",
            row,
        )

    async def claim(self, benchmark_id: UUID, user_id: UUID) -> Any | None:
        """The oldest answer this reviewer may grade and nobody else holds; theirs for half an hour."""
        result = await self._session.sql(_CLAIM, {"benchmark": benchmark_id, "user": user_id})
        return result.one_or_none()

    async def locked(self, review_id: UUID) -> Review | None:
        return (await self._session.exec(select(Review).where(Review.id == review_id).with_for_update())).one_or_none()

    async def release(self, review_id: UUID, user_id: UUID) -> None:
        await self._session.sql(
            "update review set lease_user = null, lease_until = null where id = :id and lease_user = :user",
            {"id": review_id, "user": user_id},
        )

    async def vote(self, values: dict[str, Any]) -> None:
        await self._session.sql(
            """insert into review_vote (review_id, user_id, credits, score, comment, seconds, created_at)
               values (:review, :user, cast(:credits as jsonb), :score, :comment, :seconds, now())""",
            values | {"credits": json.dumps(values["credits"])},
        )

    async def scores(self, review_id: UUID) -> list[float]:
        result = await self._session.sql(
            "select score from review_vote where review_id = :id order by created_at", {"id": review_id}
        )
        return [float(row.score) for row in result.all()]

    async def want_third(self, review_id: UUID) -> None:
        await self._session.sql(
            "update review set wanted = 3, lease_user = null, lease_until = null where id = :id", {"id": review_id}
        )

    async def settle(self, review_id: UUID, score: float) -> None:
        """End a review; its sheet is not needed any more."""
        await self._session.sql(
            """update review set settled_at = now(), score = :score, sheet = null, lease_user = null, lease_until = null
               where id = :id and settled_at is null""",
            {"id": review_id, "score": score},
        )

    async def state(self, benchmark_id: UUID, user_id: UUID) -> Any:
        result = await self._session.sql(
            """select count(*) filter (where r.settled_at is null) as waiting,
                      count(*) filter (where r.settled_at is not null) as settled,
                      count(*) filter (where r.wanted > 2) as disagreements,
                      (select count(*) from review_vote v join review x on x.id = v.review_id
                        where x.benchmark_id = :benchmark and v.user_id = :user) as yours,
                      (select percentile_cont(0.5) within group (order by v.seconds) from review_vote v
                        join review x on x.id = v.review_id where x.benchmark_id = :benchmark) as median_seconds
               from review r where r.benchmark_id = :benchmark""",
            {"benchmark": benchmark_id, "user": user_id},
        )
        return result.one()

    async def calibrated(self, review_id: UUID) -> UUID | None:
        """The submission of a settled calibration review."""
        result = await self._session.sql(
            "select submission_id from review where id = :id and purpose = 'calibrate' and settled_at is not null",
            {"id": review_id},
        )
        return result.scalar_one_or_none()

    async def judged(self, submission_id: UUID) -> list[Any]:
        """Items of a submission that a judge decided, with people's score where they looked."""
        result = await self._session.sql(
            """select p.id, i.problem_id, i.answer, i.reason, p.statement, p.choices, p.variation, r.benchmark_id,
                      i.score, i.detail->>'judge' as judge, v.score as person, v.id is not null as asked
               from submission_item i join problem p on p.id = i.problem_id join release r on r.id = p.release_id
               left join review v on v.submission_id = i.submission_id and v.problem_id = i.problem_id
                 and v.purpose = 'calibrate'
               where i.submission_id = :id and i.grader <> 'people' and i.outcome <> 'unscored'
                 and i.detail->>'judge' is not null order by p.position""",
            {"id": submission_id},
        )
        return list(result.all())

    async def pairs(self, benchmark_id: UUID, judges: list[str], but: UUID | None = None) -> list[Any]:
        """What people and a judge said of the same answers, in the order in which people settled."""
        result = await self._session.sql(
            """select v.id, v.score as person, i.score as judge, i.detail->>'judge' as model,
                      i.detail->'credits' as credits
               from review v join submission_item i
                 on i.submission_id = v.submission_id and i.problem_id = v.problem_id
               where v.benchmark_id = :benchmark and v.purpose = 'calibrate' and v.settled_at is not null
                 and i.grader <> 'people' and i.score is not null
                 and (cardinality(cast(:judges as text[])) = 0 or i.detail->>'judge' = any(:judges))
                 and v.submission_id is distinct from cast(:but as uuid)
               order by v.settled_at, v.id""",
            {"benchmark": benchmark_id, "judges": judges, "but": but},
        )
        return list(result.all())

    async def ballots(self, benchmark_id: UUID) -> list[Any]:
        """Everybody's credits of settled calibration reviews."""
        result = await self._session.sql(
            """select x.review_id, x.credits from review_vote x join review v on v.id = x.review_id
               where v.benchmark_id = :benchmark and v.purpose = 'calibrate' and v.settled_at is not null
               order by x.created_at""",
            {"benchmark": benchmark_id},
        )
        return list(result.all())

    async def uncalibrated(self, benchmark_id: UUID) -> int:
        """Answers that wait for people for the judge's sake."""
        result = await self._session.sql(
            """select count(*) from review
               where benchmark_id = :benchmark and purpose = 'calibrate' and settled_at is null""",
            {"benchmark": benchmark_id},
        )
        return int(result.scalar_one())

    async def may_review(self, benchmark_id: UUID, user_id: UUID) -> bool:
        """Reviewers by name, and members of the organisation that owns the benchmark."""
        result = await self._session.sql(
            """select exists (select 1 from reviewer where benchmark_id = :benchmark and user_id = :user)
                   or exists (select 1 from benchmark b join membership m on m.organisation_id = b.organisation_id
                              where b.id = :benchmark and m.user_id = :user)""",
            {"benchmark": benchmark_id, "user": user_id},
        )
        return bool(result.scalar_one())
