"""Commands in a container over Docker Engine's exec sockets, read on the event loop with a cap while reading."""

import asyncio
import contextlib
import socket
import struct
from typing import Any

from docker.errors import APIError, NotFound

from envs.sandbox.base import SandboxError, SandboxGoneError

CHUNK = 65_536
HEADER = 8


class ExecChannel:
    """A hijacked exec connection: raw bytes in, framed bytes out. A channel for a shell, and more."""

    def __init__(self, api: Any, exec_id: str, connection: Any) -> None:
        self._api, self.exec_id = api, exec_id
        self._holder = connection
        self._socket: socket.socket = getattr(connection, "_sock", connection)
        self._socket.setblocking(False)
        self._buffer = b""
        self._left, self._stream = 0, 1

    async def send(self, data: bytes) -> None:
        """Write to the command's standard input. Raises OSError."""
        await asyncio.get_running_loop().sock_sendall(self._socket, data)

    def end_input(self) -> None:
        """No more input will come."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)

    async def receive(self) -> bytes:
        """The next bytes of either stream; empty at the end."""
        return (await self.frame())[1]

    async def frame(self) -> tuple[int, bytes]:
        """The next piece: which stream (1 output, 2 error), and its bytes; empty at the end."""
        while self._left == 0:
            while len(self._buffer) < HEADER:
                if not await self._fill():
                    return 0, b""
            self._stream, self._left = struct.unpack(">BxxxL", self._buffer[:HEADER])
            self._buffer = self._buffer[HEADER:]
        if not self._buffer and not await self._fill():
            return 0, b""
        piece = self._buffer[: self._left]
        self._buffer = self._buffer[len(piece) :]
        self._left -= len(piece)
        return self._stream, piece

    async def _fill(self) -> bool:
        try:
            chunk = await asyncio.get_running_loop().sock_recv(self._socket, CHUNK)
        except ConnectionError:
            return False
        self._buffer += chunk
        return bool(chunk)

    def close(self) -> None:
        """Drop the connection."""
        with contextlib.suppress(OSError):
            self._socket.close()
            self._holder.close()

    async def state(self) -> dict[str, Any]:
        """What the engine says about the command: ExitCode, Pid, Running."""
        found: dict[str, Any] = await call(self._api.exec_inspect, self.exec_id)
        return found

    async def pid(self) -> int:
        """The command's process on this machine. The engine may forward a command's first output before it notes it."""
        while True:
            state = await self.state()
            if state["Pid"] or state.get("ExitCode") is not None:
                return int(state["Pid"])
            await asyncio.sleep(0.005)


async def call(function: Any, *arguments: Any, **named: Any) -> Any:
    """Ask the engine in a thread, with its errors as ours."""
    try:
        return await asyncio.to_thread(function, *arguments, **named)
    except NotFound as error:
        raise SandboxGoneError(f"Docker Engine does not know it: {error.explanation}") from error
    except APIError as error:
        if error.status_code == 409:
            raise SandboxGoneError(f"the container has ended: {error.explanation}") from error
        raise SandboxError(f"Docker Engine refused: {error.explanation or error}") from error
    except (OSError, ValueError) as error:
        raise SandboxError(f"Docker Engine does not answer: {error}") from error


async def open_exec(
    api: Any, container: str, argv: list[str], user: str, workdir: str, environment: dict[str, str]
) -> ExecChannel:
    """Start a command in a container with all three streams. Raises SandboxError."""
    made = await call(
        api.exec_create,
        container,
        argv,
        stdin=True,
        stdout=True,
        stderr=True,
        tty=False,
        user=user,
        workdir=workdir,
        environment=environment,
    )
    connection = await call(api.exec_start, made["Id"], socket=True)
    return ExecChannel(api, made["Id"], connection)
