"""The log of steps, written in groups: what comes while one commit is on its way is committed together after it.

A step is answered only after its commit, whoever it was committed with. Whoever was answered just now may act again at
once: where a commit takes long, the next waits for them, for half as long as the last one took, as PostgreSQL advises
for its `commit_delay`. Of 16 sessions then all are committed together, not one half and the other in turn.
"""

import asyncio
from dataclasses import dataclass
from typing import Any

import msgspec
import psycopg
import structlog

from api.core.db import SEARCH_PATH, Database, libpq
from api.hosting.prepared import Prepared
from api.hosting.repository import Lease

log = structlog.get_logger(__name__)
_AT_ONCE = 256
# In a group of so many the commit itself costs each step little.
_WORTH_WAITING = 32
# The least that the event loop's timer tells from nothing, and the most where a commit stood still.
_SHORTEST_WAIT, _LONGEST_WAIT = 0.0005, 0.005
_STORE = """
with asked as (
  select * from jsonb_to_recordset($1::jsonb) as a (
    session uuid, host uuid, epoch integer, number integer, action jsonb, observation jsonb, digest text, finish text,
    answer text, error text)),
mine as (
  update live_session l set steps = a.number, active_at = clock_timestamp() from asked a
  where l.id = a.session and l.host_id = a.host and l.epoch = a.epoch and l.state = 'running'
    and l.steps = a.number - 1
  returning l.id),
stored as (
  insert into session_step (session_id, number, action, observation, digest, finish, answer, error, stored_at)
  select a.session, a.number, a.action, a.observation, a.digest, a.finish, a.answer, a.error, clock_timestamp()
  from asked a join mine on mine.id = a.session)
select id from mine
"""


@dataclass(frozen=True)
class Line:
    """One step under a lease: `fields` are number, action, observation, digest, finish, answer and error."""

    lease: Lease
    fields: dict[str, Any]

    def values(self) -> dict[str, Any]:
        lease = self.lease
        return {"session": lease.session, "host": lease.host, "epoch": lease.epoch, **self.fields}


class Journal:
    """Writes steps over one connection of its own. At most one step of a session at a time."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._connection: Prepared | None = None
        self._waiting: list[tuple[Line, asyncio.Future[bool]]] = []
        self._writer: asyncio.Task[None] | None = None
        # Set while more steps are waited for: how many there may be, and what is told when they are here.
        self._gathering: tuple[int, asyncio.Future[None]] | None = None

    def append(self, line: Line) -> asyncio.Future[bool]:
        """Append one step; true once it is committed. False: fenced out, or the number is taken.

        The future raises (psycopg.Error, mostly) where it is not known whether it was committed.
        """
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((line, done))
        if self._gathering is not None and len(self._waiting) >= self._gathering[0]:
            self._enough(self._gathering[1])
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write())
        return done

    async def close(self) -> None:
        """Wait for what is on its way, and close the connection."""
        if self._writer is not None:
            await asyncio.wait([self._writer])
        await self._disconnect()

    async def _write(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            begun = loop.time()
            group, self._waiting = self._waiting[:_AT_ONCE], self._waiting[_AT_ONCE:]
            try:
                await self._commit(group)
            except Exception as error:  # noqa: BLE001 - whoever waits gets the error, each by itself
                log.warning("journal.failed", error=type(error).__name__, steps=len(group))
                # One line that cannot be stored must not take the others with it.
                for one in group:
                    await self._alone(one)
            await self._gather(len(group), (loop.time() - begun) / 2)

    async def _gather(self, answered: int, seconds: float) -> None:
        """Wait until whoever was answered may have acted again, where somebody waits already."""
        loop = asyncio.get_running_loop()
        expected = min(len(self._waiting) + answered, _WORTH_WAITING)
        if seconds < _SHORTEST_WAIT or not 0 < len(self._waiting) < expected:
            return
        here: asyncio.Future[None] = loop.create_future()
        timer = loop.call_later(min(seconds, _LONGEST_WAIT), self._enough, here)
        self._gathering = expected, here
        try:
            await here
        finally:
            self._gathering = None
            timer.cancel()

    @staticmethod
    def _enough(here: asyncio.Future[None]) -> None:
        if not here.done():
            here.set_result(None)

    async def _alone(self, one: tuple[Line, asyncio.Future[bool]]) -> None:
        try:
            await self._commit([one])
        except Exception as error:  # noqa: BLE001 - handed to whoever waits
            if not one[1].done():
                one[1].set_exception(error)

    async def _commit(self, group: list[tuple[Line, asyncio.Future[bool]]]) -> None:
        accepted = await self._store([line for line, _ in group])
        # All of them, as ever: nobody has to look who.
        every = len(accepted) == len(group)
        for line, done in group:
            if not done.done():
                done.set_result(every or str(line.lease.session) in accepted)

    async def _store(self, lines: list[Line]) -> set[str]:
        """The sessions whose step is committed. Raises psycopg.Error."""
        try:
            if self._connection is None or self._connection.closed:
                self._connection = await Prepared.open(libpq(self._database.url), _STORE, SEARCH_PATH)
            rows = msgspec.json.encode([line.values() for line in lines])
            return {identity.decode() for identity in await self._connection.execute(rows)}
        except psycopg.OperationalError:
            await self._disconnect()
            raise

    async def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()
