"""One statement for many callers: who come while one execution is on its way are answered together by the next.

Over a connection of its own, without SQLAlchemy: where nothing of its code is in the processor's caches any more, as
when an episode is opened every half second, a statement through it costs a host 1.1 ms of processor time, so 0.15.
"""

import asyncio
from abc import ABC, abstractmethod
from typing import Any, ClassVar, Generic, TypeVar

import msgspec
import psycopg
import structlog

from api.core.db import SEARCH_PATH, Database, libpq
from api.hosting.prepared import Prepared

log = structlog.get_logger(__name__)
_AT_ONCE = 256
One = TypeVar("One")
Response = TypeVar("Response")


class Grouped(ABC, Generic[One, Response]):
    """Asks one statement, whose parameter is a JSON array of what was asked. Close it."""

    statement: ClassVar[str]

    def __init__(self, database: Database) -> None:
        self._database = database
        self._connection: Prepared | None = None
        self._waiting: list[tuple[One, asyncio.Future[Response]]] = []
        self._asking: asyncio.Task[None] | None = None

    @abstractmethod
    async def _answers(self, group: list[One]) -> list[Response]:
        """What each of them is told, after `_execute`."""

    def ask(self, one: One) -> asyncio.Future[Response]:
        """What the statement says of `one`, once it is committed.

        The future raises (psycopg.Error, mostly) where it is not known whether it was committed.
        """
        done: asyncio.Future[Response] = asyncio.get_running_loop().create_future()
        self._waiting.append((one, done))
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._ask())
        return done

    async def close(self) -> None:
        """Wait for what is on its way, and close the connection."""
        if self._asking is not None:
            await asyncio.wait([self._asking])
        await self._disconnect()

    async def _ask(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            begun = loop.time()
            group, self._waiting = self._waiting[:_AT_ONCE], self._waiting[_AT_ONCE:]
            try:
                await self._respond(group)
            except Exception as error:  # noqa: BLE001 - whoever waits gets the error, each by itself
                log.warning("statement.failed", of=type(self).__name__, error=type(error).__name__, asked=len(group))
                # One that cannot be carried out must not take the others with it.
                for one in group:
                    await self._alone(one)
            await self._gather(len(group), (loop.time() - begun) / 2)

    async def _gather(self, answered: int, seconds: float) -> None:
        """Called between two executions: how many the last one answered, and half the seconds that it took."""

    async def _alone(self, one: tuple[One, asyncio.Future[Response]]) -> None:
        try:
            await self._respond([one])
        except Exception as error:  # noqa: BLE001 - handed to whoever waits
            if not one[1].done():
                one[1].set_exception(error)

    async def _respond(self, group: list[tuple[One, asyncio.Future[Response]]]) -> None:
        answers = await self._answers([one for one, _ in group])
        for (_, done), told in zip(group, answers, strict=True):
            if not done.done():
                done.set_result(told)

    async def _execute(self, values: list[Any]) -> list[bytes]:
        """The first column of what the statement returns. Raises psycopg.Error."""
        try:
            if self._connection is None or self._connection.closed:
                self._connection = await Prepared.open(libpq(self._database.url), self.statement, SEARCH_PATH)
            return await self._connection.execute(msgspec.json.encode(values))
        except psycopg.OperationalError:
            await self._disconnect()
            raise

    async def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()
