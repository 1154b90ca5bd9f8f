"""What was regraded, for everybody; and the owner's word that begins it."""

from uuid import UUID

from api.catalog.service import CatalogService
from api.core import queue
from api.core.db import AsyncSession
from api.core.errors import ConflictError
from api.core.ids import public_id
from api.regrades.repository import RegradeRepository
from api.regrades.schemas import Mover, RegradeBegun, RegradePage, RegradePublic

_REGRADES = 50
_MOVERS = 200


class RegradeRunningError(ConflictError):
    code = "regrade_running"
    title = "The benchmark is being regraded"


async def ask(session: AsyncSession, organisation_id: UUID, slug: str, reason: str) -> RegradeBegun:
    """Have every submission to an organisation's own benchmark graded anew.

    Raises NotYourBenchmarkError, RegradeRunningError.
    """
    benchmark = await CatalogService(session).owned(slug, [organisation_id])
    repository = RegradeRepository(session)
    if await repository.running(benchmark.id):
        raise RegradeRunningError(f"wait for its end: GET /v1/benchmarks/{slug}/regrades")
    regrade_id = await repository.begin(benchmark.id, reason)
    await queue.defer(session, queue.BEGIN_REGRADE, {"regrade": str(regrade_id)}, queue=queue.SLOW)
    return RegradeBegun(id=public_id("rgr", regrade_id))


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
