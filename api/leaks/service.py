"""Asking for leak traces, and reading their reports."""

from api.accounts.principal import Principal
from api.catalog.service import CatalogService
from api.core import queue
from api.core.db import AsyncSession
from api.core.ids import new_id, parse_id, public_id
from api.leaks.errors import NoTraceError
from api.leaks.models import LeakTrace
from api.leaks.repository import LeakRepository, TraceRow
from api.leaks.schemas import LeakCreate, LeakTracePublic


class LeakService:
    """Leak traces of benchmarks that the principal's organisation owns."""

    def __init__(self, session: AsyncSession, principal: Principal) -> None:
        self._session = session
        self._repository = LeakRepository(session)
        self._principal = principal

    async def trace(self, slug: str, body: LeakCreate) -> LeakTracePublic:
        """Queue a trace: the marks are in the vault, which only the worker reads. Raises NoBenchmarkError."""
        benchmark = await CatalogService(self._session).owned(slug, [self._principal.organisation_id])
        row = LeakTrace(
            id=new_id(),
            benchmark_id=benchmark.id,
            user_id=self._principal.user_id,
            payload=body.model_dump(exclude_none=True),
        )
        await self._repository.add(row)
        await queue.defer(self._session, queue.TRACE, {"trace": str(row.id)}, queue=queue.SLOW)
        return LeakTracePublic(
            id=public_id("trc", row.id), benchmark=benchmark.slug, state=row.state, created_at=row.created_at
        )

    async def traced(self, public: str) -> LeakTracePublic:
        """A trace and, when it is done, its report. Raises NoTraceError."""
        trace_id = parse_id("trc", public)
        row = await self._repository.one(trace_id, self._principal.organisation_id) if trace_id else None
        if row is None:
            raise NoTraceError("your organisation has asked for no such trace")
        return _public(row)


def _public(row: TraceRow) -> LeakTracePublic:
    return LeakTracePublic(
        id=public_id("trc", row.id),
        benchmark=row.slug,
        state=row.state,
        created_at=row.created_at,
        report=row.report,
    )
