"""What an owner can look into."""

from typing import Any
from uuid import UUID

from api.accounts.principal import Principal
from api.audit import ledger
from api.audit.errors import NoTraceError
from api.audit.models import LeakTrace
from api.audit.regrades import RegradeRepository
from api.audit.repository import AuditRepository
from api.audit.schemas import (
    LeakCreate,
    LeakReport,
    LeakTracePublic,
    LedgerCheck,
    LedgerRow,
    Mover,
    RegradePage,
    RegradePublic,
)
from api.catalog.service import CatalogService
from api.core import queue
from api.core.db import AsyncSession
from api.core.ids import new_id, parse_id, public_id

_REGRADES = 50
_MOVERS = 200


async def regrades(session: AsyncSession, slug: str) -> RegradePage:
    """The regradings of a benchmark with who moved. Public: only what the leaderboard told and tells."""
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
            for m in await repository.movers(row.id, _MOVERS)
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


class AuditService:
    """The ledger and leak traces of benchmarks that the principal's organisation owns."""

    def __init__(self, session: AsyncSession, principal: Principal) -> None:
        self._session = session
        self._repository = AuditRepository(session)
        self._principal = principal

    async def page(
        self, slug: str, before: int | None, organisation: str | None, limit: int
    ) -> tuple[list[LedgerRow], int | None]:
        """Who was served what, newest first, and the id that continues."""
        benchmark = await CatalogService(self._session).owned(slug, [self._principal.organisation_id])
        rows = await self._repository.ledger(benchmark.id, before, organisation, limit)
        items = [LedgerRow(**row._mapping) for row in rows]
        return items, items[-1].id if len(items) == limit else None

    async def check(self, slug: str) -> LedgerCheck:
        """Whether the chain of the instance's whole ledger holds."""
        await CatalogService(self._session).owned(slug, [self._principal.organisation_id])
        return await ledger.check(self._session)

    async def trace(self, slug: str, body: LeakCreate) -> LeakTracePublic:
        """Queue a trace: the marks are in the vault, which only the worker reads."""
        benchmark = await CatalogService(self._session).owned(slug, [self._principal.organisation_id])
        row = LeakTrace(
            id=new_id(),
            benchmark_id=benchmark.id,
            user_id=self._principal.user_id,
            payload=body.model_dump(exclude_none=True),
        )
        await self._repository.add_trace(row)
        await queue.defer(self._session, queue.TRACE, {"trace": str(row.id)})
        return _public(await self._repository.trace(row.id))

    async def traced(self, public: str) -> LeakTracePublic:
        """A trace and, when it is done, its report."""
        trace_id = parse_id("trc", public)
        row = trace_id and await self._repository.trace(trace_id, self._principal.organisation_id)
        if not row:
            raise NoTraceError("your organisation has asked for no such trace")
        return _public(row)


def _public(row: Any) -> LeakTracePublic:
    return LeakTracePublic(
        id=public_id("trc", UUID(str(row.id))),
        benchmark=row.slug,
        state=row.state,
        created_at=row.created_at,
        report=LeakReport.model_validate(row.report) if row.report else None,
    )
