"""Environments that are built while the web process still admits their sessions.

Whether a session may be opened and what its environment is have nothing to do with each other, and either takes about
as long. What is built early is told to nobody and stored nowhere before its session is there, under this host's lease
and of this very problem; what no session comes for is destroyed.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import structlog

from api.hosting.repository import Lease
from api.hosting.running_episode import LeasedEpisode

log = structlog.get_logger(__name__)
# An admission waits for others; one that took so long failed, or its process died.
_ADMISSION_SECONDS = 30.0


@dataclass(frozen=True)
class Asked:
    """The session that is being admitted, and what its environment is made from."""

    lease: Lease
    problem: UUID
    seed: int
    variant: str

    def values(self) -> dict[str, Any]:
        """For the statement that opens the session, if it is this one."""
        return {"problem": self.problem, "seed": self.seed, "variant": self.variant}


@dataclass(frozen=True)
class Built:
    """An environment that has begun, and its first observation."""

    asked: Asked
    running: LeasedEpisode
    first: dict[str, Any]


@dataclass(frozen=True)
class _Building:
    asked: Asked
    since: float
    task: asyncio.Task[Built]


class EarlyBuilds:
    """Of one host, by session."""

    def __init__(self, build: Callable[[Asked], Awaitable[Built]]) -> None:
        self._build = build
        self._building: dict[UUID, _Building] = {}
        self._dropping: set[asyncio.Task[None]] = set()

    def begin(self, asked: Asked) -> None:
        """Begin to build, unless it was begun."""
        session = asked.lease.session
        if session not in self._building:
            task = asyncio.ensure_future(self._build(asked))
            self._building[session] = _Building(asked, asyncio.get_running_loop().time(), task)

    async def take(self, lease: Lease) -> Built | None:
        """What was built for this lease, once it is; None where nothing was, or it failed: build then, and see why."""
        found = self._building.pop(lease.session, None)
        if found is None:
            return None
        if found.asked.lease != lease:
            self._drop(found)
            return None
        try:
            return await found.task
        except asyncio.CancelledError:
            self._drop(found)
            raise
        except Exception as error:  # noqa: BLE001 - it fails again, and is told, where it was no accident
            log.info("environment.not_early", session=str(lease.session), error=type(error).__name__)
            return None

    def drop(self, session: UUID) -> None:
        """Its session is not opened."""
        found = self._building.pop(session, None)
        if found is not None:
            self._drop(found)

    def drop_forgotten(self) -> None:
        """Those that nobody came for."""
        before = asyncio.get_running_loop().time() - _ADMISSION_SECONDS
        for session in [session for session, found in self._building.items() if found.since < before]:
            self.drop(session)

    async def close(self) -> None:
        """Destroy all of them."""
        for session in list(self._building):
            self.drop(session)
        if self._dropping:
            await asyncio.wait(set(self._dropping))

    def _drop(self, found: _Building) -> None:
        async def destroy() -> None:
            found.task.cancel()
            await asyncio.wait([found.task])
            if not found.task.cancelled() and found.task.exception() is None:
                await found.task.result().running.close()

        task = asyncio.ensure_future(destroy())
        self._dropping.add(task)
        task.add_done_callback(self._dropping.discard)
