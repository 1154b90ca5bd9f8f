"""One connection to a host, shared by the calls of all its sessions."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import msgspec

from api.admission.player import CALL_SECONDS
from api.hosting.leases import HOST_SECONDS
from api.hosting.protocol import Call, FrameProtocol, Hello, Reply

CONNECT_SECONDS = 10.0
_STEP_SECONDS = 5.0
_reply = msgspec.json.Decoder(Reply)


class SilentError(ConnectionError):
    """The host took a call, and then gave neither a reply nor a heartbeat."""


class UnansweredError(ConnectionError):
    """The host took a call and lives, and gave no reply for longer than the call can take."""


class LostLoanError(Exception):
    """The host is gone that had a channel; a step may have been under way."""


def longest(call: Call) -> float:
    """Seconds after which nobody waits for a call any more: a host bounds each call of a world by CALL_SECONDS, may
    have to build the world first, and plays what a session's log or a posted trajectory holds."""
    return 2 * CALL_SECONDS + _STEP_SECONDS * (call.number + len(call.actions))


@dataclass
class _Pending:
    since: float
    reply: asyncio.Future[Reply]


class Connection:
    """Calls over one connection; `is_alive` says whether a host that is slow to answer still lives."""

    def __init__(self, is_alive: Callable[[], Awaitable[bool]], watch_seconds: float) -> None:
        self._is_alive = is_alive
        self._watch_seconds = watch_seconds
        self._protocol = FrameProtocol(self._on_frame, self._on_close)
        self._pending: dict[int, _Pending] = {}
        self._count = 0
        self._loop = asyncio.get_running_loop()
        self._watching: asyncio.Task[None] | None = None

    async def connect(self, address: str, token: str) -> None:
        """Raises OSError: nobody listens, or the machine is gone."""
        name, _, port = address.rpartition(":")
        # A machine that is gone refuses nothing: it is silent.
        async with asyncio.timeout(CONNECT_SECONDS):
            await self._loop.create_connection(lambda: self._protocol, name, int(port))
        self._protocol.send(Hello(token))
        self._watching = asyncio.create_task(self._watch())

    @property
    def closed(self) -> bool:
        """Whether a call needs another connection."""
        return self._protocol.closed

    async def request(self, call: Call) -> Reply:
        """The reply. Raises ConnectionError (SilentError: the host is taken for dead; UnansweredError), FrameError."""
        await self._protocol.drained()
        pending = self._expected(call)
        try:
            self._protocol.send(call)
            async with asyncio.timeout(longest(call)):
                return await pending.reply
        except TimeoutError as error:
            raise UnansweredError(f"no reply to '{call.operation}'") from error
        finally:
            self._pending.pop(call.id, None)

    def post(self, call: Call) -> bool:
        """Send a call whose reply nobody waits for, before anything else is done. False where that cannot be."""
        if self.closed or self._protocol.paused:
            return False
        self._count += 1
        call.id = self._count
        self._protocol.send(call)
        self._protocol.flush()
        return True

    async def lend(self, call: Call, hand_over: Callable[[], None]) -> Reply:
        """The reply to a call that lends a socket, which `hand_over` sends once the call is on its way.

        Raises OSError: `hand_over` did, and nothing was lent. Raises LostLoanError: the host is gone, with the socket.
        """
        await self._protocol.drained()
        pending = self._expected(call)
        try:
            self._protocol.send(call)
            hand_over()
            try:
                return await pending.reply
            except ConnectionError as error:
                raise LostLoanError(str(error)) from error
        finally:
            self._pending.pop(call.id, None)

    def _expected(self, call: Call) -> _Pending:
        """The call with a number of its own, and its reply to come."""
        self._count += 1
        call.id = self._count
        pending = self._pending[call.id] = _Pending(self._loop.time(), self._loop.create_future())
        return pending

    def close(self) -> None:
        """Close the connection; the host goes on."""
        if self._watching is not None:
            self._watching.cancel()
        self._protocol.close()

    def _on_frame(self, _protocol: FrameProtocol, body: bytes) -> None:
        reply = _reply.decode(body)
        pending = self._pending.get(reply.id)
        if pending is not None and not pending.reply.done():
            pending.reply.set_result(reply)

    def _on_close(self, _protocol: FrameProtocol) -> None:
        if self._watching is not None:
            self._watching.cancel()
        self._fail(ConnectionResetError("the host closed the connection"))

    def _fail(self, error: ConnectionError) -> None:
        for pending in self._pending.values():
            if not pending.reply.done():
                pending.reply.set_exception(error)

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(self._watch_seconds)
            oldest = min((pending.since for pending in self._pending.values()), default=None)
            if oldest is None or self._loop.time() - oldest < self._watch_seconds:
                continue
            if not await self._is_alive():
                waited = f"no reply for {self._watch_seconds:.0f} s"
                self._fail(SilentError(f"{waited}, and no sign of life for {HOST_SECONDS:.0f} s"))
                with contextlib.suppress(OSError):
                    self._protocol.close()
                return
