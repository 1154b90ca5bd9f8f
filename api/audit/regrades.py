"""SQL of regrading."""

import json
from typing import Any
from uuid import UUID

from api.audit.models import Regrade
from api.core.db import AsyncSession

_ITEMS = """
select i.problem_id, i.problem_id as id, i.answer, i.data, i.score, i.outcome, i.grader, i.grader_version,
       i.reference_digest, p.name, p.statement, p.choices, p.variation
from submission_item i join problem p on p.id = i.problem_id
where i.submission_id = :id and i.trajectory is null and i.finish_reason is null and i.graded_at is not null
order by p.position
"""


class RegradeRepository:
    """Regradings, what they did, and the verdicts they replace."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def add(self, row: Regrade) -> None:
        self._session.add(row)
        await self._session.flush()

    async def one(self, regrade_id: UUID) -> Any | None:
        """A regrading with its benchmark and the release whose references hold now."""
        result = await self._session.sql(
            """select g.*, b.slug, b.release_id from regrade g join benchmark b on b.id = g.benchmark_id
               where g.id = :id""",
            {"id": regrade_id},
        )
        return result.one_or_none()

    async def problems(self, release_id: UUID) -> dict[str, Any]:
        """Problems of a release by name."""
        result = await self._session.sql(
            "select id, name, statement, choices, variation from problem where release_id = :id", {"id": release_id}
        )
        return {row.name: row for row in result.all()}

    async def record(
        self, regrade_id: UUID, submission_id: UUID, before: dict[str, Any], after: dict[str, Any], changed: int
    ) -> None:
        """Write down what happened to a submission, once, and count it."""
        values = {
            "regrade": regrade_id,
            "submission": submission_id,
            "changed": changed,
            "before": json.dumps(before),
            "after": json.dumps(after),
        }
        # Jobs that end together count one after the other, or each would miss the other's row.
        await self._session.sql("select 1 from regrade where id = :regrade for update", {"regrade": regrade_id})
        await self._session.sql(
            """insert into regraded (regrade_id, submission_id, before, after, items_changed, created_at)
               values (:regrade, :submission, cast(:before as jsonb), cast(:after as jsonb), :changed,
                 clock_timestamp())
               on conflict do nothing""",
            values,
        )
        await self._session.sql(
            """update regrade set done = d.done, finished_at = case when d.done >= total then clock_timestamp() end
               from (select count(*) as done from regraded where regrade_id = :regrade) d where id = :regrade""",
            {"regrade": regrade_id},
        )

    async def recorded(self, regrade_id: UUID, submission_id: UUID) -> bool:
        result = await self._session.sql(
            "select 1 from regraded where regrade_id = :regrade and submission_id = :submission",
            {"regrade": regrade_id, "submission": submission_id},
        )
        return result.one_or_none() is not None

    async def of_benchmark(self, benchmark_id: UUID, limit: int) -> list[Any]:
        result = await self._session.sql(
            "select * from regrade where benchmark_id = :benchmark order by created_at desc limit :limit",
            {"benchmark": benchmark_id, "limit": limit},
        )
        return list(result.all())

    async def movers(self, regrade_id: UUID, limit: int) -> list[Any]:
        """Public entries that moved, the largest moves first: only what the leaderboard told and tells."""
        result = await self._session.sql(
            """select d.submission_id, e.organisation, e.model_name, d.before->'told' as before,
                      d.after->'told' as after
               from regraded d join entry e on e.submission_id = d.submission_id and not e.hidden
                 and e.visible_from <= now()
               where d.regrade_id = :regrade and d.before->'told'->'score' is distinct from d.after->'told'->'score'
               order by abs(cast(d.before->'told'->>'score' as float) - cast(d.after->'told'->>'score' as float)) desc,
                        d.submission_id limit :limit""",
            {"regrade": regrade_id, "limit": limit},
        )
        return list(result.all())
