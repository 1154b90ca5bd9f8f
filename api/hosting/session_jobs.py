"""SQL of the jobs that end episodes."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from api.core.db import AsyncSession
from api.core.nul import without_nul
from api.core.query import Command, Query
from api.hosting.models import Origin, SessionState
from api.lanes.models import Lane
from api.submissions.answers import COLUMNS, GivenAnswer, StoredAnswer
from grading import Verdict

_NO_JOB = "not exists (select 1 from grading_job j where j.session_id = l.id)"


@dataclass(frozen=True)
class EndingSession(StoredAnswer):
    """A session with what its end needs: how it stands, what was posted instead of it, its problem's public side.

    `final` is the answer that it ended with, `last` the finish reason of the last step, `expired` whether the wall
    clock is over.
    """

    id: UUID
    organisation_id: UUID
    lane: Lane | None
    problem_id: UUID
    submission_id: UUID | None
    origin: Origin
    state: SessionState
    variant: str
    finish_reason: str | None
    final: str | None
    expired: bool | None
    last: str | None
    statement: str
    choices: list[dict[str, str]]
    variation: dict[str, Any] | None

    def posted(self, key: bytes) -> GivenAnswer:
        """What was posted of it; nothing of a session that was played live. Raises SealError for a changed row."""
        if self.submission_id is None:
            return GivenAnswer(None, None, None)
        return self.given(key, self.submission_id, self.problem_id)


@dataclass(frozen=True)
class DueSession:
    """A session that is to be brought to its end."""

    id: UUID
    organisation_id: UUID


@dataclass(frozen=True)
class StuckOpening:
    """An opening that nobody waits for any more, with what has to be given back."""

    id: UUID
    submission_id: UUID | None
    problem_id: UUID


ENDING = Query(
    EndingSession,
    "A session with what its end needs.",
    f"""select l.id, l.organisation_id, p.lane, l.problem_id, l.submission_id, l.origin, l.state, l.variant,
              l.finish_reason, l.answer as final, l.deadline < clock_timestamp() as expired, {COLUMNS},
              p.statement, p.choices, p.variation,
              (select s.finish from session_step s where s.session_id = l.id and s.number = l.steps) as last
       from live_session l join problem p on p.id = l.problem_id
       left join submission_item i on i.submission_id = l.submission_id and i.problem_id = l.problem_id
       where l.id = :id""",  # noqa: S608 - a constant
)
JUDGED = Command(
    "`ended → graded`, once; on a hidden split the verdict is kept with the submission's, sealed.",
    """update live_session l set state = 'graded', graded_at = clock_timestamp(),
         score = case when s.visibility = 'dev' then cast(:score as double precision) end,
         outcome = case when s.visibility = 'dev' then cast(:outcome as text) end,
         reason = case when s.visibility = 'dev' then cast(:reason as text) end,
         grader = case when s.visibility = 'dev' then cast(:grader as text) end
       from split s where s.id = l.split_id and l.id = :id and l.state = 'ended'""",
)
GIVE_UP = Command(
    "End an episode that could not be played by a fault of ours.",
    """update live_session set state = 'ended', finish_reason = 'infrastructure_error', host_id = null,
         epoch = epoch + 1, ended_at = clock_timestamp() where id = :id and state in ('opening', 'running')""",
)
COUNT_FAULT = Query(
    int,
    "Count a fault of a session; how many there were.",
    "update live_session set faults = faults + 1 where id = :id returning faults",
)
IDLE = Query(
    DueSession,
    "Running episodes that nobody has stepped for so many seconds.",
    """select id, organisation_id from live_session where origin = 'live' and state = 'running'
         and not exists (select 1 from session_step s where s.session_id = live_session.id
                         and s.number = live_session.steps and s.finish is not null)
         and active_at < clock_timestamp() - make_interval(secs => :seconds)""",
)
STUCK_OPENINGS = Query(
    StuckOpening,
    "Openings that nobody waits for any more: their caller died.",
    """select id, submission_id, problem_id from live_session
       where origin = 'live' and state = 'opening'
         and active_at < clock_timestamp() - make_interval(secs => :seconds)""",
)
WITHOUT_JOB = Query(
    DueSession,
    "Episodes that are over (by the clock, by their last step, or ended) and that no job looks after.",
    f"""select l.id, l.organisation_id from live_session l where {_NO_JOB} and (
          (l.state = 'ended' and l.ended_at < clock_timestamp() - make_interval(secs => :seconds))
          or (l.state = 'running' and l.deadline < clock_timestamp())
          or (l.origin = 'posted' and l.state in ('opening', 'running')
              and l.created_at < clock_timestamp() - make_interval(secs => :seconds))
          or (l.state = 'running' and l.active_at < clock_timestamp() - make_interval(secs => :seconds)
              and exists (select 1 from session_step s where s.session_id = l.id and s.number = l.steps
                          and s.finish is not null)))""",  # noqa: S608 - a constant
)


class SessionJobsRepository:
    """Episodes to end, to judge, to expire."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def one(self, session_id: UUID) -> EndingSession | None:
        """A session with what its end needs."""
        return await self._session.fetch_optional(ENDING, id=session_id)

    async def judged(self, session_id: UUID, verdict: Verdict) -> bool:
        """`ended → graded`, once."""
        changed = await self._session.run(
            JUDGED,
            id=session_id,
            score=verdict.score,
            outcome=verdict.outcome.value,
            reason=without_nul(verdict.reason),
            grader=verdict.grader,
        )
        return changed == 1

    async def give_up(self, session_id: UUID) -> None:
        """End an episode that could not be played by a fault of ours."""
        await self._session.run(GIVE_UP, id=session_id)

    async def count_fault(self, session_id: UUID) -> int:
        """Count a fault; how many there were (0 where there is no such session)."""
        return await self._session.fetch_optional(COUNT_FAULT, id=session_id) or 0

    async def idle(self, seconds: float) -> list[DueSession]:
        """Running episodes that nobody has stepped for so long."""
        return await self._session.fetch_all(IDLE, seconds=seconds)

    async def stuck_openings(self, seconds: float) -> list[StuckOpening]:
        """Openings that nobody waits for any more."""
        return await self._session.fetch_all(STUCK_OPENINGS, seconds=seconds)

    async def without_job(self, seconds: float) -> list[DueSession]:
        """Episodes that are over and that no job looks after."""
        return await self._session.fetch_all(WITHOUT_JOB, seconds=seconds)
