"""A persistent bash over any duplex channel, with an end-of-command marker that silence cannot fake.

Each command is one line: `eval` of the quoted text with an empty standard input, then a marker with a fresh random
token and the status, written to a copy of the shell's own output that the command does not inherit. So a command
that reads its input, changes its output or never ends cannot be taken for one that has ended.
"""

import asyncio
import contextlib
import secrets
import shlex
from collections.abc import Awaitable, Callable
from typing import Protocol

from envs.sandbox.base import Result, SandboxGoneError

ARGV = ("bash", "--noprofile", "--norc")
OUT = 63  # below the least number of open files a sandbox may have
GRACE = 3.0
LONGEST = 1 << 20


class Channel(Protocol):
    """Bytes to and from a shell. `receive` returns b"" at its end; `send` raises OSError when it is gone."""

    async def send(self, data: bytes) -> None: ...

    async def receive(self) -> bytes: ...

    def close(self) -> None: ...


class PersistentShell:
    """A shell that is opened again when it ends. `opener` makes a channel; `interrupt` kills what a command started.

    `interrupt` is given what `mark` returned before the command, so that it spares what was there already.
    """

    def __init__(
        self,
        opener: Callable[[], Awaitable[Channel]],
        mark: Callable[[], frozenset[int]],
        interrupt: Callable[[frozenset[int]], Awaitable[None]],
        *,
        timeout: float,
        cap: int,
    ) -> None:
        self._opener, self._mark, self._interrupt = opener, mark, interrupt
        self._timeout, self._cap = timeout, cap
        self._channel: Channel | None = None

    async def open(self) -> None:
        """Start bash and wait until it answers. Raises SandboxGoneError."""
        self._channel = await self._opener()
        with contextlib.suppress(OSError):
            await self._channel.send(f"exec {OUT}>&1 2>&1\n".encode())
        result = await self.run("true", timeout=max(self._timeout, 30.0))
        if result.status != 0:
            raise SandboxGoneError("a shell did not start")

    async def run(self, command: str, *, timeout: float | None = None, cap: int | None = None) -> Result:
        """See envs.sandbox.base.Shell."""
        if len(command) > LONGEST or "\0" in command:
            raise ValueError(f"a command is text of at most {LONGEST} characters without NUL; write a file instead")
        if self._channel is None:
            await self.open()
        if self._channel is None:
            raise SandboxGoneError("the shell could not be opened")
        before = self._mark()
        token = secrets.token_hex(16)
        reader = _Reader(self._channel, token.encode(), self._cap if cap is None else cap)
        line = f"eval {shlex.quote(command)} {OUT}>&- </dev/null; builtin printf '\\n{token} %d\\n' $? >&{OUT}\n"
        status = await self._attempt(reader, line.encode("utf-8", "surrogateescape"), timeout or self._timeout)
        timed_out = status is None and not reader.ended
        if timed_out:
            await self._interrupt(before)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(reader.finish(), GRACE)
        restarted = reader.status is None
        if restarted:
            await self.close()
        return Result(
            bytes(reader.data), status=status, timed_out=timed_out, dropped=reader.dropped, restarted=restarted
        )

    async def _attempt(self, reader: "_Reader", line: bytes, timeout: float) -> int | None:
        try:
            async with asyncio.timeout(timeout):
                with contextlib.suppress(OSError):
                    await reader.channel.send(line)
                return await reader.finish()
        except TimeoutError:
            return None

    async def close(self) -> None:
        """End the shell; the next command opens another."""
        if self._channel is not None:
            self._channel.close()
            self._channel = None


class _Reader:
    """Reads until the marker. Linear in what comes: only the last few bytes are searched."""

    def __init__(self, channel: Channel, token: bytes, cap: int) -> None:
        self.channel = channel
        self._key = b"\n" + token + b" "
        self._held = b""
        self._cap = cap
        self.data = bytearray()
        self.dropped = 0
        self.status: int | None = None
        self.ended = False

    async def finish(self) -> int | None:
        """The status, or None when the shell ended instead."""
        while self.status is None and not self.ended:
            chunk = await self.channel.receive()
            if not chunk:
                self.ended = True
                self._keep(self._held)
                self._held = b""
                return None
            self._take(chunk)
        return self.status

    def _take(self, chunk: bytes) -> None:
        window = self._held + chunk
        at = window.find(self._key)
        end = window.find(b"\n", at + len(self._key)) if at >= 0 else -1
        if end >= 0:
            self._keep(window[:at])
            self.status = int(window[at + len(self._key) : end])
            self._held = b""
            return
        # The marker may be split between chunks: hold back as much as it could have.
        hold = len(self._key) + 8 if at < 0 else len(window) - at
        cut = max(0, len(window) - hold)
        self._keep(window[:cut])
        self._held = window[cut:]

    def _keep(self, data: bytes) -> None:
        kept = data[: max(0, self._cap - len(self.data))]
        self.data += kept
        self.dropped += len(data) - len(kept)
