"""SQL of an instance's workers, releases and people, for operators' pages. Nothing of problems and answers."""

from dataclasses import dataclass
from datetime import datetime

from api.core.db import AsyncSession
from api.core.query import Query


@dataclass(frozen=True)
class WorkerStatus:
    """A worker process: seconds since it was heard of, and how many jobs it has."""

    id: int
    silent: float
    jobs: int


@dataclass(frozen=True)
class SlowJob:
    """A job that is being done, and since how many seconds."""

    id: int
    task: str
    queue: str
    seconds: float


@dataclass(frozen=True)
class PublishedRelease:
    """A published release."""

    slug: str
    title: str
    version: str
    owner: str
    problems: int
    published_at: datetime
    current: bool


@dataclass(frozen=True)
class RecentAccount:
    """An account, its organisations by short name, and when a browser of theirs was seen last."""

    name: str
    email: str | None
    is_operator: bool
    organisations: list[str]
    created_at: datetime
    seen_at: datetime | None


_WORKERS = Query(
    WorkerStatus,
    "Workers by the silence since they were heard of.",
    "select id, silent, jobs from workers_alive(:limit)",
)
_SLOW = Query(
    SlowJob,
    "Jobs that are being done, the longest first.",
    "select id, task, queue, seconds from jobs_running(:limit)",
)
_RELEASES = Query(
    PublishedRelease,
    "The newest releases.",
    """select b.slug, r.title, r.version, o.slug as owner, r.created_at as published_at,
              coalesce((select sum(s.problem_count) from split s where s.release_id = r.id), 0)::bigint as problems,
              not exists (select from release n where n.benchmark_id = r.benchmark_id
                          and n.created_at > r.created_at) as current
       from release r join benchmark b on b.id = r.benchmark_id join organisation o on o.id = b.organisation_id
       order by r.created_at desc limit :limit""",
)
_PEOPLE = Query(
    RecentAccount,
    "The newest accounts.",
    """select a.name, a.email, a.is_operator, a.created_at,
              array(select o.slug from membership m join organisation o on o.id = m.organisation_id
                    where m.user_id = a.id order by o.slug) as organisations,
              (select max(w.seen_at) from web_session w where w.user_id = a.id) as seen_at
       from account a where a.deleted_at is null order by a.created_at desc limit :limit""",
)


@dataclass(frozen=True)
class Overview:
    """All of it, at most `limit` rows each."""

    workers: list[WorkerStatus]
    slow: list[SlowJob]
    releases: list[PublishedRelease]
    people: list[RecentAccount]


async def overview(session: AsyncSession, limit: int) -> Overview:
    """Ask for all of it."""
    return Overview(
        await session.fetch_all(_WORKERS, limit=limit),
        await session.fetch_all(_SLOW, limit=limit),
        await session.fetch_all(_RELEASES, limit=limit),
        await session.fetch_all(_PEOPLE, limit=limit),
    )
