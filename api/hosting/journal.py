"""The log of steps, written in groups: what comes while one commit is on its way is committed together after it.

A step is answered only after its commit, whoever it was committed with. Whoever was answered just now may act again at
once: where a commit takes long, the next waits for them, for half as long as the last one took, as PostgreSQL advises
for its `commit_delay`. Of 16 sessions then all are committed together, not one half and the other in turn.
"""

import asyncio
from dataclasses import dataclass
from typing import Any

from api.core.db import Database
from api.hosting.grouped import Grouped
from api.hosting.repository import Lease

# In a group of so many the commit itself costs each step little.
_WORTH_WAITING = 32
# The least that the event loop's timer tells from nothing, and the most where a commit stood still.
_SHORTEST_WAIT, _LONGEST_WAIT = 0.0005, 0.005


@dataclass(frozen=True)
class Line:
    """One step under a lease: `fields` are number, action, observation, digest, finish, answer and error."""

    lease: Lease
    fields: dict[str, Any]

    def values(self) -> dict[str, Any]:
        return self.lease.values() | self.fields


class Journal(Grouped[Line, bool]):
    """Writes steps. At most one step of a session at a time."""

    statement = """
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

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        # Set while more steps are waited for: how many there may be, and what is told when they are here.
        self._gathering: tuple[int, asyncio.Future[None]] | None = None

    def append(self, line: Line) -> asyncio.Future[bool]:
        """Append one step; true once it is committed. False: fenced out, or the number is taken.

        The future raises (psycopg.Error, mostly) where it is not known whether it was committed.
        """
        done = self.ask(line)
        if self._gathering is not None and len(self._waiting) >= self._gathering[0]:
            self._enough(self._gathering[1])
        return done

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

    async def _answers(self, group: list[Line]) -> list[bool]:
        accepted = await self._store(group)
        # All of them, as ever: nobody has to look who.
        if len(accepted) == len(group):
            return [True] * len(group)
        return [str(line.lease.session) in accepted for line in group]

    async def _store(self, lines: list[Line]) -> set[str]:
        """The sessions whose step is committed. Raises psycopg.Error."""
        return {identity.decode() for identity in await self._execute([line.values() for line in lines])}
