"""What failed in an instance lately, with the reason, and the word that tries a job again."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.core import queue
from api.core.db import AsyncSession
from api.core.errors import NotFoundError
from api.core.query import Query

# What the worker knows; a job of another name is left to the command line.
_KNOWN = frozenset(
    {
        queue.FINALIZE_SUBMISSION,
        queue.REVIEWED,
        queue.TRACE,
        queue.REGRADE,
        queue.BEGIN_REGRADE,
        queue.CHECK_PACK,
        queue.PUBLISH_PACK,
    }
)


@dataclass(frozen=True)
class FailedJob:
    """A job that was given up. `again`: one with the same task and arguments was put in later."""

    id: int
    task: str
    queue: str
    arguments: dict[str, object]
    attempts: int
    again: bool

    @property
    def known(self) -> bool:
        """Whether it can be tried again from here."""
        return self.task in _KNOWN


@dataclass(frozen=True)
class FailedRun:
    """A submission or an episode that failed."""

    id: UUID
    what: str
    slug: str
    split: str
    organisation: str
    reason: str
    at: datetime


@dataclass(frozen=True)
class RunningEpisode:
    """An episode that is open, the longest first."""

    id: UUID
    slug: str
    split: str
    organisation: str
    state: str
    steps: int
    takeovers: int
    seconds: float


_JOBS = Query(
    FailedJob,
    "Jobs that were given up, newest first.",
    """select j.id, j.task_name as task, j.queue_name as queue, j.args as arguments, j.attempts,
              exists (select from queue.procrastinate_jobs o where o.id > j.id and o.task_name = j.task_name
                      and o.args = j.args) as again
       from queue.procrastinate_jobs j where j.status = 'failed' order by j.id desc limit :limit""",
)
_JOB = Query(
    FailedJob,
    "One job that was given up.",
    """select id, task_name as task, queue_name as queue, args as arguments, attempts, false as again
       from queue.procrastinate_jobs where id = :id and status = 'failed'""",
)
_RUNS = Query(
    FailedRun,
    "Submissions and episodes that failed, newest first.",
    """select f.id, f.what, b.slug, s.name as split, o.slug as organisation, f.reason, f.at from (
         select id, 'submission' as what, split_id, organisation_id, failure as reason, created_at as at
         from submission where state = 'failed'
         union all
         select id, 'episode', split_id, organisation_id, failure, created_at
         from live_session where state = 'failed') f
       join split s on s.id = f.split_id join release r on r.id = s.release_id
       join benchmark b on b.id = r.benchmark_id join organisation o on o.id = f.organisation_id
       order by f.at desc limit :limit""",
)
_EPISODES = Query(
    RunningEpisode,
    "Episodes that are open, the longest first.",
    """select l.id, b.slug, s.name as split, o.slug as organisation, l.state, l.steps, l.takeovers,
              extract(epoch from now() - l.created_at)::float as seconds
       from live_session l join split s on s.id = l.split_id join release r on r.id = s.release_id
       join benchmark b on b.id = r.benchmark_id join organisation o on o.id = l.organisation_id
       where l.state in ('opening', 'running') order by l.created_at limit :limit""",
)


class FailureRepository:
    """Reads for the operators' page."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def jobs(self, limit: int) -> list[FailedJob]:
        """Jobs that were given up, newest first."""
        return await self._session.fetch_all(_JOBS, limit=limit)

    async def runs(self, limit: int) -> list[FailedRun]:
        """Submissions and episodes that failed, newest first."""
        return await self._session.fetch_all(_RUNS, limit=limit)

    async def episodes(self, limit: int) -> list[RunningEpisode]:
        """Open episodes, the longest first."""
        return await self._session.fetch_all(_EPISODES, limit=limit)

    async def job(self, job_id: int) -> FailedJob | None:
        """One job that was given up."""
        return await self._session.fetch_optional(_JOB, id=job_id)


async def retry(session: AsyncSession, job_id: int) -> None:
    """Put in a job that was given up once more. Raises NotFoundError."""
    job = await FailureRepository(session).job(job_id)
    if job is None or not job.known:
        raise NotFoundError("no failed job of this number can be tried again from here")
    await queue.defer(session, job.task, dict(job.arguments), queue=job.queue)
