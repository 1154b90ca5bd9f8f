"""The service as several processes of each kind on this machine, which can be stopped, killed and started by name."""

import asyncio
import contextlib
import os
import signal
import socket
import sys
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Self

import httpx2
import psycopg

from api.cli.running import environment_of, to_its_end
from api.core import migrate
from api.core.db import Role, address, libpq, local_server
from api.core.settings import Settings

_READY_SECONDS = 180
_STOP_SECONDS = 200


class Fleet:
    """`serve-0`, `worker-0`, `host-0` and so on; an async context manager.

    `counts`: how many of each kind. `kept`: what dies is started again, PostgreSQL too. Web processes have a port each,
    which stays theirs.
    """

    def __init__(self, settings: Settings, counts: Mapping[str, int], *, kept: bool = False) -> None:
        self.settings = settings
        self._names = [f"{kind}-{number}" for kind, count in counts.items() for number in range(count)]
        self._kept = kept
        self._wanted: set[str] = set()
        self._keepers: list[asyncio.Task[None]] = []
        self.running: dict[str, asyncio.subprocess.Process] = {}
        with contextlib.ExitStack() as stack:
            # All at once, so that no two are the same.
            sockets = {name: stack.enter_context(socket.create_server(("127.0.0.1", 0))) for name in self._names}
            self.ports = {name: int(found.getsockname()[1]) for name, found in sockets.items()}

    @property
    def addresses(self) -> list[str]:
        """Where the web processes serve."""
        return [f"http://127.0.0.1:{self.ports[name]}" for name in self._names if name.startswith("serve")]

    @property
    def server_pid(self) -> int:
        """PostgreSQL's process."""
        pid_file = self.settings.data_dir.absolute() / "postgres" / "cluster" / "postmaster.pid"
        return int(pid_file.read_text().split()[0])

    async def __aenter__(self) -> Self:
        try:
            await to_its_end(migrate.prepare, self.settings)
            for name in self._names:
                await self.start(name)
            if self._kept:
                self._keepers = [asyncio.create_task(self._keep(name)) for name in self._names]
                self._keepers.append(asyncio.create_task(self._keep_database()))
            for name in self._names:
                await self.until_ready(name)
        except BaseException:
            await self._end()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._end()

    async def start(self, name: str) -> None:
        """Start a process that does not run."""
        self._wanted.add(name)
        environment = environment_of(self.settings) | {"HELDOUT_PORT": str(self.ports[name])}
        kind = name.partition("-")[0]
        self.running[name] = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "api.processes", kind, env=environment, start_new_session=True
        )

    async def stop(self, name: str) -> int:
        """SIGTERM, and wait for the end; its exit code. Raises TimeoutError."""
        self._wanted.discard(name)
        process = self.running[name]
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        return await asyncio.wait_for(process.wait(), _STOP_SECONDS)

    def kill(self, name: str) -> None:
        """kill -9 of a process, or of `postgres`."""
        with contextlib.suppress(OSError, ValueError):
            os.kill(self.server_pid if name == "postgres" else self.running[name].pid, signal.SIGKILL)

    async def until_ready(self, name: str) -> None:
        """Wait until a web process says that it can serve, or as many hosts are known as run. Raises TimeoutError."""
        if name.startswith("host"):
            async with asyncio.timeout(_READY_SECONDS):
                while await asyncio.to_thread(self._hosts) < sum(one.startswith("host") for one in self._wanted):
                    await asyncio.sleep(0.2)
        if not name.startswith("serve"):
            return
        async with asyncio.timeout(_READY_SECONDS), httpx2.AsyncClient(timeout=10) as client:
            while True:
                with contextlib.suppress(httpx2.HTTPError):
                    reply = await client.get(f"http://127.0.0.1:{self.ports[name]}/readyz")
                    if reply.status_code == 200:
                        return
                await asyncio.sleep(0.1)

    def _hosts(self) -> int:
        url = libpq(address(self.settings, Role.ADMIN))
        with psycopg.connect(url) as connection:
            row = connection.execute("select count(*) from session_host where not draining").fetchone()
        return int(row[0]) if row else 0

    async def _keep(self, name: str) -> None:
        while True:
            await self.running[name].wait()
            await asyncio.sleep(0.3)
            if name in self._wanted:
                await self.start(name)

    async def _keep_database(self) -> None:
        server = local_server(self.settings)
        while server:
            await asyncio.sleep(0.5)
            if not await asyncio.to_thread(server.ready):
                with contextlib.suppress(Exception):
                    await asyncio.to_thread(server.start)

    async def _end(self) -> None:
        for keeper in self._keepers:
            keeper.cancel()
        await asyncio.gather(*self._keepers, return_exceptions=True)
        self._wanted.clear()
        for process in self._alive():
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
        for process in self._alive():
            try:
                await asyncio.wait_for(process.wait(), 30)
            except TimeoutError:
                process.kill()
                await process.wait()
        if server := local_server(self.settings):
            await asyncio.to_thread(server.stop)

    def _alive(self) -> Iterator[asyncio.subprocess.Process]:
        return (process for process in self.running.values() if process.returncode is None)
