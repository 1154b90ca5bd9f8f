"""How a host is spoken to: typed JSON frames of a length and a body, over a local socket, after a shared token.

Calls of many sessions share a connection: each carries an `id`, and its reply, which comes when it comes, the same.
"""

import asyncio
from collections.abc import Callable
from datetime import datetime
from typing import Any, Literal, cast
from uuid import UUID

import msgspec

MAX_FRAME = 64 * 1024 * 1024
_LENGTH = 4


class Hello(msgspec.Struct, forbid_unknown_fields=True):
    """What a connection begins with."""

    token: str


class Lent(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A channel whose socket comes beside the call: what a host needs to know to answer its steps itself.

    `loan` came with the socket. At most `steps` steps within `seconds`; what is asked then goes back.
    """

    loan: str
    public: str
    step_limit: int
    deadline: datetime | None
    steps: int
    seconds: float


class Preparing(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """What the environment of a session is made from that is still being admitted."""

    problem: UUID
    seed: int
    variant: str


class Call(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What a host is asked. `operation` picks the fields that are needed; the reply carries the same `id`.

    `trace`: whose work it is part of (`api.core.traces`); empty where nothing is traced.
    """

    operation: Literal["prepare", "open", "step", "view", "finish", "play", "release", "lend", "recall"]
    session: UUID
    epoch: int = 0
    id: int = 0
    number: int = 0
    action: dict[str, Any] = {}
    actions: list[dict[str, Any]] = []
    answer: str | None = None
    reason: str = "completed"
    trace: str = ""
    lent: Lent | None = None
    loan: str = ""
    prepared: Preparing | None = None


class StepReply(msgspec.Struct, frozen=True):
    """What a step gave; `finish` is the finish reason where it was the last."""

    number: int
    observation: dict[str, Any]
    finish: str | None = None
    answer: str | None = None
    error: str | None = None


class Opened(msgspec.Struct, frozen=True):
    """What an opening gave, as it was stored: the first observation, the end of the wall clock, and the limits."""

    observation: dict[str, Any]
    deadline: datetime
    steps: int
    seconds: int


class Returned(msgspec.Struct, frozen=True):
    """A channel that a host gives back: how many steps it answered, and the bytes it read and did not answer."""

    steps: int = 0
    rest: bytes = b""


class Reply(msgspec.Struct, omit_defaults=True):
    """What a host answers: `refused` is a code of `api.hosting.errors`, else the operation was carried out.

    `opened`: of the call that opened the episode, not of one that found it open.
    """

    id: int = 0
    refused: str | None = None
    step: StepReply | None = None
    observation: dict[str, Any] | None = None
    opened: Opened | None = None
    returned: Returned | None = None


Frame = Hello | Call | Reply


class FrameError(Exception):
    """The other side sent no frame, or one that is too large."""


def encode(frame: Frame) -> bytes:
    """One frame. Raises FrameError where it is too large or no JSON."""
    try:
        body = msgspec.json.encode(frame)
    except (TypeError, ValueError) as error:
        raise FrameError(f"no JSON: {type(error).__name__}") from error
    if len(body) > MAX_FRAME:
        raise FrameError(f"a frame of {len(body)} bytes; at most {MAX_FRAME}")
    return len(body).to_bytes(_LENGTH, "big") + body


class FrameProtocol(asyncio.Protocol):
    """One end of a connection: `on_frame` gets each frame's body, `on_close` is called when there will be no more."""

    def __init__(
        self, on_frame: Callable[["FrameProtocol", bytes], None], on_close: Callable[["FrameProtocol"], None]
    ) -> None:
        self._on_frame = on_frame
        self._on_close = on_close
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

    def send(self, frame: Frame) -> None:
        """Write one frame. Raises FrameError, ConnectionResetError."""
        encoded = encode(frame)
        if self._transport is None or self._transport.is_closing():
            raise ConnectionResetError("the connection is closed")
        if not self._out:
            self._loop.call_soon(self.flush)
        self._out.append(encoded)

    def flush(self) -> None:
        """Write what was sent. One write for all that was in one turn of the loop: replies come in groups, as commits
        do."""
        out, self._out = self._out, []
        if out and self._transport is not None:
            self._transport.write(b"".join(out))

    @property
    def paused(self) -> bool:
        """Whether the other side has yet to take what was sent before."""
        return not self._writable.is_set()

    async def drained(self) -> None:
        """Wait until the other side has taken enough of what was sent before."""
        if not self._writable.is_set():
            await self._writable.wait()

    def close(self) -> None:
        """Send what was written, then close."""
        if self._out:
            self.flush()
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
            self._on_frame(self, body)
        del read[:begin]

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - the protocol's words
        self._writable.set()
        self._transport = None
        self._on_close(self)
