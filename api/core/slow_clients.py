"""Clients that send slowly, or nothing: a connection is closed whose headers, or whose body, take too long.

uvicorn waits for both without end. The headers' clock is the protocol's, since no application runs before they are
there; the body's is a wrapper around `receive`.
"""

import asyncio
from asyncio.events import TimerHandle

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEADER_SECONDS = 10.0
# Between two pieces of a body, and in all: eight megabytes over the slowest of lines.
PIECE_SECONDS = 20.0
BODY_SECONDS = 120.0


class TimedHttpProtocol(HttpToolsProtocol):
    """HTTP/1.1 whose headers have to be there HEADER_SECONDS after the connection, or their first byte, was."""

    _clock: TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)  # type: ignore[arg-type]
        self._start()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        self._start()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._stop()
        super().on_headers_complete()

    def _start(self) -> None:
        if self._clock is None:
            self._clock = self.loop.call_later(HEADER_SECONDS, self._too_late)

    def _stop(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None

    def _too_late(self) -> None:
        self._clock = None
        # Behind a response that is still being written, a pipelined request waits for it and not for the client.
        if self.transport is not None and not self.transport.is_closing():
            self.transport.close()


class TimedBodies:
    """Ends a request whose body does not come: the application sees a client that has gone."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        loop = asyncio.get_running_loop()
        deadline = loop.time() + BODY_SECONDS
        whole = False

        async def timed() -> Message:
            nonlocal whole
            if whole:
                # What comes now is only the end of the connection.
                return await receive()
            try:
                async with asyncio.timeout_at(min(deadline, loop.time() + PIECE_SECONDS)):
                    message = await receive()
            except TimeoutError:
                whole = True
                return {"type": "http.disconnect"}
            whole = message["type"] != "http.request" or not message.get("more_body", False)
            return message

        await self._app(scope, timed, send)
