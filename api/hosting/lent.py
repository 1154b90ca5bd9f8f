"""Channels that a web process of the same machine has lent to this host, which reads and answers them itself.

A step then passes through one process before it is stored where it passed through two, there and back. The host answers
what it can answer at once: a plain message that is the next step of an environment that it holds, stored before it is
told. With anything else, unread, the channel goes back: errors, repetitions, the last step of an episode, control
frames, the end of the connection, and whatever comes after the number of steps and the seconds it was lent for.

The socket comes as a descriptor (SCM_RIGHTS) over a Unix socket in the abstract namespace, so a web process on another
machine, or in another network namespace, cannot lend: its calls come over the connection, as ever.
"""

import asyncio
import contextlib
import hmac
import socket
import sys
from typing import Any, cast
from uuid import UUID

import msgspec
import structlog

from api.core.nul import holds_nul
from api.core.plain_frame import framed, text_of
from api.hosting.episodes import Episodes
from api.hosting.errors import HostError
from api.hosting.lending import lending_address
from api.hosting.protocol import Call, FrameProtocol, Lent, Returned
from api.hosting.step_views import step_view

log = structlog.get_logger(__name__)
LARGEST = 1 << 18
_ARRIVES_SECONDS = 5.0
_FLUSH_SECONDS = 0.005
_MESSAGE_BYTES = 256
_WAITING = 10_000
_NUL = rb"\u0000"


class _Tool(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    arguments: dict[str, Any] = {}


class _Action(msgspec.Struct, forbid_unknown_fields=True):
    text: str | None = None
    tool: _Tool | None = None


class _Step(msgspec.Struct, forbid_unknown_fields=True):
    number: int
    action: _Action


_decode = msgspec.json.Decoder(_Step).decode


def _plain(action: _Action) -> dict[str, Any] | None:
    """The action as `Action` dumps it without what is None; None where it may be none, which is not told here."""
    if action.tool is None:
        return None if action.text is None else {"text": action.text}
    if action.text is not None:
        return None
    return {"tool": {"name": action.tool.name, "arguments": action.tool.arguments}}


class _LentChannel(asyncio.Protocol):
    """One channel while it is here. `returned` is set when this process reads and writes nothing of it any more."""

    _transport: asyncio.Transport

    def __init__(self, episodes: Episodes, session: UUID, epoch: int, lent: Lent) -> None:
        self._episodes = episodes
        self._session, self._epoch, self._lent = session, epoch, lent
        self._loop = asyncio.get_running_loop()
        self._rest = b""
        self._steps = 0
        self._playing: asyncio.Task[None] | None = None
        self._leaving = False
        self._timer: asyncio.TimerHandle | None = None
        self.returned: asyncio.Future[Returned] = self._loop.create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._timer = self._loop.call_later(self._lent.seconds, self.leave)

    def data_received(self, data: bytes) -> None:
        step = None if self._leaving or self._playing or self._rest or self._unsent else _read(data)
        if step is None:
            self._rest += data
            self.leave()
            return
        self._playing = self._loop.create_task(self._play(*step, data))

    def eof_received(self) -> bool:
        self.leave()
        return True

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - the protocol's words
        self.leave()

    @property
    def _unsent(self) -> int:
        return self._transport.get_write_buffer_size()

    def leave(self) -> None:
        """Give the channel back, after the step that is being played and its reply."""
        if self._leaving:
            return
        self._leaving = True
        self._stop_reading()
        if self._playing is None:
            self._playing = self._loop.create_task(self._return())

    def _stop_reading(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if not self._transport.is_closing():
            self._transport.pause_reading()

    def abort(self) -> None:
        """Close this process's end, whatever is under way."""
        self._stop_reading()
        self._transport.abort()
        if not self.returned.done():
            self.returned.set_result(Returned(self._steps))

    async def _play(self, number: int, action: dict[str, Any], data: bytes) -> None:
        played = None
        try:
            played = await self._episodes.next_step(self._session, self._epoch, number, action)
        except HostError as error:
            log.info("host.refused", code=error.code, why=str(error))
        except Exception as error:  # noqa: BLE001 - who lent it asks again, and tells what is wrong
            log.error("host.failed", error=type(error).__name__)
        if played is None or played.finish:
            self._rest = data + self._rest
        elif not self._transport.is_closing():
            lent = self._lent
            reply = msgspec.json.encode(step_view(lent.public, lent.step_limit, lent.deadline, played))
            self._transport.write(framed(reply))
            self._steps += 1
        self._playing = None
        if self._leaving:
            await self._return()
        elif self._rest or self._steps >= self._lent.steps:
            self.leave()

    async def _return(self) -> None:
        # What is written goes out before who lent it may write.
        await asyncio.sleep(0)
        while not self._transport.is_closing() and self._unsent:  # noqa: ASYNC110 - nobody is told when it is out
            await asyncio.sleep(_FLUSH_SECONDS)
        self._transport.abort()
        if not self.returned.done():
            self.returned.set_result(Returned(self._steps, self._rest))


def _read(data: bytes) -> tuple[int, dict[str, Any]] | None:
    """Number and action of a message that is a step beyond doubt."""
    text = text_of(data)
    if text is None or len(text) > LARGEST:
        return None
    try:
        step = _decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    action = _plain(step.action)
    if action is None or (_NUL in text and holds_nul(action)):
        return None
    return step.number, action


class LentChannels:
    """All channels that are lent to this host. Listens only where there is an abstract namespace (Linux)."""

    def __init__(self, episodes: Episodes, host: UUID, token: str) -> None:
        self._episodes = episodes
        self._host, self._token = host, token.encode()
        self._arriving: dict[str, asyncio.Future[socket.socket]] = {}
        self._here: dict[str, tuple[FrameProtocol, _LentChannel]] = {}
        self._listening: socket.socket | None = None

    def listen(self) -> None:
        """Take sockets from now on."""
        if sys.platform != "linux":
            return
        self._listening = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
        self._listening.bind(lending_address(self._host))
        asyncio.get_running_loop().add_reader(self._listening.fileno(), self._arrived)

    def close(self) -> None:
        """Take no more, and close this process's end of what is here."""
        if self._listening is not None:
            asyncio.get_running_loop().remove_reader(self._listening.fileno())
            self._listening.close()
            self._listening = None
        for _, channel in self._here.values():
            channel.abort()

    async def serve(self, owner: FrameProtocol, call: Call) -> Returned:
        """Answer the steps of a channel until it goes back. Raises HostError where its socket does not come."""
        lent = call.lent
        if lent is None:
            raise HostError("a loan says what is lent")
        try:
            async with asyncio.timeout(_ARRIVES_SECONDS):
                arrived = await self._arrival(lent.loan)
        except TimeoutError:
            raise HostError("the socket did not come") from None
        finally:
            self._arriving.pop(lent.loan, None)
        channel = _LentChannel(self._episodes, call.session, call.epoch, lent)
        await asyncio.get_running_loop().connect_accepted_socket(lambda: channel, arrived)
        self._here[lent.loan] = owner, channel
        try:
            return await channel.returned
        finally:
            del self._here[lent.loan]
            channel.abort()

    def recall(self, loan: str) -> None:
        """Give a channel back soon."""
        if loan in self._here:
            self._here[loan][1].leave()

    def return_all(self) -> None:
        """Give all channels back soon."""
        for _, channel in self._here.values():
            channel.leave()

    def drop(self, owner: FrameProtocol) -> None:
        """Close what a web process lent that is gone: nobody looks after its key."""
        for lender, channel in self._here.values():
            if lender is owner:
                channel.abort()

    def _arrival(self, loan: str) -> "asyncio.Future[socket.socket]":
        return self._arriving.setdefault(loan, asyncio.get_running_loop().create_future())

    def _arrived(self) -> None:
        assert self._listening is not None
        with contextlib.suppress(BlockingIOError):
            said, descriptors, _, _ = socket.recv_fds(self._listening, _MESSAGE_BYTES, 1)
            found = [socket.socket(fileno=descriptor) for descriptor in descriptors]
            token, loan = said[: len(self._token)], said[len(self._token) :].decode("ascii", "replace")
            if not found or not hmac.compare_digest(token, self._token) or len(self._arriving) >= _WAITING:
                for one in found:
                    one.close()
                return
            arrival = self._arrival(loan)
            if arrival.done():
                found[0].close()
                return
            arrival.set_result(found[0])
            # Its call comes over the connection; a socket without one is nobody's.
            asyncio.get_running_loop().call_later(_ARRIVES_SECONDS, self._forget, loan, arrival)

    def _forget(self, loan: str, arrival: "asyncio.Future[socket.socket]") -> None:
        if self._arriving.get(loan) is arrival:
            del self._arriving[loan]
            arrival.result().close()
