"""What was regraded, for everybody."""

from api.catalog.service import CatalogService
from api.core.db import AsyncSession
from api.core.ids import public_id
from api.regrades.repository import RegradeRepository
from api.regrades.schemas import Mover, RegradePage, RegradePublic

_REGRADES = 50
_MOVERS = 200


async def regrades(session: AsyncSession, slug: str) -> RegradePage:
    """The regradings of a benchmark with who moved. Public: only what the leaderboard showed and shows."""
    benchmark = await CatalogService(session).benchmark(slug)
    repository = RegradeRepository(session)
    items = []
    for row in await repository.of_benchmark(benchmark.id, _REGRADES):
        movers = [
            Mover(
                submission=public_id("sub", m.submission_id),
                organisation=m.organisation,
                model=m.model_name,
                before=m.before,
                after=m.after,
            )
            for m in await repository.moved(row.id, _MOVERS)
        ]
        items.append(
            RegradePublic(
                id=public_id("rgr", row.id),
                reason=row.reason,
                total=row.total,
                done=row.done,
                created_at=row.created_at,
                finished_at=row.finished_at,
                movers=movers,
            )
        )
    return RegradePage(benchmark=slug, items=items)
