"""Clients that send slowly, or nothing: a connection is closed whose headers, or whose body, take too long.

uvicorn waits for both without end. The headers' clock is the protocol's, since no application runs before they are
there; the body's is around the application. A third clock runs when a request has its answer before its body has come
(a 401, 408, 413): what still comes is read and dropped, since a connection that is closed with bytes unread is reset,
and a reset takes the answer from a client that has not read it yet.

After a process stood still (a paused container, SIGSTOP) all its clocks are past at once, and a loop may look at them
before its sockets, where a request that had come in time is unread: a clock that ends looks there first.
"""

import asyncio
import select
from collections.abc import Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from api.core.errors import problem_response

HEADER_SECONDS = 10.0
HEADER_BYTES = 64 * 1024
# Of a header that has not ended nothing is parsed; what arrives with it in one piece may be a body already.
_UNPARSED_BYTES = 1024 * 1024
# For what had come and was not read yet when the clock ended.
_READ_SECONDS = 1.0
# Between two pieces of a body, and in all: eight megabytes at half a megabit a second.
PIECE_SECONDS = 20.0
BODY_SECONDS = 120.0
# For what still comes of a body that has its answer.
LINGER_SECONDS = 30.0
LINGER_BYTES = 64 * 1024 * 1024


class TimedHttpProtocol(HttpToolsProtocol):
    """HTTP/1.1 whose headers have to be there HEADER_SECONDS after the connection, or their first byte, was.

    An address and headers of more than HEADER_BYTES are answered with 400.
    """

    _clock: asyncio.TimerHandle | None = None
    _parsed = _unparsed = 0
    _late = False
    # After an early answer: its clock, what was dropped, and whether the connection is closed for our side.
    _linger: asyncio.TimerHandle | None = None
    _dropped = 0
    _ending = _broken = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._connection = transport
        self._answering = _Answering(transport, self._end)
        self._start()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        self._stop_lingering()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._linger is not None:
            self._dropped += len(data)
            if self._dropped > LINGER_BYTES:
                self.transport.close()
                return
        if self._ending:
            return
        if self._clock is not None:
            self._unparsed += len(data)
            if self._unparsed > _UNPARSED_BYTES:
                self.send_400_response("Headers too large.")
                return
        super().data_received(data)

    def send_400_response(self, msg: str) -> None:
        self._stop()
        self._broken = True
        self.transport = self._answering  # type: ignore[assignment]
        super().send_400_response(msg)
        self.transport = self._connection

    def on_url(self, url: bytes) -> None:
        self._bound(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._bound(len(name) + len(value))
        super().on_header(name, value)

    def on_message_begin(self) -> None:
        self._unset_keepalive_if_required()
        self._parsed = self._unparsed = 0
        self._start()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._stop()
        super().on_headers_complete()
        if self.cycle is not None:
            self.cycle.transport = self._answering  # type: ignore[assignment]

    def on_message_complete(self) -> None:
        super().on_message_complete()
        if self._linger is not None:
            # The body has come after all, and nothing of it was wanted: uvicorn starts no clock for what follows.
            self._stop_lingering()
            self.timeout_keep_alive_task = self.loop.call_later(
                self.timeout_keep_alive, self.timeout_keep_alive_handler
            )

    def on_response_complete(self) -> None:
        if self._ending:
            # Nothing that was sent behind this request is answered.
            self.server_state.total_requests += 1
            return
        super().on_response_complete()
        if self.cycle.response_complete and self.cycle.more_body:
            self._start_lingering()

    def shutdown(self) -> None:
        if self._linger is None:
            super().shutdown()
        else:
            self._end()

    def _end(self) -> None:
        """Close what was answered: at once, or for one side only while the client may still be sending."""
        if self._ending or self._connection.is_closing():
            return
        if self.cycle is not None and not self.cycle.more_body and not self._broken:
            self._connection.close()
            return
        self._ending = True
        self._connection.write_eof()
        self.flow.resume_reading()
        self._start_lingering()

    def _start_lingering(self) -> None:
        if self._linger is None:
            self._dropped = 0
            self._linger = self.loop.call_later(LINGER_SECONDS, self._connection.close)

    def _stop_lingering(self) -> None:
        if self._linger is not None:
            self._linger.cancel()
            self._linger = None

    def _bound(self, more: int) -> None:
        self._parsed += more
        if self._parsed > HEADER_BYTES:
            # The parser ends what raises in its callbacks, and uvicorn answers 400.
            raise ValueError("headers too large")

    def timeout_keep_alive_handler(self) -> None:
        if not _unread(self.transport):
            super().timeout_keep_alive_handler()

    def _start(self) -> None:
        if self._clock is None:
            self._late = False
            self._clock = self.loop.call_later(HEADER_SECONDS, self._too_late)

    def _stop(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None

    def _too_late(self) -> None:
        self._clock = None
        if not self._late and _unread(self.transport):
            self._late = True
            self._clock = self.loop.call_later(_READ_SECONDS, self._too_late)
            return
        self.transport.close()


class _Answering:
    """A connection as an answer writes to it, whose end is the protocol's."""

    def __init__(self, transport: asyncio.Transport, end: Callable[[], None]) -> None:
        self.write, self.is_closing, self.close = transport.write, transport.is_closing, end


def _unread(transport: asyncio.Transport) -> bool:
    """Whether something has come over a connection that the loop has not read yet, be it its end."""
    if transport.is_closing():
        return False
    poll = select.poll()
    poll.register(transport.get_extra_info("socket").fileno(), select.POLLIN)
    return bool(poll.poll(0))


class TimedBodies:
    """Ends a request whose body does not come with 408; what was begun for it is undone as for a client that left."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        loop = asyncio.get_running_loop()
        deadline = loop.time() + BODY_SECONDS
        whole = begun = False

        async def watched(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        async def timed() -> Message:
            nonlocal whole
            if whole:
                # Nothing more is due: what comes is the end of the connection.
                return await receive()
            clock.reschedule(min(deadline, loop.time() + PIECE_SECONDS))
            message = await receive()
            whole = not message.get("more_body", False)
            clock.reschedule(None)
            return message

        try:
            async with asyncio.timeout(None) as clock:
                await self._app(scope, timed, watched)
        except TimeoutError:
            if not clock.expired() or begun:
                raise
            detail = f"a piece of the body must come every {PIECE_SECONDS:.0f} s, and all of it in {BODY_SECONDS:.0f} s"
            response = problem_response(scope, 408, "request_timeout", detail, headers={"Connection": "close"})
            await response(scope, receive, send)
