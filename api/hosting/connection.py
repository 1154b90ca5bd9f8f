"""One connection to a host, shared by the calls of all its sessions."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from api.hosting.frames import Frames

CONNECT_SECONDS = 10.0
_reply = msgspec.json.Decoder()


class SilentError(ConnectionError):
    """The host took a call, and then said neither an answer nor that it lives."""


@dataclass
class _Asked:
    since: float
    reply: asyncio.Future[dict[str, Any]]


class Trunk:
    """Asks over one connection; `beats` tells whether a host that is slow to answer still lives."""

    def __init__(self, beats: Callable[[], Awaitable[bool]], watch_seconds: float) -> None:
        self._beats = beats
        self._watch_seconds = watch_seconds
        self._frames = Frames(self._heard, self._lost)
        self._asked: dict[int, _Asked] = {}
        self._count = 0
        self._loop = asyncio.get_running_loop()
        self._watching: asyncio.Task[None] | None = None

    async def connect(self, address: str, token: str) -> None:
        """Raises OSError: nobody listens, or the machine is gone."""
        name, _, port = address.rpartition(":")
        # A machine that is gone refuses nothing: it is silent.
        async with asyncio.timeout(CONNECT_SECONDS):
            await self._loop.create_connection(lambda: self._frames, name, int(port))
        self._frames.send({"token": token})
        self._watching = asyncio.create_task(self._watch())

    @property
    def closed(self) -> bool:
        """Whether a call needs another connection."""
        return self._frames.closed

    async def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        """The reply. Raises ConnectionError (SilentError: the host is taken for dead), WireError."""
        await self._frames.drained()
        self._count += 1
        number = self._count
        asked = self._asked[number] = _Asked(self._loop.time(), self._loop.create_future())
        try:
            self._frames.send(message | {"id": number})
            return await asked.reply
        finally:
            self._asked.pop(number, None)

    def close(self) -> None:
        """Close the connection; the host goes on."""
        if self._watching is not None:
            self._watching.cancel()
        self._frames.close()

    def _heard(self, _frames: Frames, body: bytes) -> None:
        told = _reply.decode(body)
        asked = self._asked.get(told.pop("id", 0))
        if asked is not None and not asked.reply.done():
            asked.reply.set_result(told)

    def _lost(self, _frames: Frames) -> None:
        if self._watching is not None:
            self._watching.cancel()
        self._fail(ConnectionResetError("the host closed the connection"))

    def _fail(self, error: ConnectionError) -> None:
        for asked in self._asked.values():
            if not asked.reply.done():
                asked.reply.set_exception(error)

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(self._watch_seconds)
            oldest = min((asked.since for asked in self._asked.values()), default=None)
            if oldest is None or self._loop.time() - oldest < self._watch_seconds:
                continue
            if not await self._beats():
                self._fail(SilentError("the host is silent"))
                with contextlib.suppress(OSError):
                    self._frames.close()
                return
