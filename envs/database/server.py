"""One MariaDB server in a sandbox: started over a shared template data directory, spoken to over its socket."""

from __future__ import annotations

import asyncio
import contextlib
import os
import stat
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pymysql
from pymysql.connections import Connection
from pymysql.cursors import SSCursor

from envs.base import InfrastructureError
from envs.database import template
from envs.sandbox.base import MIB, Backend, FileRefusedError, Image, Limits, Sandbox, SandboxError
from envs.sandbox.pool import PoolSpec
from envs.sandbox.warm import hold

LIMITS = Limits(memory=512 * MIB, processes=64, disk=192 * MIB, files=10_000, timeout=120.0)
IDLE_BYTES = 64 * MIB
READY_SECONDS = 120.0
KILL_SECONDS = 60.0
PAUSE = 0.01
DATABASE = "task"
AGENT, ADMIN = "agent", "root"
MAX_ROWS = 20_000
MAX_BYTES = 8 * MIB
LOST = {2006, 2013, 2014, 2055, 1053}
# Small, without network, files, plug-ins, symbolic links, scheduled events or anything else than tables and queries.
OPTIONS = tuple(
    """
--no-defaults --datadir=/work/data --socket=/work/socket --pid-file=/work/pid --log-error=/work/log.err
--tmpdir=/work/data --skip-networking --skip-log-bin --skip-symbolic-links --local-infile=0
--secure-file-priv=/boot --event-scheduler=DISABLED --performance-schema=0 --innodb-buffer-pool-size=8M
--innodb-log-file-size=4M --innodb-log-buffer-size=2M --innodb-flush-log-at-trx-commit=2
--innodb-flush-method=nosync --innodb-doublewrite=0 --innodb-use-native-aio=0 --innodb-undo-tablespaces=0
--innodb-temp-data-file-path=ibtmp1:4M:autoextend:max:64M --innodb-read-io-threads=1 --innodb-write-io-threads=1
--innodb-purge-threads=1 --key-buffer-size=1M --aria-pagecache-buffer-size=1M --max-connections=10
--wait-timeout=31536000 --thread-cache-size=0 --table-open-cache=64 --tmp-table-size=8M --max-heap-table-size=8M
--max-allowed-packet=4M --character-set-server=utf8mb4 --collation-server=utf8mb4_general_ci
""".split()  # noqa: SIM905 - a list of options reads better as text
)


class StatementError(Exception):
    """A statement was refused or stopped: the text is for the participant."""


@dataclass(frozen=True, slots=True)
class Rows:
    """What a statement gave. `truncated` when there was more than is kept."""

    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()
    truncated: bool = False


class Server:
    """A running server with two connections: the participant's, and ours. Not safe for concurrent calls."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox, self._sql_mode = sandbox, ""
        self._end: Callable[[], Awaitable[None]] = sandbox.destroy
        self._pid = 0
        self._agent: Connection[SSCursor] | None = None
        self._admin: Connection[SSCursor] | None = None

    @classmethod
    async def start(cls, backend: Backend, image: str, sql_mode: str, *, clone: bool = False) -> Server:
        """A fresh server with an empty database; a `clone` stands beside one that is held already.

        Raises PoolExhaustedError, InfrastructureError.
        """
        leased = await hold(backend, await pool_spec(backend, image), spare=clone)
        server: Server = leased.prepared
        server._end = leased.close
        try:
            await server._set_mode(sql_mode)
        except BaseException:
            await server.close()
            raise
        return server

    async def execute(self, statement: str, timeout: float) -> Rows:
        """Run one statement as the participant. Raises StatementError, and InfrastructureError when the server fails.

        A statement over `timeout` seconds is stopped. A server that died of it is started again over the same data.
        """
        if self._agent is None:
            self._agent = await self._connect(AGENT)
        try:
            return await self._run(self._agent, statement, timeout)
        except pymysql.MySQLError as error:
            code, text = _parts(error)
            if code not in LOST:
                raise StatementError(f"{code}: {text}") from None
            await self._restart()
            raise StatementError(
                "the database server ended while it ran this statement, and was started again"
            ) from None

    async def query(self, statement: str, arguments: tuple[Any, ...] = ()) -> Rows:
        """Run a statement of ours as administrator, on a connection the participant never had."""
        if self._admin is None:
            self._admin = await self._connect(ADMIN)
        try:
            return await asyncio.to_thread(_fetch, self._admin, statement, arguments)
        except pymysql.MySQLError as error:
            code, text = _parts(error)
            if code in LOST:
                raise InfrastructureError(f"the database server is gone: {text}") from None
            raise StatementError(f"{code}: {text}") from None

    async def load(self, create: str, insert: str, rows: tuple[tuple[Any, ...], ...]) -> None:
        """Make one table as administrator. Raises StatementError, and InfrastructureError when the server fails."""
        if self._admin is None:
            self._admin = await self._connect(ADMIN)
        try:
            await asyncio.to_thread(_make, self._admin, create, insert, rows)
        except pymysql.MySQLError as error:
            code, text = _parts(error)
            if code in LOST:
                raise InfrastructureError(f"the database server is gone: {text}") from None
            raise StatementError(text) from None

    async def end_participant(self) -> None:
        """Close the participant's connection and end whatever it still runs."""
        agent, self._agent = self._agent, None
        if agent is not None:
            _cut(agent)
        listed = await self.query("SELECT id FROM information_schema.processlist WHERE user = %s", (AGENT,))
        for (number,) in listed.rows:
            with contextlib.suppress(StatementError):
                await self.query(f"KILL {int(number)}")

    async def close(self) -> None:
        """End the server and its sandbox."""
        for connection in (self._agent, self._admin):
            if connection is not None:
                _cut(connection)
        self._agent = self._admin = None
        await self._end()

    async def _set_mode(self, sql_mode: str) -> None:
        """For connections from now on, and for ours."""
        if sql_mode != self._sql_mode:
            await self.query("SET GLOBAL sql_mode = %s", (sql_mode,))
            await self.query("SET SESSION sql_mode = %s", (sql_mode,))
            self._sql_mode = sql_mode

    async def _serve(self) -> None:
        argv = ["mariadbd", *OPTIONS, f"--sql-mode={self._sql_mode}"]
        self._pid = await self._sandbox.spawn(argv, user="agent")
        self._admin = await self._connect(ADMIN)

    async def _restart(self) -> None:
        for connection in (self._agent, self._admin):
            if connection is not None:
                _cut(connection)
        self._agent = self._admin = None
        await self._sandbox.kill()
        await self._sandbox.run(["rm", "-f", "/work/socket", "/work/pid"], user="agent")
        await self._serve()

    async def _connect(self, user: str) -> Connection[SSCursor]:
        """Connect when the server answers; a server that is not there any more is told at once."""
        last = "no socket"
        try:
            async with asyncio.timeout(READY_SECONDS):
                while True:
                    if not Path(f"/proc/{self._pid}").exists() or not self._sandbox.alive:
                        said = await self._last_words()
                        raise InfrastructureError(f"the database server ended before it answered ({last}){said}")
                    try:
                        return await self._knock(user)
                    except (OSError, pymysql.MySQLError) as error:
                        last = str(error)
                    await asyncio.sleep(PAUSE)
        except TimeoutError:
            raise InfrastructureError(f"the database server did not answer in {READY_SECONDS:.0f} s: {last}") from None

    async def _last_words(self) -> str:
        try:
            log = await self._sandbox.read_file("/work/log.err")
        except (SandboxError, FileRefusedError):
            return ""
        return ": " + log.decode("utf-8", "replace")[-500:].strip()

    async def _knock(self, user: str) -> Connection[SSCursor]:
        descriptor = await self._sandbox.locate("/work/socket")
        try:
            if not stat.S_ISSOCK(os.fstat(descriptor).st_mode):
                raise InfrastructureError("the server's socket is not a socket")
            return await asyncio.to_thread(_open, f"/proc/self/fd/{descriptor}", user)
        finally:
            os.close(descriptor)

    async def _run(self, connection: Connection[SSCursor], statement: str, timeout: float) -> Rows:
        number = int(connection.thread_id())  # type: ignore[no-untyped-call]
        work = asyncio.create_task(asyncio.to_thread(_fetch, connection, statement, None))
        try:
            rows = await asyncio.wait_for(asyncio.shield(work), timeout)
        except TimeoutError:
            await self._stop(number, work)
            raise StatementError(f"the statement was stopped after {timeout:g} seconds") from None
        if rows.truncated:
            # The rest of the rows still comes: that connection is given up.
            _cut(connection)
            self._agent = None
            with contextlib.suppress(StatementError):
                await self.query(f"KILL {number}")
        return rows

    async def _stop(self, number: int, work: asyncio.Task[Rows]) -> None:
        with contextlib.suppress(StatementError):
            await self.query(f"KILL QUERY {number}")
        done, _ = await asyncio.wait({work}, timeout=KILL_SECONDS)
        if not done:
            await self._restart()
        with contextlib.suppress(pymysql.MySQLError):
            await work


async def pool_spec(backend: Backend, image: str) -> PoolSpec:
    """A server that answers, with an empty database. The first call makes its template. Raises InfrastructureError."""
    layer = await template.layer(backend, image)
    return PoolSpec("database", Image(name=image, layers=(layer,)), LIMITS, ready=1, prepare=_serving, idle=IDLE_BYTES)


async def _serving(sandbox: Sandbox) -> Server:
    server = Server(sandbox)
    await server._serve()
    return server


def _open(path: str, user: str) -> Connection[SSCursor]:
    database = DATABASE if user == AGENT else None
    return pymysql.connect(
        unix_socket=path,
        user=user,
        database=database,
        autocommit=True,
        charset="utf8mb4",
        cursorclass=SSCursor,
        connect_timeout=10,
        local_infile=False,
    )


def _fetch(connection: Connection[SSCursor], statement: str, arguments: tuple[Any, ...] | None) -> Rows:
    cursor = connection.cursor()
    cursor.execute(statement, arguments or None)
    columns = tuple(str(item[0]) for item in cursor.description or ())
    rows: list[tuple[Any, ...]] = []
    size = 0
    while (row := cursor.fetchone()) is not None:
        size += sum(len(cell) if isinstance(cell, str | bytes) else 16 for cell in row)
        if len(rows) >= MAX_ROWS or size > MAX_BYTES:
            return Rows(columns, tuple(rows), truncated=True)
        rows.append(row)
    cursor.close()
    return Rows(columns, tuple(rows))


def _make(connection: Connection[SSCursor], create: str, insert: str, rows: tuple[tuple[Any, ...], ...]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(create)
        if rows:
            cursor.executemany(insert, rows)


def _cut(connection: Connection[SSCursor]) -> None:
    """Close the socket without asking: the server may be silent, or still sending."""
    connection._force_close()  # type: ignore[attr-defined]


def _parts(error: pymysql.MySQLError) -> tuple[int, str]:
    arguments = error.args
    code = arguments[0] if arguments and isinstance(arguments[0], int) else 0
    return code, str(arguments[1]) if len(arguments) > 1 else str(error)
