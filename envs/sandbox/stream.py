"""Pipes read on the event loop with a cap that is applied while reading: a flood costs time, never memory."""

import asyncio
import contextlib
import os
import socket

CHUNK = 65_536
DRAIN = 1 << 20


class Capture:
    """Keeps the first `cap` bytes that come out of a pipe and counts the rest."""

    def __init__(self, descriptor: int, cap: int) -> None:
        os.set_blocking(descriptor, False)
        self._descriptor = descriptor
        self._loop = asyncio.get_running_loop()
        self._cap = cap
        self.data = bytearray()
        self.dropped = 0
        self.ended = asyncio.Event()
        self._loop.add_reader(descriptor, self._read)

    def _read(self) -> bool:
        try:
            chunk = os.read(self._descriptor, CHUNK)
        except BlockingIOError:
            return False
        except OSError:
            chunk = b""
        if not chunk:
            self._loop.remove_reader(self._descriptor)
            self.ended.set()
            return False
        kept = chunk[: max(0, self._cap - len(self.data))]
        self.data += kept
        self.dropped += len(chunk) - len(kept)
        return True

    def drain(self) -> None:
        """Take what is in the pipe now, without waiting for whoever still holds it open."""
        for _ in range(DRAIN // CHUNK):
            if not self._read():
                return

    def close(self) -> None:
        """Stop reading."""
        self._loop.remove_reader(self._descriptor)
        os.close(self._descriptor)


class Duplex:
    """A child's standard input and output as a pair of pipes, for a shell."""

    def __init__(self, write: int, read: int) -> None:
        self._write, self._read = write, read
        self._loop = asyncio.get_running_loop()
        self._waiting: set[asyncio.Future[None]] = set()
        self._closed = False
        for descriptor in (write, read):
            os.set_blocking(descriptor, False)

    async def send(self, data: bytes) -> None:
        """Write all of it. Raises BrokenPipeError."""
        view = memoryview(data)
        while view:
            if self._closed:
                raise BrokenPipeError("the pipes are closed")
            try:
                view = view[os.write(self._write, view[:CHUNK]) :]
            except BlockingIOError:
                await self._ready(self._write, writing=True)

    async def receive(self) -> bytes:
        """The next bytes; empty at the end."""
        while not self._closed:
            try:
                return os.read(self._read, CHUNK)
            except BlockingIOError:
                await self._ready(self._read, writing=False)
        return b""

    async def _ready(self, descriptor: int, *, writing: bool) -> None:
        future: asyncio.Future[None] = self._loop.create_future()
        add = self._loop.add_writer if writing else self._loop.add_reader
        remove = self._loop.remove_writer if writing else self._loop.remove_reader
        add(descriptor, _wake, future)
        self._waiting.add(future)
        try:
            await future
        finally:
            self._waiting.discard(future)
            # Once closed, the number may be another file's.
            if not self._closed:
                remove(descriptor)

    def close(self) -> None:
        """Close both pipes; whoever waits for them is told the end. May be called again."""
        if self._closed:
            return
        self._closed = True
        self._loop.remove_writer(self._write)
        self._loop.remove_reader(self._read)
        for future in self._waiting:
            _wake(future)
        for descriptor in (self._write, self._read):
            os.close(descriptor)


def _wake(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


def content(data: bytes) -> int:
    """A descriptor at the start of a memory file that holds `data`."""
    descriptor = os.memfd_create("content")
    with contextlib.ExitStack() as undo:
        undo.callback(os.close, descriptor)
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
        os.lseek(descriptor, 0, os.SEEK_SET)
        undo.pop_all()
    return descriptor


def packets() -> tuple[socket.socket, socket.socket]:
    """A connected pair that keeps messages apart; the first end does not block."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.setblocking(False)
    return ours, theirs
