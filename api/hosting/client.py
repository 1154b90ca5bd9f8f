"""Reaching the host of a session: the lease says which it is, and a dead host's sessions are taken over."""

import asyncio
import contextlib
from dataclasses import dataclass
from functools import partial
from types import TracebackType
from typing import Any, Self
from uuid import UUID

import structlog
from cachetools import FIFOCache
from sqlalchemy.exc import OperationalError

from api.core import traces
from api.core.db import Database
from api.core.errors import FULL, FULL_SECONDS
from api.hosting.client_errors import (
    CapacityError,
    EnvironmentDownError,
    ImageDiffersError,
    NoHostError,
    NoRoomError,
    SandboxUnfitError,
    SessionOverError,
)
from api.hosting.connection import Connection, SilentError, UnansweredError
from api.hosting.leases import FreeHost, LeaseRepository
from api.hosting.lending import lend_socket
from api.hosting.protocol import Call, FrameError, Lent, Opened, Preparing, Reply, Returned, StepReply
from envs.base import View

log = structlog.get_logger(__name__)
_TIMEOUT = 20.0
_PAUSE = 0.2
_CACHED = 10_000
_FIRST_EPOCH = 1
_WATCH_SECONDS = 5.0
_RETRIED = frozenset({"fenced", "draining", "unavailable"})


@dataclass(frozen=True)
class Target:
    """A host, and the epoch of the lease it has of a session."""

    host: UUID
    address: str
    token: str
    epoch: int


class HostRefusedError(Exception):
    """The host refused, and would again; `code` is one of `api.hosting.errors`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class HostClient:
    """Calls to whatever host has the lease of a session. Close it.

    Every operation may raise HostRefusedError (a refusal that stands), CapacityError, NoHostError, SessionOverError,
    EnvironmentDownError.
    """

    def __init__(self, database: Database, timeout: float = _TIMEOUT) -> None:
        """`timeout`: how long a call is tried again until a living host takes it (seconds)."""
        self._database = database
        self.timeout = timeout
        self._connections: dict[UUID, Connection] = {}
        self._connecting: dict[UUID, asyncio.Task[Connection]] = {}
        # A stale entry does no harm: the host's writes are fenced in the database.
        self._targets: FIFOCache[UUID, Target] = FIFOCache(_CACHED)
        self._telling: set[asyncio.Task[None]] = set()
        self._apart: FIFOCache[UUID, None] = FIFOCache(_CACHED)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections; the hosts go on."""
        for telling in self._telling:
            telling.cancel()
        for connecting in self._connecting.values():
            connecting.cancel()
        for connection in self._connections.values():
            connection.close()
        self._connections.clear()

    def prepare(self, host: FreeHost, session: UUID, prepared: Preparing) -> None:
        """Let a host begin to build what a session needs that is still being admitted: `open` or `discard` comes next.

        Nothing follows where it cannot be reached: the opening builds it then.
        """
        self._tell(host, Call("prepare", session, _FIRST_EPOCH, prepared=prepared))

    def discard(self, host: FreeHost, session: UUID) -> None:
        """The session for which `prepare` was called is not admitted."""
        self._tell(host, Call("release", session, _FIRST_EPOCH))

    def _tell(self, host: FreeHost, call: Call) -> None:
        call.trace = traces.current()
        connection = self._connections.get(host.id)
        if connection is not None and connection.post(call):
            return

        async def tell() -> None:
            # Whatever is wrong, the call that comes next meets it too.
            with contextlib.suppress(Exception):
                await self._ask(Target(host.id, host.address, host.token, call.epoch), call)

        task = asyncio.create_task(tell())
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)

    async def open(self, session: UUID) -> Opened | None:
        """Have the environment built, unless it is there; None where another call did."""
        return (await self._retry_until(Call("open", session))).opened

    async def step(self, session: UUID, number: int, action: dict[str, Any]) -> StepReply:
        """Play one step, or repeat what it gave; stored before this returns."""
        return _step(await self._retry_until(Call("step", session, number=number, action=action)))

    async def view(self, session: UUID, view: View) -> dict[str, Any]:
        """An observation in another mode; it is no step."""
        reply = await self._retry_until(Call("view", session, action=view.model_dump()))
        return reply.observation or {}

    async def finish(self, session: UUID, reason: str, answer: str | None) -> None:
        """End the episode: its environment is probed, the evidence sealed and stored."""
        await self._retry_until(Call("finish", session, reason=reason, answer=answer))

    async def play(self, session: UUID, actions: list[dict[str, Any]], reason: str, answer: str | None) -> None:
        """Play a whole trajectory from where the log ends, then end the episode."""
        await self._retry_until(Call("play", session, actions=actions, reason=reason, answer=answer))

    async def try_step(self, session: UUID, number: int, action: dict[str, Any]) -> StepReply | None:
        """One step at the last known host; None when there is none, or when it refuses."""
        target = self._targets.get(session)
        if target is None:
            return None
        try:
            reply = await self._ask(target, Call("step", session, target.epoch, number=number, action=action))
        except UnansweredError:
            await self._leave(session, target)
            return None
        except (OSError, FrameError):
            self._targets.pop(session, None)
            return None
        return None if reply.refused else _step(reply)

    async def lend(self, session: UUID, lent: Lent, descriptor: int) -> Returned | None:
        """Let the session's host answer a channel itself until it gives it back; None: it was not lent.

        Raises LostLoanError: the host is gone, and perhaps a step that was under way is unanswered.
        """
        target = self._targets.get(session)
        connection = self._connections.get(target.host) if target else None
        if target is None or connection is None or connection.closed or target.host in self._apart:
            return None
        call = Call("lend", session, target.epoch, lent=lent)
        try:
            reply = await connection.lend(call, lambda: lend_socket(target.host, target.token, lent.loan, descriptor))
        except ConnectionRefusedError:
            # On another machine. That stays so.
            self._apart[target.host] = None
            return None
        except OSError:
            return None
        return reply.returned

    async def recall(self, session: UUID, loan: str) -> None:
        """Ask for a lent channel; whoever lent it gets it."""
        target = self._targets.get(session)
        if target:
            with contextlib.suppress(OSError, FrameError):
                await self._ask(target, Call("recall", session, target.epoch, loan=loan))

    async def release(self, session: UUID) -> None:
        """Tell the last known host that a session is over; if it cannot be reached, its next heartbeat finds it out."""
        target = self._targets.pop(session, None)
        if target:
            with contextlib.suppress(OSError, FrameError):
                await self._ask(target, Call("release", session, target.epoch))

    def add_target(self, session: UUID, host: FreeHost, epoch: int) -> None:
        """Remember where a session was just placed."""
        self._targets[session] = Target(host.id, host.address, host.token, epoch)

    async def _retry_until(self, call: Call) -> Reply:
        """Carry a call out where the session's lease is, and take the session over where its host is gone."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self.timeout
        while True:
            try:
                reply = await self._try(call)
            except UnansweredError:
                # What is over by now is found out by the next try; what was moved has a host that was not asked yet.
                reply, deadline = None, loop.time() + self.timeout
            if reply is not None:
                if reply.refused:
                    raise _error(reply.refused)
                return reply
            self._targets.pop(call.session, None)
            if loop.time() > deadline:
                raise NoHostError("send the same request again", retry_after=3)
            await asyncio.sleep(_PAUSE)

    async def _try(self, call: Call) -> Reply | None:
        target = self._targets.get(call.session) or await self._find(call.session)
        if target is None:
            return None
        self._targets[call.session] = target
        call.epoch = target.epoch
        try:
            reply = await self._ask(target, call)
        except UnansweredError:
            await self._leave(call.session, target)
            raise
        except (OSError, FrameError) as error:
            then = "its sessions go on with another host, or with this one once it answers again"
            log.warning("host.lost", host=str(target.host), error=type(error).__name__, detail=str(error), then=then)
            return None
        return None if reply.refused in _RETRIED else reply

    async def _leave(self, session_id: UUID, target: Target) -> None:
        """Put a session elsewhere whose host lives and does not answer; where no other has room, it ends as our fault.

        Raises NoHostError for an opening that cannot be elsewhere.
        """
        log.warning("host.unanswered", host=str(target.host), session=str(session_id))
        self._targets.pop(session_id, None)
        async with self._database.session() as session:
            leases = LeaseRepository(session)
            others = [host for host in await leases.hosts() if host.id != target.host and host.slots > host.used]
            free = emptiest(others)
            if free is not None:
                await leases.take(session_id, target.epoch, free.id)
                return
            ended = await leases.end_unanswered(session_id, target.epoch)
        if not ended:
            raise NoHostError("send the same request again", retry_after=3)

    async def _ask(self, target: Target, call: Call) -> Reply:
        call.trace = traces.current()
        connection = self._connections.get(target.host)
        if connection is not None and not connection.closed:
            try:
                return await connection.request(call)
            except SilentError:
                self._forget(target.host, connection)
                raise
            except UnansweredError:
                raise
            except OSError:
                # It may have been closed before it was asked; a call may be asked twice.
                self._forget(target.host, connection)
        return await (await self._connected(target)).request(call)

    def _forget(self, host: UUID, connection: Connection) -> None:
        if self._connections.get(host) is connection:
            del self._connections[host]

    async def _connected(self, target: Target) -> Connection:
        """The connection to a host, which all calls that want one at this moment wait for together."""
        connecting = self._connecting.get(target.host)
        if connecting is None:
            connecting = self._connecting[target.host] = asyncio.create_task(self._connect(target))
            connecting.add_done_callback(lambda _: self._connecting.pop(target.host, None))
        return await asyncio.shield(connecting)

    async def _connect(self, target: Target) -> Connection:
        found = self._connections.get(target.host)
        if found is not None and not found.closed:
            return found
        connection = Connection(partial(self._is_alive, target.host), _WATCH_SECONDS)
        try:
            await connection.connect(target.address, target.token)
        except OSError:
            # Nobody listens: the process is gone, and its leases need not lapse first.
            await self._deregister(target.host)
            raise
        self._connections[target.host] = connection
        return connection

    async def _is_alive(self, host: UUID) -> bool:
        """Whether the host still says that it lives. A database that does not answer says nothing about it."""
        try:
            async with self._database.session() as session:
                return await LeaseRepository(session).is_alive(host)
        except (OSError, OperationalError):
            return True

    async def _deregister(self, host: UUID) -> None:
        self._connections.pop(host, None)
        async with self._database.session() as session:
            await LeaseRepository(session).deregister(host)

    async def _find(self, session_id: UUID) -> Target | None:
        async with self._database.session() as session:
            leases = LeaseRepository(session)
            owner = await leases.owner(session_id)
            if owner is None or owner.state not in ("opening", "running"):
                raise SessionOverError("GET the session for its finish reason")
            if owner.alive and owner.host and owner.address and owner.token:
                return Target(owner.host, owner.address, owner.token, owner.epoch)
            free = emptiest(await leases.hosts())
            if free is None:
                return None
            epoch = await leases.take(session_id, owner.epoch, free.id)
        return Target(free.id, free.address, free.token, epoch) if epoch else None


def emptiest(hosts: list[FreeHost]) -> FreeHost | None:
    """The host with most room, None where there is no host. Raises CapacityError where none has room."""
    free = max(hosts, key=lambda host: host.slots - host.used, default=None)
    if free is not None and free.slots <= free.used:
        raise CapacityError("try again in a moment", retry_after=5)
    return free


def _step(reply: Reply) -> StepReply:
    if reply.step is None:
        raise HostRefusedError("malformed")
    return reply.step


def _error(code: str) -> Exception:
    """What a refusal of a host is to its caller."""
    if code == "over":
        return SessionOverError("GET the session for its finish reason")
    if code == "full":
        return CapacityError("try again in a moment", retry_after=5)
    if code == "no_room":
        return NoRoomError(FULL, retry_after=FULL_SECONDS)
    if code == "image_differs":
        return ImageDiffersError("the operator has to restore the image, or the owner to publish a new version with it")
    if code == "unfit":
        return SandboxUnfitError(
            "the operator has to run hosts whose sandboxes have several user ids: as root, or Docker"
        )
    if code in ("fault", "malformed"):
        return EnvironmentDownError("send the same request again", retry_after=3)
    return HostRefusedError(code)
