"""The service's side of the supervisor: starts it, sends requests with descriptors, reads replies."""

import asyncio
import contextlib
import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

from envs.sandbox.base import BackendUnavailableError, SandboxError
from envs.sandbox.stream import content, packets

_HOME = str(Path(__file__).resolve().parents[2])
_CODE = f"import sys; sys.path.insert(0, {_HOME!r}); from envs.sandbox.supervisor.main import main; main()"
_PACKET = 65_536
START_SECONDS = 120.0


class Reply:
    """The supervisor's messages about one request, in order; `receive` gives None at their end."""

    def __init__(self, end: socket.socket) -> None:
        self._socket = end
        self.descriptors: list[int] = []

    async def receive(self) -> dict[str, Any] | None:
        """The next message. Descriptors that come with it are kept in `descriptors`. Raises SandboxError."""
        while True:
            try:
                data, descriptors, _, _ = socket.recv_fds(self._socket, _PACKET, 8)
            except BlockingIOError:
                await _readable(self._socket)
                continue
            except ConnectionError:
                return None
            for descriptor in descriptors:
                os.set_inheritable(descriptor, False)
            self.descriptors += descriptors
            if not data:
                return None
            message: dict[str, Any] = json.loads(data)
            if "error" in message:
                raise SandboxError(f"the sandbox supervisor says: {message['error']}")
            return message

    def close(self) -> None:
        """Stop listening."""
        self._socket.close()


async def _readable(end: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    future: asyncio.Future[None] = loop.create_future()
    loop.add_reader(end.fileno(), lambda: None if future.done() else future.set_result(None))
    try:
        await future
    finally:
        loop.remove_reader(end.fileno())


class Link:
    """A running supervisor. `cgroup` is 1, 2 or None: which control groups it can make; `tag` is in their names."""

    def __init__(self, process: subprocess.Popen[bytes], requests: socket.socket, cgroup: int | None, tag: str) -> None:
        self._process = process
        self._requests = requests
        self._broken = False
        self.cgroup = cgroup
        self.tag = tag

    @classmethod
    async def open(cls, runtime: Path, *, grouped: bool) -> "Link":
        """Start a supervisor. Raises BackendUnavailableError when it does not answer."""
        ours, theirs = packets()
        argv = [sys.executable, "-I", "-S", "-B", "-c", _CODE, str(theirs.fileno()), str(runtime), str(int(grouped))]
        process = subprocess.Popen(  # noqa: ASYNC220 - fork and exec only
            argv,
            pass_fds=(theirs.fileno(),),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
            cwd="/",
            env={"PATH": os.defpath, "LANG": "C.UTF-8"},
        )
        theirs.close()
        try:
            async with asyncio.timeout(START_SECONDS):
                hello = await Reply(ours).receive()
        except (TimeoutError, SandboxError):
            hello = None
        if hello is None:
            process.kill()
            process.wait()
            ours.close()
            raise BackendUnavailableError(
                f"the sandbox supervisor did not start in {runtime}; see the service's error log"
            )
        ours.setblocking(True)
        return cls(process, ours, hello["cgroup"], hello["tag"])

    @property
    def alive(self) -> bool:
        """Whether the supervisor still runs."""
        return not self._broken and self._process.poll() is None

    @property
    def pid(self) -> int:
        """The supervisor's process."""
        return self._process.pid

    def request(self, name: str, body: dict[str, Any], descriptors: list[int]) -> Reply:
        """Send a request; the caller keeps its descriptors. Raises SandboxError when the supervisor is gone."""
        ours, theirs = packets()
        memory = content(json.dumps(body).encode())
        try:
            socket.send_fds(self._requests, [name.encode()], [memory, theirs.fileno(), *descriptors])
        except OSError as error:
            ours.close()
            # It may still be dying: nobody is to wait for that.
            self._broken = True
            raise SandboxError(f"the sandbox supervisor is gone: {error}") from error
        finally:
            theirs.close()
            os.close(memory)
        return Reply(ours)

    async def close(self) -> None:
        """End the supervisor and every sandbox it holds."""
        with contextlib.suppress(OSError):
            self._requests.shutdown(socket.SHUT_RDWR)
        self._requests.close()
        await asyncio.to_thread(self._process.wait)
