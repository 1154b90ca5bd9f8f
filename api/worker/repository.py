"""SQL of the jobs."""

import json
from typing import Any
from uuid import UUID

from api.core.db import AsyncSession
from api.core.nul import without_nul
from api.submissions.models import State
from grading import Verdict


class GradingRepository:
    """Items to grade, verdicts, and the end of a submission."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def begin(self, submission_id: UUID) -> Any | None:
        """`queued → grading`; the submission, or None when it is finished or gone."""
        result = await self._session.sql(
            """update submission set state = :grading where id = :id and state in (:queued, :grading)
               returning id, split_id, release_id, organisation_id,
                 (select r.benchmark_id from release r where r.id = release_id) as benchmark_id""",
            {"id": submission_id, "queued": State.QUEUED.value, "grading": State.GRADING.value},
        )
        return result.one_or_none()

    async def benchmark_of(self, problem_id: UUID) -> UUID:
        """Whose problem it is."""
        result = await self._session.sql(
            "select r.benchmark_id from problem p join release r on r.id = p.release_id where p.id = :id",
            {"id": problem_id},
        )
        return UUID(str(result.scalar_one()))

    async def ungraded(self, submission_id: UUID, problems: list[UUID]) -> list[Any]:
        """Items of the chunk that have no verdict yet, and that no session will give one."""
        result = await self._session.sql(
            """select i.problem_id, i.problem_id as id, i.answer, i.data, i.trajectory, i.attempts, p.choices,
                      p.statement, p.variation, p.episode, p.type, p.subject, p.split_id
               from submission_item i join problem p on p.id = i.problem_id
               where i.submission_id = :id and i.problem_id = any(:problems) and i.graded_at is null
                 and not exists (select 1 from live_session l where l.submission_id = i.submission_id
                                 and l.problem_id = i.problem_id and l.state <> 'failed')""",
            {"id": submission_id, "problems": problems},
        )
        return list(result.all())

    async def record(self, submission_id: UUID, verdicts: dict[UUID, Verdict], finishes: dict[UUID, str]) -> int:
        """Write verdicts, each once: an item that has one keeps it. Returns how many were written."""
        rows = list(verdicts.items())
        result = await self._session.sql(
            """update submission_item i set score = u.score, outcome = u.outcome, reason = u.reason, grader = u.grader,
                 grader_version = u.version, reference_digest = u.digest, detail = cast(u.detail as jsonb),
                 finish_reason = u.finish, graded_at = clock_timestamp()
               from unnest(cast(:problems as uuid[]), cast(:scores as double precision[]), cast(:outcomes as text[]),
                           cast(:reasons as text[]), cast(:graders as text[]), cast(:versions as text[]),
                           cast(:digests as text[]), cast(:details as text[]), cast(:finishes as text[]))
                    as u(problem, score, outcome, reason, grader, version, digest, detail, finish)
               where i.submission_id = :id and i.problem_id = u.problem and i.graded_at is null""",
            {
                "id": submission_id,
                "problems": [problem for problem, _ in rows],
                "scores": [v.score for _, v in rows],
                "outcomes": [v.outcome.value for _, v in rows],
                "reasons": [without_nul(v.reason) for _, v in rows],
                "graders": [v.grader for _, v in rows],
                "versions": [v.version for _, v in rows],
                "digests": [v.reference_digest for _, v in rows],
                "details": [json.dumps(without_nul(v.detail)) for _, v in rows],
                "finishes": [finishes.get(problem) for problem, _ in rows],
            },
        )
        return int(result.rowcount)

    async def count_attempt(self, submission_id: UUID, problems: list[UUID]) -> None:
        await self._session.sql(
            """update submission_item set attempts = attempts + 1
               where submission_id = :id and problem_id = any(:problems) and graded_at is null""",
            {"id": submission_id, "problems": problems},
        )

    async def lock(self, submission_id: UUID) -> Any | None:
        """The submission with everything its end needs, locked: chunks that end together settle one by one."""
        result = await self._session.sql(
            """select u.*, s.feedback, s.visibility, s.config, s.name as split, r.scoring, o.name as organisation
               from submission u join split s on s.id = u.split_id join release r on r.id = u.release_id
               join organisation o on o.id = u.organisation_id
               where u.id = :id for update of u""",
            {"id": submission_id},
        )
        return result.one_or_none()

    async def open_items(self, submission_id: UUID) -> int:
        result = await self._session.sql(
            "select count(*) from submission_item where submission_id = :id and graded_at is null",
            {"id": submission_id},
        )
        return int(result.scalar_one())

    async def scored(self, submission_id: UUID, split_id: UUID) -> list[Any]:
        """Every problem of the split with the submission's score for it (None: not answered, or waits)."""
        result = await self._session.sql(
            """select p.subject, p.type, p.sibling_group, i.score, i.outcome, i.usage, p.id,
                      i.finish_reason
               from problem p left join submission_item i on i.problem_id = p.id and i.submission_id = :id
               where p.split_id = :split order by p.position""",
            {"id": submission_id, "split": split_id},
        )
        return list(result.all())

    async def finish(self, submission_id: UUID, state: State, values: dict[str, Any]) -> bool:
        """The one conditional UPDATE that ends a submission."""
        result = await self._session.sql(
            """update submission set state = :state, score = :score, low = :low, high = :high,
                 breakdown = cast(:breakdown as jsonb), usage = cast(:usage as jsonb), graded_at = clock_timestamp()
               where id = :id and state in ('queued', 'grading', 'awaiting_review')""",
            {"id": submission_id, "state": state.value, **values},
        )
        return result.rowcount == 1

    async def await_review(self, submission_id: UUID) -> None:
        """`grading → awaiting_review`."""
        await self._session.sql(
            "update submission set state = 'awaiting_review' where id = :id and state in ('queued', 'grading')",
            {"id": submission_id},
        )

    async def waiting(self, submission_id: UUID) -> list[Any]:
        """Items that no grader could decide."""
        result = await self._session.sql(
            """select p.id, i.problem_id, i.answer, i.reason, p.statement, p.choices, p.variation, r.benchmark_id
               from submission_item i join problem p on p.id = i.problem_id join release r on r.id = p.release_id
               where i.submission_id = :id and i.outcome = 'unscored' order by p.position""",
            {"id": submission_id},
        )
        return list(result.all())

    async def apply_review(self, review_id: UUID) -> UUID | None:
        """Give the item the score people settled on, once; the submission, or None when it was done before."""
        result = await self._session.sql(
            """with done as (
                 update review set applied_at = now() where id = :id and settled_at is not null and applied_at is null
                 returning submission_id, problem_id, score, purpose)
               update submission_item i set score = done.score, graded_at = clock_timestamp(), grader = 'people',
                 grader_version = '1', reason = 'graded by people',
                 outcome = case when done.score >= 1 then 'correct' when done.score <= 0 then 'incorrect'
                                else 'partial' end
               from done where i.submission_id = done.submission_id and i.problem_id = done.problem_id
                 and i.outcome = 'unscored' and done.purpose = 'grade'
               returning i.submission_id""",
            {"id": review_id},
        )
        return result.scalar_one_or_none()

    async def unapplied(self) -> list[UUID]:
        """Settled reviews whose job was lost."""
        result = await self._session.sql(
            """select r.id from review r where r.settled_at < now() - interval '1 minute' and r.applied_at is null
               and not exists (select 1 from procrastinate_jobs j where j.status in ('todo', 'doing')
                               and j.args->>'review' = cast(r.id as text))"""
        )
        return [row.id for row in result.all()]

    async def fail(self, submission_id: UUID, reason: str) -> bool:
        result = await self._session.sql(
            """update submission set state = 'failed', failure = :reason, graded_at = clock_timestamp()
               where id = :id and state in ('queued', 'grading')""",
            {"id": submission_id, "reason": reason},
        )
        return result.rowcount == 1

    async def lost(self, seconds: float) -> list[Any]:
        """Submissions in work for so long without a job of their own: they are queued again."""
        result = await self._session.sql(
            """select u.id from submission u
               where u.state in ('queued', 'grading') and u.finalised_at < now() - make_interval(secs => :seconds)
                 and not exists (select 1 from procrastinate_jobs j where j.status in ('todo', 'doing')
                                 and j.args->>'submission' = cast(u.id as text))
                 and not exists (select 1 from live_session l where l.submission_id = u.id
                                 and l.state in ('opening', 'running', 'ended'))""",
            {"seconds": seconds},
        )
        return [row.id for row in result.all()]
