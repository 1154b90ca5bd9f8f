"""The host's own life: its socket, its heartbeat, and how it goes down without losing a session."""

import asyncio
import contextlib
import hmac
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Literal
from uuid import UUID

import msgspec
import structlog
from pydantic import ValidationError

from api.core.db import Database, Role
from api.core.ids import new_id
from api.core.settings import Settings
from api.hosting import frames as wire
from api.hosting.episodes import Episodes
from api.hosting.errors import DrainingError, HostError
from api.hosting.repository import HostRepository
from api.hosting.warm import keep_published, open_backend
from envs import engine, registry
from envs.sandbox.warm import WarmBackend

log = structlog.get_logger(__name__)
HEARTBEAT = 1.0
_DRAIN_SECONDS = 20.0
_CLOSE_SECONDS = 5.0
_LARGEST_HELLO = 1024


class Hello(msgspec.Struct, forbid_unknown_fields=True):
    """What a connection begins with."""

    token: str


class Call(msgspec.Struct, forbid_unknown_fields=True):
    """What a host is asked. `operation` picks the fields that are needed; the reply carries the same `id`."""

    id: int
    operation: Literal["open", "step", "view", "finish", "play", "drop"]
    session: UUID
    epoch: int
    number: int = 0
    action: dict[str, Any] = {}
    actions: list[dict[str, Any]] = []
    answer: str | None = None
    reason: str = "completed"


class _Numbered(msgspec.Struct):
    id: int


_hello = msgspec.json.Decoder(Hello)
_call = msgspec.json.Decoder(Call)
_numbered = msgspec.json.Decoder(_Numbered)


class Host:
    """One process's environments behind a socket, on the loopback address unless told. `running` starts and ends it."""

    def __init__(self, settings: Settings) -> None:
        self.id = new_id()
        self._settings = settings
        self._database = Database.of(settings, Role.HOST)
        self._token = secrets.token_hex(32)
        self._busy = 0
        self._idle = asyncio.Event()
        self._idle.set()
        self._draining = False
        self._server: asyncio.Server | None = None
        self._connections: set[wire.Frames] = set()
        self._serving: set[asyncio.Task[None]] = set()
        self._warming: asyncio.Task[None] | None = None
        self.episodes = Episodes(self._database, settings.host_secrets.raw("episode"), self.id)

    @classmethod
    @asynccontextmanager
    async def running(cls, settings: Settings) -> AsyncIterator["Host"]:
        """A host that serves until the block ends, then gives its sessions to others."""
        host = cls(settings)
        await host.start()
        beating = asyncio.create_task(host._beat_always())
        try:
            yield host
        finally:
            await host.drain()
            beating.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await beating
            await host.stop()

    async def start(self) -> None:
        """Listen, and let the service know."""
        engine.use(partial(open_backend, self._settings, self.episodes.counters.claimed))
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._connection, self._settings.host_address, 0)
        await self._beat()
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
        with contextlib.suppress(Exception):
            await self._beat()
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
        await self.episodes.close()
        try:
            await engine.close()
            await registry.close()
        except Exception as error:  # noqa: BLE001 - sandboxes, browser and sites die with this process
            log.warning("host.engine_close_failed", error=type(error).__name__)
        if self._server:
            self._server.close()
        for frames in list(self._connections):
            frames.close()
        if self._serving:
            await asyncio.wait(set(self._serving), timeout=_CLOSE_SECONDS)
        await self._database.close()

    async def _cool(self) -> None:
        if self._warming:
            self._warming.cancel()
            await asyncio.wait([self._warming])

    async def _beat_always(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT)
            try:
                await self._beat()
                await self._release_lost()
            except Exception as error:  # noqa: BLE001 - the database may be restarting; the next beat tells
                log.warning("host.beat_failed", error=type(error).__name__)

    async def _beat(self) -> None:
        assert self._server
        port = self._server.sockets[0].getsockname()[1]
        async with self._database.session() as session:
            await HostRepository(session).heartbeat(
                self.id,
                f"{self._settings.host_address}:{port}",
                self._token,
                self._settings.host_slots,
                self.episodes.counters.told(engine.made()),
                draining=self._draining,
            )

    async def _release_lost(self) -> None:
        # Read before the leases are: what is opened meanwhile is not taken for lost.
        held = self.episodes.held
        async with self._database.session() as session:
            leases = await HostRepository(session).held(self.id)
        for session_id, epoch in held.items():
            if leases.get(session_id) != epoch:
                await self.episodes.release(session_id, epoch)

    def _connection(self) -> wire.Frames:
        frames = wire.Frames(self._heard, self._lost)
        frames.largest = _LARGEST_HELLO
        return frames

    def _heard(self, frames: wire.Frames, body: bytes) -> None:
        if frames not in self._connections:
            try:
                token = _hello.decode(body).token
            except msgspec.MsgspecError:
                token = ""
            if not hmac.compare_digest(token.encode(), self._token.encode()):
                frames.close()
                return
            frames.largest = wire.MAX_FRAME
            self._connections.add(frames)
            return
        task = asyncio.create_task(self._serve(frames, body))
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)

    def _lost(self, frames: wire.Frames) -> None:
        self._connections.discard(frames)

    async def _serve(self, frames: wire.Frames, body: bytes) -> None:
        try:
            number, reply = await self._replied(body)
            await frames.drained()
            try:
                frames.send(reply | {"id": number})
            except wire.WireError as error:
                # Others' calls share the connection, so it stays.
                log.error("host.unsendable", why=str(error))
                frames.send({"refused": "fault", "id": number})
        except (OSError, msgspec.MsgspecError) as error:
            log.info("host.connection_lost", error=type(error).__name__)
            frames.close()

    async def _replied(self, body: bytes) -> tuple[int, dict[str, Any]]:
        try:
            call = _call.decode(body)
        except msgspec.MsgspecError as error:
            log.error("host.malformed_call", fault=type(error).__name__)
            return _numbered.decode(body).id, {"refused": "malformed"}
        return call.id, await self._answer(call)

    async def _answer(self, call: Call) -> dict[str, Any]:
        self._busy += 1
        self._idle.clear()
        try:
            return await self._do(call)
        except HostError as error:
            log.info("host.refused", code=error.code, why=str(error))
            return {"refused": error.code}
        except ValidationError as error:
            log.error("host.malformed_call", faults=error.error_count())
            return {"refused": "malformed"}
        except Exception as error:  # noqa: BLE001 - the caller asks again; nothing unstored was told
            log.error("host.failed", error=type(error).__name__)
            return {"refused": "unavailable"}
        finally:
            self._busy -= 1
            if not self._busy:
                self._idle.set()

    async def _do(self, call: Call) -> dict[str, Any]:
        if self._draining:
            raise DrainingError("this host is going down")
        if call.operation == "open":
            return await self.episodes.open(call.session, call.epoch)
        if call.operation == "step":
            return await self.episodes.step(call.session, call.epoch, call.number, call.action)
        if call.operation == "view":
            return await self.episodes.view(call.session, call.epoch, call.action)
        if call.operation == "finish":
            return await self.episodes.finish(call.session, call.epoch, call.reason, call.answer)
        if call.operation == "play":
            return await self.episodes.play(call.session, call.epoch, call.actions, call.answer, call.reason)
        await self.episodes.release(call.session, call.epoch)
        return {}
