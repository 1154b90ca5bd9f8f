"""Reaching the process that holds a session: the lease says which, and a dead holder's sessions are taken over."""

import asyncio
import contextlib
from collections import OrderedDict
from dataclasses import dataclass
from functools import partial
from types import TracebackType
from typing import Any, Self
from uuid import UUID

import structlog
from sqlalchemy.exc import OperationalError

from api.core.db import Database
from api.hosting import frames as wire
from api.hosting.client_errors import (
    CapacityError,
    EnvironmentDownError,
    ImageDiffersError,
    NoHostError,
    SessionOverError,
)
from api.hosting.connection import SilentError, Trunk
from api.hosting.leases import FreeHost, LeaseRepository

log = structlog.get_logger(__name__)
_PATIENCE = 20.0
_PAUSE = 0.2
_KNOWN = 10_000
_WATCH_SECONDS = 5.0
_AGAIN = frozenset({"fenced", "draining", "unavailable"})


@dataclass(frozen=True)
class Target:
    """A holder under a lease."""

    host: UUID
    address: str
    token: str
    epoch: int


class HolderError(Exception):
    """The holder refused; `code` is one of `api.hosting.errors`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Holders:
    """Calls to whatever host holds a session. Close it."""

    def __init__(self, database: Database, patience: float = _PATIENCE) -> None:
        """`patience`: how long a call waits for a living holder (seconds)."""
        self._database = database
        self.patience = patience
        self._trunks: dict[UUID, Trunk] = {}
        self._connecting: dict[UUID, asyncio.Task[Trunk]] = {}
        # A stale entry does no harm: the holder's writes are fenced in the database.
        self._targets: OrderedDict[UUID, Target] = OrderedDict()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections; the hosts go on."""
        for connecting in self._connecting.values():
            connecting.cancel()
        for trunk in self._trunks.values():
            trunk.close()
        self._trunks.clear()

    async def call(self, session: UUID, operation: str, **arguments: Any) -> dict[str, Any]:
        """Carry `operation` out where the session lives, taking it over where its holder is gone.

        Raises HolderError (a refusal that stands), CapacityError, NoHostError, SessionOverError, EnvironmentDownError.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self.patience
        while True:
            reply = await self._try(session, {"operation": operation, "session": str(session), **arguments})
            if reply is not None:
                return _told(reply)
            self._targets.pop(session, None)
            if loop.time() > deadline:
                raise NoHostError("send the same request again", retry_after=3)
            await asyncio.sleep(_PAUSE)

    async def once(self, session: UUID, operation: str, **arguments: Any) -> dict[str, Any] | None:
        """The reply of the last known holder; None when there is none, or when it refuses."""
        target = self._targets.get(session)
        if target is None:
            return None
        try:
            reply = await self._ask(
                target, {"operation": operation, "session": str(session), "epoch": target.epoch, **arguments}
            )
        except (OSError, wire.WireError):
            self._targets.pop(session, None)
            return None
        return None if "refused" in reply else reply

    def placed(self, session: UUID, host: FreeHost, epoch: int) -> None:
        """Remember where a session was just placed."""
        self._know(session, Target(host.id, host.address, host.token, epoch))

    def _know(self, session: UUID, target: Target) -> None:
        self._targets[session] = target
        if len(self._targets) > _KNOWN:
            self._targets.popitem(last=False)

    async def drop(self, session: UUID) -> None:
        """Tell the last known holder that a session is over; if it does not hear, its next heartbeat tells it."""
        target = self._targets.pop(session, None)
        if target:
            message = {"operation": "drop", "session": str(session), "epoch": target.epoch}
            with contextlib.suppress(OSError, wire.WireError):
                await self._ask(target, message)

    async def _try(self, session: UUID, message: dict[str, Any]) -> dict[str, Any] | None:
        target = self._targets.get(session) or await self._find(session)
        if target is None:
            return None
        self._know(session, target)
        try:
            reply = await self._ask(target, message | {"epoch": target.epoch})
        except (OSError, wire.WireError) as error:
            log.warning("host.lost", host=str(target.host), error=type(error).__name__)
            return None
        return None if reply.get("refused") in _AGAIN else reply

    async def _ask(self, target: Target, message: dict[str, Any]) -> dict[str, Any]:
        trunk = self._trunks.get(target.host)
        if trunk is not None and not trunk.closed:
            try:
                return await trunk.ask(message)
            except SilentError:
                self._forget(target.host, trunk)
                raise
            except OSError:
                # It may have been closed before it was asked; a call may be asked twice.
                self._forget(target.host, trunk)
        return await (await self._connected(target)).ask(message)

    def _forget(self, host: UUID, trunk: Trunk) -> None:
        if self._trunks.get(host) is trunk:
            del self._trunks[host]

    async def _connected(self, target: Target) -> Trunk:
        """The connection to a host, which all calls that want one at this moment wait for together."""
        connecting = self._connecting.get(target.host)
        if connecting is None:
            connecting = self._connecting[target.host] = asyncio.create_task(self._connect(target))
            connecting.add_done_callback(lambda _: self._connecting.pop(target.host, None))
        return await asyncio.shield(connecting)

    async def _connect(self, target: Target) -> Trunk:
        found = self._trunks.get(target.host)
        if found is not None and not found.closed:
            return found
        trunk = Trunk(partial(self._beats, target.host), _WATCH_SECONDS)
        try:
            await trunk.connect(target.address, target.token)
        except OSError:
            # Nobody listens: the process is gone, and its leases need not lapse first.
            await self._strike(target.host)
            raise
        self._trunks[target.host] = trunk
        return trunk

    async def _beats(self, host: UUID) -> bool:
        """Whether the host still says that it lives. A database that does not answer tells nothing."""
        try:
            async with self._database.session() as session:
                return await LeaseRepository(session).is_alive(host)
        except (OSError, OperationalError):
            return True

    async def _strike(self, host: UUID) -> None:
        self._trunks.pop(host, None)
        async with self._database.session() as session:
            await LeaseRepository(session).deregister(host)

    async def _find(self, session_id: UUID) -> Target | None:
        async with self._database.session() as session:
            leases = LeaseRepository(session)
            row = await leases.owner(session_id)
            if row is None or row.state not in ("opening", "running"):
                raise SessionOverError("GET the session for its finish reason")
            if row.alive and row.host and row.address and row.token:
                return Target(row.host, row.address, row.token, row.epoch)
            free = emptiest(await leases.hosts())
            if free is None:
                return None
            epoch = await leases.take(session_id, row.epoch, free.id)
        return Target(free.id, free.address, free.token, epoch) if epoch else None


def emptiest(hosts: list[FreeHost]) -> FreeHost | None:
    """The host with most room, None where there is no host. Raises CapacityError where none has room."""
    free = max(hosts, key=lambda host: host.slots - host.used, default=None)
    if free is not None and free.slots <= free.used:
        raise CapacityError("try again in a moment", retry_after=5)
    return free


def _told(reply: dict[str, Any]) -> dict[str, Any]:
    code = reply.get("refused")
    if code is None:
        return reply
    if code == "over":
        raise SessionOverError("GET the session for its finish reason")
    if code == "full":
        raise CapacityError("try again in a moment", retry_after=5)
    if code == "image_differs":
        raise ImageDiffersError("the operator has to restore the image, or the owner to publish a new version with it")
    if code in ("fault", "malformed"):
        detail = "send the same request again"
        raise EnvironmentDownError(detail, retry_after=3)
    raise HolderError(str(code))
