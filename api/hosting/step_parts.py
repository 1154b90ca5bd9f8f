"""The parts of `session_step`, a month each: made ahead, dropped whole when the operator keeps them no longer."""

from datetime import timedelta

from api.core.db import AsyncSession
from api.core.query import Command, Query

_PATIENCE = Command("Wait for nobody who reads or writes for long.", "set local lock_timeout = '2s'")
_ADD = Query(int, "Make the parts of this month and the next two; how many were missing.", "select add_step_parts()")
_DROP = Query(
    int,
    "Drop the oldest parts whose episodes all ended longer ago than this; how many.",
    "select drop_step_parts(:kept)",
)


class StepPartRepository:
    """For the worker; both are functions of the database, which look for themselves.

    Raises DBAPIError from LockNotAvailable where a part is in use.
    """

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def add(self) -> int:
        await self._session.run(_PATIENCE)
        return await self._session.fetch_one(_ADD)

    async def drop(self, kept: timedelta) -> int:
        """`kept` is at least 30 days."""
        await self._session.run(_PATIENCE)
        return await self._session.fetch_one(_DROP, kept=kept)
