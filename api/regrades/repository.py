"""SQL of regradings."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from api.core.db import AsyncSession
from api.core.ids import new_id
from api.core.query import Command, Query


@dataclass(frozen=True)
class RegradeJob:
    """A regrading with its benchmark and the release whose references hold now."""

    id: UUID
    benchmark_id: UUID
    release_id: UUID


@dataclass(frozen=True)
class MovedEntry:
    """A public entry that a regrading moved; `before` and `after` hold score, low and high as shown there."""

    submission_id: UUID
    organisation: str
    model_name: str
    before: dict[str, float]
    after: dict[str, float]


@dataclass(frozen=True)
class PublicRegrade:
    """A regrading as everybody is told of it."""

    id: UUID
    reason: str
    total: int
    done: int
    created_at: datetime
    finished_at: datetime | None


# How long answers took to be graded anew, and which of them nobody could decide, hangs on their golds.
_OF_BENCHMARK = Query(
    PublicRegrade,
    "A benchmark's regradings, newest first. Of one with hidden splits the end is told with the next scheduled release,"
    " and the number of submissions is that of all which had been handed in.",
    """select g.id, g.reason, g.created_at,
              case when hidden.any then handed.n else g.total end as total,
              case when not hidden.any then g.done when told.at is null then 0 else handed.n end as done,
              case when hidden.any then told.at else g.finished_at end as finished_at
       from regrade g,
         lateral (select exists (select from split s join release r on r.id = s.release_id
                                 where r.benchmark_id = g.benchmark_id and s.visibility <> 'dev') as any) hidden,
         lateral (select count(*) as n from submission u join release r on r.id = u.release_id
                  where r.benchmark_id = g.benchmark_id and u.finalised_at <= g.created_at) handed,
         lateral (select min(c.scheduled) as at from ranking_schedule c join split s on s.id = c.split_id
                  join release r on r.id = s.release_id
                  where r.benchmark_id = g.benchmark_id and c.done and c.scheduled >= g.finished_at) told
       where g.benchmark_id = :benchmark order by g.created_at desc limit :limit""",
)
_BEGIN = Command(
    "A regrading begins; a worker counts and queues its submissions.",
    "insert into regrade (id, benchmark_id, reason, created_at) values (:id, :benchmark, :reason, clock_timestamp())",
)
_RUNNING = Query(
    bool,
    "Whether a benchmark is being regraded.",
    "select exists (select from regrade where benchmark_id = :benchmark and finished_at is null)",
)
_COUNTED = Command(
    "Say how many submissions a regrading has.",
    """update regrade set total = :total, finished_at = case when cast(:total as integer) = 0 then clock_timestamp() end
       where id = :regrade""",
)
_ONE = Query(
    RegradeJob,
    "A regrading with the release whose references hold now.",
    """select g.id, g.benchmark_id, b.release_id from regrade g join benchmark b on b.id = g.benchmark_id
       where g.id = :id""",
)
# Jobs that end together count one after the other, or each would miss the other's row.
_LOCK = Query(UUID, "Lock a regrading.", "select id from regrade where id = :regrade for update")
_RECORD = Command(
    "Write down what happened to a submission, once.",
    """insert into regraded (regrade_id, submission_id, before, after, items_changed, created_at)
       values (:regrade, :submission, cast(:before as jsonb), cast(:after as jsonb), :changed, clock_timestamp())
       on conflict do nothing""",
)
_COUNT = Command(
    "Count the submissions that are done.",
    """update regrade set done = d.done, finished_at = case when d.done >= total then clock_timestamp() end
       from (select count(*) as done from regraded where regrade_id = :regrade) d where id = :regrade""",
)
_RECORDED = Query(
    bool,
    "Whether a submission's part is done.",
    "select exists (select 1 from regraded where regrade_id = :regrade and submission_id = :submission)",
)
_MOVED = Query(
    MovedEntry,
    "Public entries that moved, the largest moves first: only what the leaderboard showed and shows.",
    """select d.submission_id, e.organisation, e.model_name, d.before->'told' as before, d.after->'told' as after
       from regraded d join entry e on e.submission_id = d.submission_id and not e.hidden
       where d.regrade_id = :regrade and d.before->'told'->'score' is distinct from d.after->'told'->'score'
       order by abs(cast(d.before->'told'->>'score' as float) - cast(d.after->'told'->>'score' as float)) desc,
                d.submission_id limit :limit""",
)


class RegradeRepository:
    """Regradings and what they did."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def begin(self, benchmark_id: UUID, reason: str) -> UUID:
        """Write a regrading down."""
        regrade_id = new_id()
        await self._session.run(_BEGIN, id=regrade_id, benchmark=benchmark_id, reason=reason)
        return regrade_id

    async def running(self, benchmark_id: UUID) -> bool:
        """Whether a benchmark is being regraded."""
        return await self._session.fetch_one(_RUNNING, benchmark=benchmark_id)

    async def counted(self, regrade_id: UUID, total: int) -> None:
        """Say how many submissions a regrading has; one of none has ended."""
        await self._session.run(_COUNTED, regrade=regrade_id, total=total)

    async def one(self, regrade_id: UUID) -> RegradeJob | None:
        """A regrading with its benchmark and the release whose references hold now."""
        return await self._session.fetch_optional(_ONE, id=regrade_id)

    async def record(
        self,
        regrade_id: UUID,
        submission_id: UUID,
        before: Mapping[str, Any],
        after: Mapping[str, Any],
        changed: int,
    ) -> None:
        """Write down what happened to a submission, once, and count it."""
        await self._session.fetch_one(_LOCK, regrade=regrade_id)
        await self._session.run(
            _RECORD,
            regrade=regrade_id,
            submission=submission_id,
            changed=changed,
            before=json.dumps(before),
            after=json.dumps(after),
        )
        await self._session.run(_COUNT, regrade=regrade_id)

    async def recorded(self, regrade_id: UUID, submission_id: UUID) -> bool:
        """Whether a submission's part is done."""
        return await self._session.fetch_one(_RECORDED, regrade=regrade_id, submission=submission_id)

    async def of_benchmark(self, benchmark_id: UUID, limit: int) -> list[PublicRegrade]:
        """A benchmark's regradings as everybody is told of them, newest first."""
        return await self._session.fetch_all(_OF_BENCHMARK, benchmark=benchmark_id, limit=limit)

    async def moved(self, regrade_id: UUID, limit: int) -> list[MovedEntry]:
        """Public entries that moved, the largest moves first: only what the leaderboard showed and shows."""
        return await self._session.fetch_all(_MOVED, regrade=regrade_id, limit=limit)
