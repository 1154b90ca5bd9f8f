"""SQL of owners' jobs."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from api.core.db import AsyncSession
from api.core.query import Command, Query
from api.owner_jobs.models import JobState


@dataclass(frozen=True)
class Job:
    """A job; `benchmark` is the slug, `owner_id` the organisation that owns it now."""

    id: UUID
    benchmark_id: UUID
    benchmark: str
    owner_id: UUID
    job: str
    arguments: dict[str, Any]
    state: JobState
    done: int
    total: int
    failure: str
    created_at: datetime
    finished_at: datetime | None
    result: bytes | None


@dataclass(frozen=True)
class Erased:
    """How much went with a deleted benchmark."""

    releases: int
    problems: int
    submissions: int
    entries: int


_COLUMNS = """j.id, j.benchmark_id, b.slug as benchmark, b.organisation_id as owner_id, j.job, j.arguments, j.state,
  j.done, j.total, j.failure, j.created_at, j.finished_at"""
_FROM = "from owner_job j join benchmark b on b.id = j.benchmark_id"
_ONE = Query(Job, "A job.", f"select {_COLUMNS}, j.result {_FROM} where j.id = :id")
_LISTED = Query(
    Job,
    "The newest jobs of a benchmark, without their results.",
    f"""select {_COLUMNS}, cast(null as bytea) as result {_FROM}
        where j.benchmark_id = :benchmark order by j.id desc limit :limit""",
)
_NEWEST = Query(
    Job,
    "The newest finished job of a benchmark that was asked for like this.",
    f"""select {_COLUMNS}, j.result {_FROM} where j.benchmark_id = :benchmark and j.state = 'done' and j.job = :job
        and j.arguments = cast(:arguments as jsonb) order by j.id desc limit 1""",
)
_OPEN = Query(
    Job,
    "Jobs of a benchmark that have not ended.",
    f"""select {_COLUMNS}, cast(null as bytea) as result {_FROM}
        where j.benchmark_id = :benchmark and j.state in ('queued', 'running') order by j.id""",
)
_LOCK = Query(
    bool,
    "One asker of jobs for a benchmark at a time.",
    "select pg_advisory_xact_lock(hashtextextended('owner_job ' || cast(:benchmark as text), 0)) is null as locked",
)
_FILE = Query(bytes, "The file of a job.", "select file from owner_job where id = :id and file is not null")
_ADD = Command(
    "An owner asks for a job.",
    """insert into owner_job (id, benchmark_id, user_id, job, arguments, created_at)
       values (:id, :benchmark, :user, :job, cast(:arguments as jsonb), now())""",
)
_BEGIN = Command(
    "A job begins, or begins anew.",
    "update owner_job set state = 'running', done = 0, total = 0 where id = :id and state in ('queued', 'running')",
)
_PROGRESS = Command(
    "How far a job is.", "update owner_job set done = :done, total = :total where id = :id and state = 'running'"
)
_DONE = Command(
    "A job has ended well.",
    """update owner_job set state = 'done', done = total, result = :result, file = :file, finished_at = now()
       where id = :id and state = 'running'""",
)
_FAILED = Command(
    "A job cannot be done.",
    """update owner_job set state = 'failed', failure = :failure, finished_at = now()
       where id = :id and state in ('queued', 'running')""",
)
_ERASE = Query(
    Erased,
    "Delete a benchmark as this running job asks; the function looks at the job itself.",
    "select releases, problems, submissions, entries from erase_benchmark(:job)",
)
_FORGET = Command(
    "Forget jobs that ended long ago.",
    "delete from owner_job where finished_at < now() - make_interval(days => :days)",
)


class OwnerJobRepository:
    """Owners' jobs. The web process asks, the worker does."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def one(self, job_id: UUID) -> Job | None:
        return await self._session.fetch_optional(_ONE, id=job_id)

    async def of_benchmark(self, benchmark_id: UUID, limit: int) -> list[Job]:
        """Newest first, without results."""
        return await self._session.fetch_all(_LISTED, benchmark=benchmark_id, limit=limit)

    async def newest(self, benchmark_id: UUID, job: str, arguments: dict[str, Any]) -> Job | None:
        """The newest finished job that was asked for like this."""
        asked = json.dumps(arguments)
        return await self._session.fetch_optional(_NEWEST, benchmark=benchmark_id, job=job, arguments=asked)

    async def open_ones(self, benchmark_id: UUID) -> list[Job]:
        """Jobs that have not ended; nobody else asks for one until the transaction ends."""
        await self._session.fetch_one(_LOCK, benchmark=str(benchmark_id))
        return await self._session.fetch_all(_OPEN, benchmark=benchmark_id)

    async def file(self, job_id: UUID) -> bytes | None:
        """The sealed file of a job."""
        return await self._session.fetch_optional(_FILE, id=job_id)

    async def add(self, job_id: UUID, benchmark_id: UUID, user_id: UUID, job: str, arguments: dict[str, Any]) -> None:
        """Write down what an owner asks for."""
        await self._session.run(
            _ADD, id=job_id, benchmark=benchmark_id, user=user_id, job=job, arguments=json.dumps(arguments)
        )

    async def begin(self, job_id: UUID) -> bool:
        """Begin a job; False where it has ended."""
        return await self._session.run(_BEGIN, id=job_id) == 1

    async def progress(self, job_id: UUID, done: int, total: int) -> None:
        """Say how far a job is."""
        await self._session.run(_PROGRESS, id=job_id, done=done, total=total)

    async def finish(self, job_id: UUID, result: bytes, file: bytes | None) -> bool:
        """A job has ended well; False where it had ended before."""
        return await self._session.run(_DONE, id=job_id, result=result, file=file) == 1

    async def fail(self, job_id: UUID, failure: str) -> None:
        """A job cannot be done; `failure` is for its owner."""
        await self._session.run(_FAILED, id=job_id, failure=failure[:1000])

    async def erase_benchmark(self, job_id: UUID) -> Erased:
        """Delete the benchmark of a running job that asks for it."""
        return await self._session.fetch_one(_ERASE, job=job_id)

    async def forget(self, days: int) -> None:
        """Forget jobs that ended so many days ago."""
        await self._session.run(_FORGET, days=days)
