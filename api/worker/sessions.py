"""SQL of the jobs that end episodes."""

from typing import Any
from uuid import UUID

from api.core.db import AsyncSession
from api.core.nul import without_nul
from grading import Verdict

_NO_JOB = """not exists (select 1 from procrastinate_jobs j where j.status in ('todo', 'doing')
                         and j.args->>'session' = cast(l.id as text))"""


class SessionJobsRepository:
    """Episodes to end, to judge, to expire."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def owner(self, submission_id: UUID) -> Any:
        """In whose name a submission was made."""
        result = await self._session.sql(
            "select organisation_id, key_id from submission where id = :id", {"id": submission_id}
        )
        return result.one()

    async def one(self, session_id: UUID) -> Any | None:
        """A session with what its end needs: the posted trajectory and answer, the problem's public side."""
        result = await self._session.sql(
            """select l.*, l.deadline < clock_timestamp() as expired, i.trajectory, i.answer as posted, i.data,
                      p.statement, p.choices, p.variation,
                      (select s.finish from session_step s where s.session_id = l.id and s.number = l.steps) as last
               from live_session l join problem p on p.id = l.problem_id
               left join submission_item i on i.submission_id = l.submission_id and i.problem_id = l.problem_id
               where l.id = :id""",
            {"id": session_id},
        )
        return result.one_or_none()

    async def judged(self, session_id: UUID, verdict: Verdict) -> bool:
        """`ended → graded`, once."""
        result = await self._session.sql(
            """update live_session set state = 'graded', score = :score, outcome = :outcome, reason = :reason,
                 grader = :grader, graded_at = clock_timestamp() where id = :id and state = 'ended'""",
            {
                "id": session_id,
                "score": verdict.score,
                "outcome": verdict.outcome.value,
                "reason": without_nul(verdict.reason),
                "grader": verdict.grader,
            },
        )
        return result.rowcount == 1

    async def give_up(self, session_id: UUID) -> None:
        """End an episode that could not be played by a fault of ours."""
        await self._session.sql(
            """update live_session set state = 'ended', finish_reason = 'infrastructure_error', holder = null,
                 epoch = epoch + 1, ended_at = clock_timestamp() where id = :id and state in ('opening', 'running')""",
            {"id": session_id},
        )

    async def count_fault(self, session_id: UUID) -> int:
        result = await self._session.sql(
            "update live_session set faults = faults + 1 where id = :id returning faults", {"id": session_id}
        )
        return int(result.scalar_one_or_none() or 0)

    async def idle(self, seconds: float) -> list[UUID]:
        """Running episodes that nobody has stepped for so long."""
        result = await self._session.sql(
            """select id from live_session where origin = 'live' and state = 'running'
                 and not exists (select 1 from session_step s where s.session_id = live_session.id
                                 and s.number = live_session.steps and s.finish is not null)
                 and active_at < clock_timestamp() - make_interval(secs => :seconds)""",
            {"seconds": seconds},
        )
        return [row.id for row in result.all()]

    async def stuck_openings(self, seconds: float) -> list[Any]:
        """Openings that nobody waits for any more: their caller died."""
        result = await self._session.sql(
            """select id, key_id, split_id, submission_id, problem_id, created_at from live_session
               where origin = 'live' and state = 'opening'
                 and active_at < clock_timestamp() - make_interval(secs => :seconds)""",
            {"seconds": seconds},
        )
        return list(result.all())

    async def without_job(self, seconds: float) -> list[UUID]:
        """Episodes that are over (by the clock, by their last step, or ended) and that no job looks after."""
        result = await self._session.sql(
            f"""select l.id from live_session l where {_NO_JOB} and (
                  (l.state = 'ended' and l.ended_at < clock_timestamp() - make_interval(secs => :seconds))
                  or (l.state = 'running' and l.deadline < clock_timestamp())
                  or (l.origin = 'posted' and l.state in ('opening', 'running')
                      and l.created_at < clock_timestamp() - make_interval(secs => :seconds))
                  or (l.state = 'running' and l.active_at < clock_timestamp() - make_interval(secs => :seconds)
                      and exists (select 1 from session_step s where s.session_id = l.id and s.number = l.steps
                                  and s.finish is not null)))""",  # noqa: S608 - a constant
            {"seconds": seconds},
        )
        return [row.id for row in result.all()]

    async def strike_dead(self, seconds: float) -> None:
        """Forget hosts that said nothing for so long."""
        await self._session.sql(
            "delete from session_host where seen_at < clock_timestamp() - make_interval(secs => :seconds)",
            {"seconds": seconds},
        )
