"""The owner's hand on who has access."""

import csv
import io
from typing import Any
from uuid import UUID

from api.accounts.access_repository import AccessRepository
from api.accounts.access_schemas import AccessDecision, AccessPublic
from api.accounts.errors import NoRequestError, ReasonNeededError
from api.audit.errors import NotYourBenchmarkError
from api.core.db import AsyncSession
from api.core.ids import parse_id, public_id
from api.core.tables import harmless

_EXPORT = 10_000


class AccessService:
    """Access to the benchmarks that one of `organisations` owns; `actor` is the user who decides."""

    def __init__(self, session: AsyncSession, actor: UUID, organisations: list[UUID]) -> None:
        self._repository = AccessRepository(session)
        self._actor = actor
        self._organisations = organisations

    async def benchmark(self, slug: str) -> Any:
        """Raises NotYourBenchmarkError."""
        row = await self._repository.owned(slug, self._organisations)
        if row is None:
            raise NotYourBenchmarkError("your organisation owns no benchmark with this slug")
        return row

    async def page(
        self, slug: str, state: str | None, before: UUID | None, limit: int
    ) -> tuple[list[AccessPublic], UUID | None]:
        """Signed agreements, newest first, and the id that continues."""
        benchmark = await self.benchmark(slug)
        rows = await self._repository.page(benchmark.id, state, before, limit)
        items = [AccessPublic.model_validate({**row._mapping, "id": public_id("agr", row.id)}) for row in rows]
        return items, rows[-1].id if len(rows) == limit else None

    async def decide(self, slug: str, public: str, decision: AccessDecision) -> None:
        """Approve, decline, or take back. Raises NoRequestError, ReasonNeededError."""
        benchmark = await self.benchmark(slug)
        if decision.state == "declined" and not decision.reason:
            raise ReasonNeededError("the applicant is told why")
        row_id = parse_id("agr", public)
        done = row_id and await self._repository.decide(
            benchmark.id, row_id, self._actor, decision.state, decision.reason
        )
        if not done:
            raise NoRequestError("nobody has asked for access under this id")

    async def export(self, slug: str) -> str:
        """Everybody who asked for or has access, as CSV."""
        items, _ = await self.page(slug, None, None, _EXPORT)
        out = io.StringIO()
        writer = csv.writer(out)
        writer.writerow(list(AccessPublic.model_fields))
        for item in items:
            writer.writerow([harmless(value) for value in item.model_dump(mode="json").values()])
        return out.getvalue()
