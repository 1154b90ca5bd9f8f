"""`WS /v1/sessions/{session}/steps`: the steps of one session over one connection.

A message is the body of the POST of the same address, its answer what the POST answers: the reply, or a problem
document, which alone has a `status`. Key and scope are checked at the handshake and again every few seconds. Both ways
share one handler (`api.sessions.steps`).
"""

import asyncio
import contextlib
from dataclasses import dataclass
from types import TracebackType
from typing import Self
from uuid import UUID

import structlog
from fastapi import APIRouter, Depends, Response, WebSocket
from sqlalchemy.exc import SQLAlchemyError
from starlette.types import Message

from api.accounts.models import Scope
from api.accounts.principal import Principal, RequireAtOnce
from api.accounts.repository import AccountRepository
from api.core.db import Database
from api.core.ids import public_id
from api.core.ratelimit import limited
from api.hosting.client_errors import SessionOverError
from api.hosting.models import SessionState
from api.hosting.session_repository import SessionRepository
from api.sessions.cache import CachedSession, StepCache
from api.sessions.lookup import own_session
from api.sessions.steps import LARGEST, StepHandler

log = structlog.get_logger(__name__)
CHECK_SECONDS = 5.0
_REFUSED = (401, 403, 404)
_DONE, _POLICY, _TOO_LARGE = 1000, 1008, 1009
router = APIRouter(prefix="/v1", dependencies=[Depends(RequireAtOnce(Scope.SESSIONS_WRITE)), Depends(limited("steps"))])


@dataclass(eq=False)
class Channel:
    """One connection. `busy`: a step is being played, whose reply is sent before the channel is closed."""

    socket: WebSocket
    session: UUID
    key: UUID
    busy: bool = False

    async def close(self, code: int, reason: str) -> None:
        """Close; it may be closed already."""
        with contextlib.suppress(RuntimeError, OSError):
            await self.socket.close(code, reason)


class Channels:
    """The open channels of this process, one of a session: the newest. Those that nothing may come over are closed."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._open: dict[UUID, Channel] = {}
        self._checking: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._checking = asyncio.create_task(self._check_always())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._checking
        self._checking.cancel()
        await asyncio.wait([self._checking])

    async def add(self, channel: Channel) -> None:
        """Let a channel in, in the place of an older one of the same session."""
        older = self._open.get(channel.session)
        self._open[channel.session] = channel
        if older is not None:
            await older.close(_DONE, "another channel was opened")

    def remove(self, channel: Channel) -> None:
        """A channel has ended."""
        if self._open.get(channel.session) is channel:
            del self._open[channel.session]

    async def check(self) -> None:
        """Close the channels whose key was revoked or has expired, and those of sessions that have ended."""
        waiting = [channel for channel in self._open.values() if not channel.busy]
        if not waiting:
            return
        async with self._database.session() as session:
            active = await SessionRepository(session).active([channel.session for channel in waiting])
            valid = await AccountRepository(session).valid_keys([channel.key for channel in waiting])
        for channel in waiting:
            if channel.key not in valid:
                await channel.close(_POLICY, "the key is not valid any more")
            elif channel.session not in active and not channel.busy:
                await channel.close(_DONE, "the episode has ended")

    async def _check_always(self) -> None:
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            try:
                await self.check()
            except (OSError, SQLAlchemyError) as error:
                # Nothing gets through meanwhile: a step needs its key to have been checked lately.
                log.warning("channels.unchecked", error=type(error).__name__)


@router.websocket("/sessions/{session}/steps")
async def step_over_channel(socket: WebSocket, session: str) -> None:
    """Act, message by message, until either side closes or the episode ends."""
    principal: Principal = socket.state.principal
    async with socket.app.state.database.session() as database:
        row = await own_session(SessionRepository(database), principal, session)
    if row.state not in (SessionState.OPENING, SessionState.RUNNING):
        raise SessionOverError("GET the session for its finish reason", finish_reason=row.finish_reason)
    # As the session's own id is written: what it is cached under.
    public = public_id("ses", row.id)
    cache: StepCache = socket.app.state.step_cache
    cache.add_key(socket.headers["Authorization"], principal)
    if row.state == SessionState.RUNNING:
        cache.add_session(public, CachedSession.of(row))
    channel = Channel(socket, row.id, principal.key_id)
    await socket.accept()
    channels: Channels = socket.app.state.channels
    await channels.add(channel)
    try:
        await _serve(channel, public)
    finally:
        channels.remove(channel)


async def _serve(channel: Channel, public: str) -> None:
    socket = channel.socket
    handler: StepHandler = socket.app.state.steps
    authorization, reply = socket.headers["Authorization"], Response()
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        body = _bytes(message)
        if len(body) > LARGEST:
            await channel.close(_TOO_LARGE, f"at most {LARGEST} bytes; POST what is longer")
            return
        channel.busy = True
        response = await handler.handle(socket, authorization, public, body, reply)
        try:
            await socket.send({"type": "websocket.send", "text": bytes(response.body).decode()})
        except (RuntimeError, OSError):
            # The step is stored: whoever asks again gets its reply.
            return
        channel.busy = False
        if response.status_code in _REFUSED:
            await channel.close(_POLICY, "the key may not step this session")
            return


def _bytes(message: Message) -> bytes:
    text = message.get("text")
    return text.encode() if text is not None else message.get("bytes") or b""
