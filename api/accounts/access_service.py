"""The owner's hand on who has access."""

import csv
import io
from uuid import UUID

from api.accounts.access_repository import AccessRepository
from api.accounts.access_schemas import AccessDecision, AccessPublic
from api.accounts.errors import NoRequestError, ReasonNeededError
from api.core.db import AsyncSession
from api.core.ids import parse_id, public_id
from api.core.spreadsheet import safe_cell

_EXPORT = 10_000


class AccessService:
    """Access to one benchmark, which the caller has found to be the actor's; `actor` is the user who decides."""

    def __init__(self, session: AsyncSession, actor: UUID, benchmark_id: UUID) -> None:
        self._repository = AccessRepository(session)
        self._actor = actor
        self._benchmark_id = benchmark_id

    async def page(self, state: str | None, before: UUID | None, limit: int) -> tuple[list[AccessPublic], UUID | None]:
        """Signed agreements, newest first, and the id that continues."""
        rows = await self._repository.page(self._benchmark_id, state, before, limit)
        items = [AccessPublic.model_validate({**vars(row), "id": public_id("agr", row.id)}) for row in rows]
        return items, rows[-1].id if len(rows) == limit else None

    async def decide(self, public: str, decision: AccessDecision) -> UUID:
        """Approve, decline, or take back. Returns the agreement's id. Raises NoRequestError, ReasonNeededError."""
        if decision.state == "declined" and not decision.reason:
            raise ReasonNeededError("give the reason; the applicant will read it")
        row_id = parse_id("agr", public)
        done = row_id and await self._repository.decide(
            self._benchmark_id, row_id, self._actor, decision.state, decision.reason
        )
        if not done:
            raise NoRequestError("GET /v1/benchmarks/{slug}/access lists the requests")
        assert row_id
        return row_id

    async def export(self) -> str:
        """Everybody who asked for or has access, as CSV."""
        items, _ = await self.page(None, None, _EXPORT)
        out = io.StringIO()
        writer = csv.writer(out)
        writer.writerow(list(AccessPublic.model_fields))
        for item in items:
            writer.writerow([safe_cell(value) for value in item.model_dump(mode="json").values()])
        return out.getvalue()
