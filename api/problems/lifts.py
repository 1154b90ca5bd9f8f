"""SQL of the organisations that may read a benchmark at any pace."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.core.db import AsyncSession
from api.core.query import Command, Query


@dataclass(frozen=True)
class Lift:
    """An organisation that is not slowed down, by whose decision and why."""

    organisation: str
    lifted_by: str
    reason: str
    created_at: datetime


_OF_BENCHMARK = Query(
    Lift,
    "Whose pace was lifted on a benchmark, newest first.",
    """select o.slug as organisation, u.name as lifted_by, l.reason, l.created_at
       from scraping_lift l join organisation o on o.id = l.organisation_id
       join account u on u.id = l.lifted_by where l.benchmark_id = :benchmark order by l.created_at desc""",
)
_LIFT = Command(
    "Lift an organisation's pace on a benchmark; again it changes the reason.",
    """insert into scraping_lift (benchmark_id, organisation_id, lifted_by, reason, created_at)
       select :benchmark, id, :by, :reason, clock_timestamp() from organisation where slug = :organisation
       on conflict (benchmark_id, organisation_id) do update set reason = excluded.reason,
         lifted_by = excluded.lifted_by, created_at = excluded.created_at""",
)
_RESTORE = Command(
    "Slow an organisation down again.",
    """delete from scraping_lift l using organisation o
       where l.benchmark_id = :benchmark and o.id = l.organisation_id and o.slug = :organisation""",
)


class LiftRepository:
    """Who may read a benchmark at any pace."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def of_benchmark(self, benchmark_id: UUID) -> list[Lift]:
        """Whose pace was lifted, newest first."""
        return await self._session.fetch_all(_OF_BENCHMARK, benchmark=benchmark_id)

    async def lift(self, benchmark_id: UUID, organisation: str, by: UUID, reason: str) -> bool:
        """Lift an organisation's pace; False when there is no such organisation."""
        values = {"benchmark": benchmark_id, "organisation": organisation, "by": by, "reason": reason}
        return await self._session.run(_LIFT, **values) == 1

    async def restore(self, benchmark_id: UUID, organisation: str) -> bool:
        """Slow an organisation down again; False when its pace was not lifted."""
        return await self._session.run(_RESTORE, benchmark=benchmark_id, organisation=organisation) == 1
