"""`WS /v1/sessions/{session}/steps`: the steps of one session over one connection.

A message is the body of the POST of the same address, its answer what the POST answers: the reply, or a problem
document, which alone has a `status`. Key and scope are checked at the handshake and again every few seconds. Both ways
share one handler (`api.sessions.steps`).
"""

import asyncio
import contextlib
import math
from dataclasses import dataclass
from types import TracebackType
from typing import Self
from uuid import UUID

from fastapi import APIRouter, Depends, Response, WebSocket
from sqlalchemy.exc import SQLAlchemyError
from starlette.types import Message

from api.accounts.models import Scope
from api.accounts.principal import Principal, RequireAtOnce
from api.accounts.repository import AccountRepository
from api.core import traces
from api.core.db import Database
from api.core.ids import public_id
from api.core.outage import Outage
from api.core.ratelimit import limited
from api.hosting.client_errors import SessionOverError
from api.hosting.connection import LostLoanError
from api.hosting.models import SessionState
from api.hosting.session_repository import SessionRepository
from api.sessions.cache import CachedSession, StepCache
from api.sessions.lending import QUICK_SECONDS, Lender
from api.sessions.lookup import own_session
from api.sessions.steps import LARGEST, StepHandler

CHECK_SECONDS = 5.0
_REFUSED = (401, 403, 404)
_OK = 200
_DONE, _POLICY, _TOO_LARGE, _AGAIN = 1000, 1008, 1009, 1012
router = APIRouter(prefix="/v1", dependencies=[Depends(RequireAtOnce(Scope.SESSIONS_WRITE)), Depends(limited("steps"))])


@dataclass(eq=False)
class Channel:
    """One connection. `busy`: a step is being played, whose reply is sent before the channel is closed, or the
    session's host answers; `ending`: how it is closed when it is back from there."""

    socket: WebSocket
    session: UUID
    key: UUID
    lender: Lender
    busy: bool = False
    ending: tuple[int, str] | None = None

    async def close(self, code: int, reason: str) -> None:
        """Close; it may be closed already."""
        if self.lender.loan is not None:
            self.ending = code, reason
            await self.lender.recall()
            return
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
        outage = Outage("channels.unchecked")
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            try:
                await self.check()
                outage.worked()
            except (OSError, SQLAlchemyError) as error:
                # Nothing gets through meanwhile: a step needs its key to have been checked lately.
                outage.failed(error)


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
    channel = Channel(socket, row.id, principal.key_id, Lender(socket, row.id, public, principal))
    await socket.accept()
    channels: Channels = socket.app.state.channels
    await channels.add(channel)
    try:
        await _serve(channel, public)
    finally:
        channels.remove(channel)


async def _serve(channel: Channel, public: str) -> None:
    socket, replied = channel.socket, -math.inf
    loop = asyncio.get_running_loop()
    # Whoever opens a channel is about to act: the first steps, too, are the host's.
    going_on = await _lent(channel)
    while going_on and channel.ending is None:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        quick = loop.time() - replied < QUICK_SECONDS
        body = _bytes(message)
        if len(body) > LARGEST:
            await channel.close(_TOO_LARGE, f"at most {LARGEST} bytes; POST what is longer")
            return
        channel.busy = True
        status = await _answer(channel, public, body)
        if status is None or status in _REFUSED:
            return
        if quick and status == _OK:
            going_on = await _lent(channel)
        channel.busy = False
        replied = loop.time()
    if channel.ending is not None:
        await channel.close(*channel.ending)


async def _lent(channel: Channel) -> bool:
    """Lend the channel, where that can be done, until it is back; false where it was closed."""
    channel.busy = True
    try:
        await channel.lender.lend()
    except LostLoanError:
        # A step may have been under way: whoever asks for it again gets its reply.
        await channel.close(_AGAIN, "the session's host is gone; connect again and send the step again")
        return False
    channel.busy = False
    return True


async def _answer(channel: Channel, public: str, body: bytes) -> int | None:
    """Take a step and send its reply; the reply's status. None where nobody is there to hear it."""
    socket, handler = channel.socket, channel.socket.app.state.steps
    assert isinstance(handler, StepHandler)
    with traces.span("channel /v1/sessions/{session}/steps"):
        response = await handler.handle(socket, socket.headers["Authorization"], public, body, Response())
    try:
        await socket.send({"type": "websocket.send", "text": bytes(response.body).decode()})
    except (RuntimeError, OSError):
        # The step is stored: whoever asks again gets its reply.
        return None
    if response.status_code in _REFUSED:
        channel.busy = False
        await channel.close(_POLICY, "the key may not step this session")
    return response.status_code


def _bytes(message: Message) -> bytes:
    text = message.get("text")
    return text.encode() if text is not None else message.get("bytes") or b""
