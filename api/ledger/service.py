"""The ledger as an owner sees it."""

import csv
import io
from collections.abc import Sequence
from dataclasses import asdict
from uuid import UUID

from api.catalog.service import CatalogService
from api.core.db import AsyncSession
from api.core.spreadsheet import safe_cell
from api.ledger import sealing
from api.ledger.repository import LedgerFilters, LedgerRepository
from api.ledger.schemas import LedgerCheck, LedgerRow

MOST_EXPORTED = 100_000
_BATCH = 5_000


class LedgerService:
    """The ledger of benchmarks that one of these organisations owns."""

    def __init__(self, session: AsyncSession, organisations: list[UUID]) -> None:
        self._session = session
        self._organisations = organisations

    async def page(
        self, slug: str, before: int | None, filters: LedgerFilters, limit: int
    ) -> tuple[list[LedgerRow], int | None]:
        """Who was served what, newest first, and the id that continues. Raises NotYourBenchmarkError."""
        benchmark = await CatalogService(self._session).owned(slug, self._organisations)
        rows = await LedgerRepository(self._session).page(benchmark.id, before, filters, limit)
        items = [LedgerRow(**asdict(row)) for row in rows]
        return items, items[-1].id if len(items) == limit else None

    async def export(self, slug: str, before: int | None, filters: LedgerFilters) -> tuple[str, int | None]:
        """The same as CSV, at most `MOST_EXPORTED` rows, and the id that continues. Raises NotYourBenchmarkError."""
        rows: list[LedgerRow] = []
        last = before
        while len(rows) < MOST_EXPORTED:
            found, last = await self.page(slug, last, filters, _BATCH)
            rows += found
            if last is None:
                break
        return _csv(rows), last

    async def check(self, slug: str) -> LedgerCheck:
        """Whether the chain of the instance's whole ledger holds. Raises NotYourBenchmarkError."""
        await CatalogService(self._session).owned(slug, self._organisations)
        return await sealing.check(self._session)


def _csv(rows: Sequence[LedgerRow]) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    names = list(LedgerRow.model_fields)
    writer.writerow(names)
    for row in rows:
        cells = row.model_dump(mode="json")
        writer.writerow(safe_cell(cells[name]) for name in names)
    return out.getvalue()
