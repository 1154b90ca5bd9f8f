"""The ledger as an owner sees it."""

from dataclasses import asdict

from api.accounts.principal import Principal
from api.catalog.service import CatalogService
from api.core.db import AsyncSession
from api.ledger import sealing
from api.ledger.repository import LedgerRepository
from api.ledger.schemas import LedgerCheck, LedgerRow


class LedgerService:
    """The ledger of benchmarks that the principal's organisation owns."""

    def __init__(self, session: AsyncSession, principal: Principal) -> None:
        self._session = session
        self._principal = principal

    async def page(
        self, slug: str, before: int | None, organisation: str | None, limit: int
    ) -> tuple[list[LedgerRow], int | None]:
        """Who was served what, newest first, and the id that continues. Raises NoBenchmarkError."""
        benchmark = await CatalogService(self._session).owned(slug, [self._principal.organisation_id])
        rows = await LedgerRepository(self._session).page(benchmark.id, before, organisation, limit)
        items = [LedgerRow(**asdict(row)) for row in rows]
        return items, items[-1].id if len(items) == limit else None

    async def check(self, slug: str) -> LedgerCheck:
        """Whether the chain of the instance's whole ledger holds. Raises NoBenchmarkError."""
        await CatalogService(self._session).owned(slug, [self._principal.organisation_id])
        return await sealing.check(self._session)
