"""A web server whose end loses no request: whatever reached it before it stopped listening is answered.

uvicorn alone closes its listening socket, and with it connections that the kernel has made and nobody has accepted, and
connections whose first request is still under way. Behind a proxy each of these is a 502 for a request that must not be
sent again.
"""

import asyncio
import contextlib
import ctypes
import os
import socket
import struct
import sys
from collections.abc import Callable, Coroutine
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

# How long a connection that has said nothing yet may take to say it, and how long accepting the last ones may take.
FIRST_REQUEST_SECONDS = 2.0
_ACCEPT_SECONDS = 2.0
_SO_ATTACH_FILTER = 26
# Classic BPF on the TCP header, whose 14th byte holds the flags: drop what has SYN without ACK, pass all else.
_NO_NEW_CONNECTION = (
    (0x30, 0, 0, 13),  # load the flags
    (0x54, 0, 0, 0x12),  # and SYN | ACK
    (0x15, 0, 1, 0x02),  # equal to SYN alone?
    (0x06, 0, 0, 0),  # then drop
    (0x06, 0, 0, 0xFFFFFFFF),
)
# Of a listening socket: how many connections wait to be accepted (`struct tcp_info`, tcpi_unacked).
_TCP_INFO_BYTES, _UNACCEPTED = 104, 24


def refuse_new_connections(listening: socket.socket) -> None:
    """Let a listening TCP socket take no new connection, while those that it has may still be accepted.

    A client meets silence until the socket is closed, then a refusal. Linux (`man 7 socket`, SO_ATTACH_FILTER); raises
    OSError where the kernel has no such filters.
    """
    code = b"".join(struct.pack("HBBI", *instruction) for instruction in _NO_NEW_CONNECTION)
    buffer = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("HP", len(_NO_NEW_CONNECTION), ctypes.addressof(buffer))
    listening.setsockopt(socket.SOL_SOCKET, _SO_ATTACH_FILTER, program)


class DrainingServer(uvicorn.Server):
    """uvicorn's server, which at its end first answers all that had reached it. `then` is done once it serves."""

    def __init__(self, config: uvicorn.Config, then: Callable[[], Coroutine[Any, Any, None]] | None = None) -> None:
        super().__init__(config)
        self._then = then
        self._after_start: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started and self._then:
            self._after_start = asyncio.create_task(self._then())

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self._after_start:
            self._after_start.cancel()
        # An inherited socket stays open in the process that handed it over, and its queue waits for the next one.
        if self.config.fd is None:
            for descriptor in [found.fileno() for server in self.servers for found in server.sockets]:
                with contextlib.suppress(OSError, TimeoutError), socket.socket(fileno=os.dup(descriptor)) as listening:
                    await _accept_the_last(listening)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FIRST_REQUEST_SECONDS):
                while self._unheard():  # noqa: ASYNC110 - the connections are uvicorn's, and tell nobody
                    await asyncio.sleep(0.02)
        await super().shutdown(sockets)

    def _unheard(self) -> bool:
        found = self.server_state.connections
        return any(isinstance(one, HttpToolsProtocol) and one.cycle is None for one in found)


async def _accept_the_last(listening: socket.socket) -> None:
    refuse_new_connections(listening)
    async with asyncio.timeout(_ACCEPT_SECONDS):
        while True:
            # Time for handshakes that were under way, and for the loop to accept.
            await asyncio.sleep(0.05)
            info = listening.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _TCP_INFO_BYTES)
            if not struct.unpack_from("I", info, _UNACCEPTED)[0]:
                return


def run(config: uvicorn.Config, then: Callable[[], Coroutine[Any, Any, None]] | None = None) -> None:
    """Serve until SIGINT or SIGTERM, and do `then` meanwhile; exits with 3 where the application did not start."""
    server = DrainingServer(config, then)
    server.run()
    if not server.started:
        sys.exit(3)
