"""How a host is spoken to: JSON in frames of a length and a body, over a local socket, after a shared token.

Calls of many sessions share a connection: each carries an `id`, and its reply, which comes when it comes, the same.
"""

import asyncio
from collections.abc import Callable
from typing import Any, cast

import msgspec

MAX_FRAME = 64 * 1024 * 1024
_LENGTH = 4


class WireError(Exception):
    """The other side sent no frame, or one that is too large."""


def encode(message: dict[str, Any]) -> bytes:
    """One frame. Raises WireError where the message is too large or no JSON."""
    try:
        body = msgspec.json.encode(message)
    except (TypeError, ValueError) as error:
        raise WireError(f"no JSON: {type(error).__name__}") from error
    if len(body) > MAX_FRAME:
        raise WireError(f"a frame of {len(body)} bytes; at most {MAX_FRAME}")
    return len(body).to_bytes(_LENGTH, "big") + body


class Frames(asyncio.Protocol):
    """One end of a connection: `heard` is told each frame's body, `lost` that there will be no more."""

    def __init__(self, heard: Callable[["Frames", bytes], None], lost: Callable[["Frames"], None]) -> None:
        self._heard = heard
        self._lost = lost
        self._transport: asyncio.Transport | None = None
        self._loop = asyncio.get_running_loop()
        self._read = bytearray()
        self._out: list[bytes] = []
        self._writable = asyncio.Event()
        self._writable.set()
        self.largest = MAX_FRAME

    @property
    def closed(self) -> bool:
        """Whether nothing can be sent any more."""
        return self._transport is None or self._transport.is_closing()

    def send(self, message: dict[str, Any]) -> None:
        """Write one frame. Raises WireError, ConnectionResetError."""
        frame = encode(message)
        if self._transport is None or self._transport.is_closing():
            raise ConnectionResetError("the connection is closed")
        if not self._out:
            self._loop.call_soon(self._flush)
        self._out.append(frame)

    def _flush(self) -> None:
        # One write for all that was said in one turn of the loop: replies come in groups, as commits do.
        out, self._out = self._out, []
        if out and self._transport is not None:
            self._transport.write(b"".join(out))

    async def drained(self) -> None:
        """Wait until the other side has taken enough of what was sent before."""
        if not self._writable.is_set():
            await self._writable.wait()

    def close(self) -> None:
        """Send what was written, then close."""
        if self._out:
            self._flush()
        if self._transport is not None:
            self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        read, begin = self._read, 0
        read += data
        while len(read) - begin >= _LENGTH:
            length = int.from_bytes(read[begin : begin + _LENGTH], "big")
            if length > self.largest:
                # Nothing behind it can be told apart from it.
                self.close()
                read.clear()
                return
            end = begin + _LENGTH + length
            if len(read) < end:
                break
            body = bytes(memoryview(read)[begin + _LENGTH : end])
            begin = end
            self._heard(self, body)
        del read[:begin]

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - the protocol's words
        self._writable.set()
        self._transport = None
        self._lost(self)
