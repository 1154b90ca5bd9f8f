"""The owner's view of scraping: the patterns in the ledger, and whom they let read at any pace."""

from dataclasses import asdict
from uuid import UUID

from api.catalog.repository import OwnedBenchmark
from api.catalog.service import CatalogService
from api.core.db import AsyncSession
from api.ledger.errors import NoLiftError
from api.ledger.repository import LedgerRepository
from api.ledger.schemas import LiftCreate, LiftPublic, ScrapingFlag, ScrapingReport
from api.problems.lifts import LiftRepository
from protection.scraping import Serve, flags

_SERVES = 50_000


class ScrapingService:
    """Benchmarks that one of `organisations` owns; `actor` is the user who decides."""

    def __init__(self, session: AsyncSession, actor: UUID, organisations: list[UUID]) -> None:
        self._ledger = LedgerRepository(session)
        self._lifts = LiftRepository(session)
        self._catalog = CatalogService(session)
        self._actor = actor
        self._organisations = organisations

    async def report(self, slug: str) -> ScrapingReport:
        """Patterns among the newest rows of the ledger, and the organisations that are not slowed down."""
        benchmark = await self._owned(slug)
        rows = await self._ledger.served(benchmark.id, _SERVES)
        serves = [Serve(row.at, row.key, row.organisation, row.address, row.position) for row in rows]
        found = [ScrapingFlag(**vars(flag)) for flag in flags(serves)]
        lifts = [LiftPublic(**asdict(row)) for row in await self._lifts.of_benchmark(benchmark.id)]
        return ScrapingReport(benchmark=slug, served=len(serves), flags=found, lifts=lifts)

    async def lift(self, slug: str, body: LiftCreate) -> None:
        """Lift the limit for an organisation; again it changes the reason. Raises NoLiftError."""
        benchmark = await self._owned(slug)
        if not await self._lifts.lift(benchmark.id, body.organisation, self._actor, body.reason):
            raise NoLiftError("there is no organisation with this name")

    async def restore(self, slug: str, organisation: str) -> None:
        """Slow an organisation down again like everybody else. Raises NoLiftError."""
        benchmark = await self._owned(slug)
        if not await self._lifts.restore(benchmark.id, organisation):
            raise NoLiftError("the pace of this organisation was not lifted")

    async def _owned(self, slug: str) -> OwnedBenchmark:
        return await self._catalog.owned(slug, self._organisations)
