"""The host's own life: its socket, its heartbeat, and how it goes down without losing a session."""

import asyncio
import contextlib
import hmac
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import msgspec
import structlog
from pydantic import ValidationError

from api.core import traces
from api.core.db import Database, Role, full
from api.core.ids import new_id
from api.core.outage import Outage
from api.core.settings import Settings
from api.hosting.episodes import Episodes
from api.hosting.errors import DrainingError, HostError
from api.hosting.lent import LentChannels
from api.hosting.protocol import MAX_FRAME, Call, FrameError, FrameProtocol, Hello, Reply
from api.hosting.repository import HostRepository
from api.hosting.warm import keep_published, open_backend
from envs import engine, registry
from envs.sandbox.warm import WarmBackend

log = structlog.get_logger(__name__)
HEARTBEAT = 1.0
_DRAIN_SECONDS = 20.0
_CLOSE_SECONDS = 5.0
_LARGEST_HELLO = 1024


class _Numbered(msgspec.Struct):
    id: int


_hello = msgspec.json.Decoder(Hello)
_call = msgspec.json.Decoder(Call)
_numbered = msgspec.json.Decoder(_Numbered)


class Host:
    """One process's environments behind a socket, on the loopback address unless set. `running` starts and ends it."""

    def __init__(self, settings: Settings) -> None:
        self.id = new_id()
        self._settings = settings
        self._database = Database.of(settings, Role.HOST)
        self._token = secrets.token_hex(32)
        self._running = 0
        self._idle = asyncio.Event()
        self._idle.set()
        self._draining = False
        self._server: asyncio.Server | None = None
        self._connections: set[FrameProtocol] = set()
        self._handling: set[asyncio.Task[None]] = set()
        self._warming: asyncio.Task[None] | None = None
        self.episodes = Episodes(self._database, lambda: settings.host_secrets.raw("episode"), self.id)
        self._lent = LentChannels(self.episodes, self.id, self._token)

    @classmethod
    @asynccontextmanager
    async def running(cls, settings: Settings) -> AsyncIterator["Host"]:
        """A host that serves until the block ends, then gives its sessions to others."""
        host = cls(settings)
        await host.start()
        heartbeats = asyncio.create_task(host._heartbeat_always())
        try:
            yield host
        finally:
            await host.drain()
            heartbeats.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await heartbeats
            await host.stop()

    async def start(self) -> None:
        """Listen, and let the service know."""
        engine.use(partial(open_backend, self._settings, self.episodes.counters.leased))
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._protocol, self._settings.host_address, 0)
        self._lent.listen()
        await self._heartbeat()
        self._warming = asyncio.create_task(self._warm())

    async def _warm(self) -> None:
        """Keep ready what published episodes begin with. Without it the first opening of each kind waits."""
        try:
            async with self._database.session() as session:
                if not await HostRepository(session).sample(1):
                    return
            backend = await engine.backend()
            if isinstance(backend, WarmBackend):
                await keep_published(self._database, self._settings.host_secrets.raw("episode"), backend)
        except Exception as error:  # noqa: BLE001 - openings then say what is wrong
            log.warning("pool.not_warm", error=type(error).__name__, why=str(error)[:200])

    async def drain(self) -> None:
        """Take nothing new, let running calls end, and give every lease up. The logs carry the sessions on."""
        self._draining = True
        self._lent.return_all()
        with contextlib.suppress(Exception):
            await self._heartbeat()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._idle.wait(), _DRAIN_SECONDS)

    async def stop(self) -> None:
        """Deregister the host, destroy its environments, close."""
        try:
            async with self._database.session() as session:
                await HostRepository(session).deregister(self.id)
        except Exception as error:  # noqa: BLE001 - the database may be gone; the leases then lapse by themselves
            log.warning("host.deregister_failed", error=type(error).__name__)
        await self._cool()
        self._lent.close()
        await self.episodes.close()
        try:
            await engine.close()
            await registry.close()
        except Exception as error:  # noqa: BLE001 - sandboxes, browser and sites die with this process
            log.warning("host.engine_close_failed", error=type(error).__name__)
        if self._server:
            self._server.close()
        for protocol in list(self._connections):
            protocol.close()
        if self._handling:
            await asyncio.wait(set(self._handling), timeout=_CLOSE_SECONDS)
        await self._database.close()

    async def _cool(self) -> None:
        if self._warming:
            self._warming.cancel()
            await asyncio.wait([self._warming])

    async def _heartbeat_always(self) -> None:
        outage = Outage("host.heartbeat_failed")
        while True:
            await asyncio.sleep(HEARTBEAT)
            try:
                await self._heartbeat()
                await self._release_lost()
                outage.worked()
            except Exception as error:  # noqa: BLE001 - the database may be restarting; the next heartbeat may succeed
                outage.failed(error)

    async def _heartbeat(self) -> None:
        assert self._server
        port = self._server.sockets[0].getsockname()[1]
        async with self._database.session() as session:
            await HostRepository(session).heartbeat(
                self.id,
                f"{self._settings.host_address}:{port}",
                self._token,
                self._settings.host_slots,
                self.episodes.counters.to_json(engine.made()),
                draining=self._draining,
            )

    async def _release_lost(self) -> None:
        self.episodes.drop_forgotten()
        # Read before the leases are: what is opened meanwhile is not taken for lost.
        epochs = self.episodes.epochs
        async with self._database.session() as session:
            leases = await HostRepository(session).epochs(self.id)
        for session_id, epoch in epochs.items():
            if leases.get(session_id) != epoch:
                await self.episodes.release(session_id, epoch)

    def _protocol(self) -> FrameProtocol:
        protocol = FrameProtocol(self._on_frame, self._on_close)
        protocol.largest = _LARGEST_HELLO
        return protocol

    def _on_close(self, protocol: FrameProtocol) -> None:
        self._connections.discard(protocol)
        self._lent.drop(protocol)

    def _on_frame(self, protocol: FrameProtocol, body: bytes) -> None:
        """The first frame of a connection is its token; each later one is a call, handled by a task of its own."""
        if protocol not in self._connections:
            self._accept(protocol, body)
            return
        task = asyncio.create_task(self._handle(protocol, body))
        self._handling.add(task)
        task.add_done_callback(self._handling.discard)

    def _accept(self, protocol: FrameProtocol, body: bytes) -> None:
        try:
            token = _hello.decode(body).token
        except msgspec.MsgspecError:
            token = ""
        if not hmac.compare_digest(token.encode(), self._token.encode()):
            protocol.close()
            return
        protocol.largest = MAX_FRAME
        self._connections.add(protocol)

    async def _handle(self, protocol: FrameProtocol, body: bytes) -> None:
        """Decode a call, carry it out, send its reply."""
        try:
            try:
                call = _call.decode(body)
            except msgspec.MsgspecError as error:
                log.error("host.malformed_call", fault=type(error).__name__)
                number, reply = _numbered.decode(body).id, Reply(refused="malformed")
            else:
                number, reply = call.id, await self._reply_to(protocol, call)
            reply.id = number
            await protocol.drained()
            try:
                protocol.send(reply)
            except FrameError as error:
                # Others' calls share the connection, so it stays.
                log.error("host.unsendable", why=str(error))
                protocol.send(Reply(number, refused="fault"))
        except (OSError, msgspec.MsgspecError) as error:
            log.info("host.connection_lost", error=type(error).__name__)
            protocol.close()

    async def _reply_to(self, protocol: FrameProtocol, call: Call) -> Reply:
        """Carry a call out, counted as running until it ends; whatever goes wrong is a refusal with its code."""
        self._running += 1
        self._idle.clear()
        try:
            with traces.span(f"host {call.operation}", parent=call.trace):
                return await self._execute(protocol, call)
        except HostError as error:
            log.info("host.refused", code=error.code, why=str(error))
            return Reply(refused=error.code)
        except ValidationError as error:
            log.error("host.malformed_call", faults=error.error_count())
            return Reply(refused="malformed")
        except Exception as error:  # noqa: BLE001 - the caller asks again; nothing unstored was sent
            if full(error):
                log.error("database.full")
                return Reply(refused="no_room")
            log.error("host.failed", error=type(error).__name__)
            return Reply(refused="unavailable")
        finally:
            self._running -= 1
            if not self._running:
                self._idle.set()

    async def _execute(self, protocol: FrameProtocol, call: Call) -> Reply:
        if self._draining:
            raise DrainingError("this host is going down")
        episodes, lease = self.episodes, (call.session, call.epoch)
        match call.operation:
            case "prepare":
                if (asked := call.prepared) is not None:
                    episodes.prepare(*lease, asked.problem, asked.seed, asked.variant)
            case "open":
                return Reply(opened=await episodes.open(*lease))
            case "step":
                return Reply(step=await episodes.step(*lease, call.number, call.action))
            case "lend":
                return Reply(returned=await self._lent.serve(protocol, call))
            case "recall":
                self._lent.recall(call.loan)
            case "view":
                return Reply(observation=await episodes.view(*lease, call.action))
            case "finish":
                await episodes.finish(*lease, call.reason, call.answer)
            case "play":
                await episodes.play(*lease, call.actions, call.answer, call.reason)
            case "release":
                await episodes.release(*lease)
        return Reply()
