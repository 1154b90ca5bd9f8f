"""SQL that only a test asks: what the service has no query for."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import CursorResult, text

from api.core.db import AsyncSession


async def sql(session: AsyncSession, statement: str, values: Mapping[str, Any] | None = None) -> CursorResult[Any]:
    """Run one statement with named values (`:name`)."""
    return await (await session.connection()).execute(text(statement), values or {})
