"""One whole instance as child processes, each started again when it dies."""

import asyncio
import contextlib
import errno
import json
import os
import signal
import socket
import sys
from collections.abc import Callable
from types import TracebackType
from typing import Self

from api.core.settings import Settings, variable

_READY_SECONDS = 120
_ANSWER_SECONDS = 5.0
_PROCESSES = ("serve", "worker", "host")
"""Each in turn has the next port of metrics; more workers, `worker 2` and so on, come after them."""


class NotReadyError(Exception):
    """The instance did not answer in time."""


def environment_of(settings: Settings) -> dict[str, str]:
    """A child's environment: the settings, never secrets."""
    chosen = {
        variable(name): json.dumps(value) if isinstance(value, list) else str(value)
        for name, value in settings.model_dump(mode="json", exclude_none=True).items()
    }
    return os.environ | chosen


def listening_socket(settings: Settings) -> socket.socket:
    """A socket on the instance's address. Raises OSError, where it cannot be had, with what chooses another."""
    more = "HELDOUT_PORT names another port, for `make demo` and `make up` too, or --port of `heldout-server up`"
    return _listening(settings.host, settings.port, more)


def _listening(host: str, port: int, more: str) -> socket.socket:
    try:
        return socket.create_server((host, port), backlog=512)
    except OSError as error:
        if error.errno not in (errno.EADDRINUSE, errno.EACCES, errno.EADDRNOTAVAIL):
            raise
        # create_server's own words have the address once more.
        words = f"cannot listen on {host}:{port}: {os.strerror(error.errno)}; nothing was started"
        raise OSError(f"{words}. {more}") from None


def _try_metrics(settings: Settings, processes: int) -> None:
    """Raises OSError where a process could not tell its metrics: it would die at each start."""
    first = settings.metrics_port
    last = first + processes - 1
    for port in range(first, last + 1) if first else ():
        _listening(settings.metrics_host, port, f"HELDOUT_METRICS_PORT={first} takes the ports up to {last}").close()


class Instance:
    """PostgreSQL, the web process, a worker and a host below one data directory; an async context manager."""

    def __init__(self, settings: Settings, *, extra: dict[str, str] | None = None) -> None:
        self.settings = settings
        self._extra = extra or {}
        # The listening socket is ours: a web process that dies leaves connections waiting, not refused.
        self._socket = listening_socket(settings)
        # Connections inherit it. The loop sets it only on sockets that name their protocol, and this one does not:
        # each reply in two writes would wait 40 ms for the client's acknowledgement.
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.set_inheritable(True)
        self.port = self._socket.getsockname()[1]
        self.children: dict[str, asyncio.subprocess.Process] = {}
        self._keepers: list[asyncio.Task[None]] = []
        self._prepared = False
        more = (f"worker {number}" for number in range(2, settings.up_workers + 1))
        self._names = [*_PROCESSES, *more]
        try:
            _try_metrics(settings, len(self._names))
        except OSError:
            self._socket.close()
            raise
        self._stopping = asyncio.Event()

    @property
    def address(self) -> str:
        """Where it serves."""
        return f"http://{self.settings.host}:{self.port}"

    async def __aenter__(self) -> Self:
        try:
            # It imports while the database starts; the others, which nobody waits for, when it serves.
            self.children["serve"] = await self._spawn("serve")
            from api.core import migrate
            from api.core.db import local_server

            await to_its_end(migrate.prepare, self.settings)
            self._open_gate()
            self._keepers = [asyncio.create_task(self._keep("serve", self.children["serve"]))]
            if local_server(self.settings):
                self._keepers.append(asyncio.create_task(self._keep_database()))
            await self._until_ready()
            for name in self._names[1:]:
                self.children[name] = await self._spawn(name)
                self._keepers.append(asyncio.create_task(self._keep(name, self.children[name])))
        except BaseException:
            await self._stop()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stop()

    async def until_stopped(self) -> None:
        """Wait for SIGINT or SIGTERM."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._stopping.set)
        await self._stopping.wait()

    def _open_gate(self) -> None:
        self._prepared = True
        gate = self.children["serve"].stdin
        assert gate
        with contextlib.suppress(OSError):
            gate.write(b"go\n")
            gate.close()

    async def _keep(self, name: str, child: asyncio.subprocess.Process) -> None:
        pause = 0.2
        while True:
            started = asyncio.get_running_loop().time()
            await child.wait()
            lived = asyncio.get_running_loop().time() - started
            pause = 0.2 if lived > 10 else min(pause * 2, 5.0)
            await asyncio.sleep(pause)
            child = self.children[name] = await self._spawn(name)

    async def _spawn(self, name: str) -> asyncio.subprocess.Process:
        arguments = [sys.executable, "-m", "api.processes", name.split()[0]]
        handles: tuple[int, ...] = ()
        if name == "serve":
            arguments += ["--descriptor", str(self._socket.fileno())]
            handles = (self._socket.fileno(),)
            arguments += [] if self._prepared else ["--wait"]
        environment = environment_of(self.settings) | {"HELDOUT_PORT": str(self.port)} | self._extra
        if port := self.settings.metrics_port:
            environment["HELDOUT_METRICS_PORT"] = str(port + self._names.index(name))
        return await asyncio.create_subprocess_exec(
            *arguments,
            env=environment,
            pass_fds=handles,
            start_new_session=True,
            stdin=None if self._prepared else asyncio.subprocess.PIPE,
        )

    async def _keep_database(self) -> None:
        from api.core.db import local_server

        server = local_server(self.settings)
        assert server
        while True:
            await asyncio.sleep(1.0)
            if not await asyncio.to_thread(server.ready):
                with contextlib.suppress(Exception):
                    await asyncio.to_thread(server.start)

    async def _until_ready(self) -> None:
        deadline = asyncio.get_running_loop().time() + _READY_SECONDS
        while asyncio.get_running_loop().time() < deadline:
            with contextlib.suppress(OSError, TimeoutError):
                if await self._answers():
                    return
            await asyncio.sleep(0.1)
        raise NotReadyError(f"the service did not answer at {self.address} within {_READY_SECONDS} s")

    async def _answers(self) -> bool:
        # The socket is there before the web process is: the request waits in it.
        async with asyncio.timeout(_ANSWER_SECONDS):
            reader, writer = await asyncio.open_connection(self.settings.host, self.port)
            try:
                writer.write(
                    f"GET /healthz HTTP/1.1\r\nHost: {self.settings.host}\r\nConnection: close\r\n\r\n".encode()
                )
                return (await reader.readline()).split()[1:2] == [b"200"]
            finally:
                writer.close()

    async def _stop(self) -> None:
        for keeper in self._keepers:
            keeper.cancel()
        await asyncio.gather(*self._keepers, return_exceptions=True)
        for child in self.children.values():
            if child.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    child.terminate()
        for child in self.children.values():
            try:
                await asyncio.wait_for(child.wait(), 30)
            except TimeoutError:
                # It may have ended meanwhile, as when the whole machine stood still.
                with contextlib.suppress(ProcessLookupError):
                    child.kill()
                await child.wait()
        self._socket.close()
        from api.core.db import local_server

        server = local_server(self.settings)
        if server:
            await asyncio.to_thread(server.stop)


async def to_its_end(work: Callable[[Settings], None], settings: Settings) -> None:
    """`work` in a thread. Cancelled, it waits for the thread first, which would go on starting things otherwise."""
    thread = asyncio.ensure_future(asyncio.to_thread(work, settings))
    try:
        await asyncio.shield(thread)
    except asyncio.CancelledError:
        await asyncio.wait([thread])
        raise
