"""SQL of what waits in an instance: for operators' metrics. Counts and ages alone."""

from dataclasses import dataclass

from api.core.db import AsyncSession
from api.core.query import Query


@dataclass(frozen=True)
class LaneWork:
    """Answers and episodes of a lane: all, those a worker has, those tried before; `oldest`: seconds."""

    lane: str
    items: int
    taken: int
    retried: int
    oldest: float


@dataclass(frozen=True)
class JobCount:
    """Jobs of a queue by state."""

    queue: str
    state: str
    n: int


@dataclass(frozen=True)
class Waiting:
    """How many of something are not finished, and since how many seconds the oldest."""

    what: str
    n: int
    oldest: float


@dataclass(frozen=True)
class Work:
    """All of it; `bytes` of the database."""

    lanes: list[LaneWork]
    jobs: list[JobCount]
    waiting: list[Waiting]
    bytes: int


_LANES = Query(
    LaneWork,
    "What waits to be graded; lanes in which nothing does too. A job that nobody has is free since it came.",
    """select l.lane, coalesce(sum(j.items), 0)::bigint as items,
              coalesce(sum(j.items) filter (where j.free_at > now()), 0)::bigint as taken,
              coalesce(sum(j.items) filter (where j.attempts > 1), 0)::bigint as retried,
              coalesce(extract(epoch from now() - min(j.free_at) filter (where j.free_at <= now())), 0)::float as oldest
       from lane_turn l left join grading_job j on j.lane = l.lane group by l.lane order by l.lane""",
)
_JOBS = Query(
    JobCount,
    "Other jobs; done ones are deleted.",
    """select queue_name as queue, status::text as state, count(*) as n from queue.procrastinate_jobs
       group by 1, 2 order by 1, 2""",
)
_WAITING = Query(
    Waiting,
    "Submissions that are being graded, reviews that nobody settled, decisions that are due, packs on their way.",
    """select what, count(since) as n, coalesce(extract(epoch from now() - min(since)), 0)::float as oldest
       from (select 'submissions' as what, finalised_at as since from submission where state in ('queued', 'grading')
             union all select 'reviews', created_at from review where settled_at is null
             union all select 'decisions', decide_at from feedback_intake where outcome is null and decide_at <= now()
             union all select 'packs', changed_at from pack_upload where state in ('checking', 'publishing')
             union all select what, null from unnest(array['submissions', 'reviews', 'decisions', 'packs']) as t (what)
            ) as all_of_them
       group by what order by what""",
)
_BYTES = Query(int, "The database's size.", "select pg_database_size(current_database())")


async def work(session: AsyncSession) -> Work:
    """Ask for all of it."""
    return Work(
        await session.fetch_all(_LANES),
        await session.fetch_all(_JOBS),
        await session.fetch_all(_WAITING),
        await session.fetch_one(_BYTES),
    )
