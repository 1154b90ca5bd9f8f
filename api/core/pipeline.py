"""Statements that need nothing of one another's results, sent together: one trip to the database for all of them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Generic

import psycopg

from api.core.db import AsyncSession
from api.core.query import Command, Query, Row
from api.core.trips import Cursor, Statement, send_together


@dataclass
class Later(Generic[Row]):
    """What a statement gives, once its pipeline was sent: `rows` of a query, `changed` of a command."""

    command: Command
    values: Sequence[object]
    rows: list[Row] = field(default_factory=list)
    changed: int = 0

    @property
    def optional(self) -> Row | None:
        """The first row, or None."""
        return self.rows[0] if self.rows else None


class Pipeline:
    """Statements of one transaction, carried out in order when they are sent; each sees what those before it did.

    While a lock is held, a trip costs others as much time as the event loop takes to come back to it.
    """

    def __init__(self, session: AsyncSession) -> None:
        self._session = session
        self._asked: list[Later[Any]] = []

    def fetch(self, query: Query[Row], /, **values: object) -> Later[Row]:
        """Rows, later. Raises TypeError where the values are not those the query declares."""
        return self._add(Later[Row](query, query.ordered(values)))

    def run(self, command: Command, /, **values: object) -> Later[Any]:
        """A change, later."""
        return self._add(Later[Any](command, command.ordered(values)))

    def _add(self, later: Later[Row]) -> Later[Row]:
        self._asked.append(later)
        return later

    async def send(self, *, commit: bool = False) -> None:
        """Carry all of it out, and end the transaction with it where it is known to be at its end.

        Raises DBAPIError; then the transaction can only be rolled back.
        """
        asked, self._asked = self._asked, []
        connection = await self._session.lent()
        statements = [Statement(Cursor(connection), later.command.numbered, later.values) for later in asked]
        try:
            await send_together(connection, statements, commit=commit)
        except psycopg.Error as error:
            raise await self._session.translated(error, asked[0].command) from error
        for statement, later in zip(statements, asked, strict=True):
            cursor = statement.cursor
            later.changed = cursor.rowcount
            if isinstance(later.command, Query):
                columns = [column.name for column in cursor.description or ()]
                later.rows = later.command.typed(columns, await cursor.fetchall())
