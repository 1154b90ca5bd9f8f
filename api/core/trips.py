"""Several statements in one trip to the database, `begin` among them where it is due.

A trip costs this process and the server a system call and a wake-up each, and whoever waits for a lock the time until
the event loop comes back. psycopg's own pipelines take any number of statements while results come: a short one costs
more than the trip that it saves (a transaction of one statement 0.30 ms of this process, piped 0.43, this way 0.22).
"""

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import AsyncConnection, AsyncRawCursor
from psycopg._preparing import Prepare
from psycopg._queries import PostgresQuery
from psycopg.abc import PQGen
from psycopg.adapt import Transformer
from psycopg.generators import fetch_many, send
from psycopg.pq import ExecStatus, TransactionStatus
from psycopg.pq.abc import PGresult


@dataclass(frozen=True)
class Statement:
    """What a cursor is asked, values by number. `prepare`: False has it planned anew, None is the driver's choice."""

    cursor: "Cursor"
    sql: bytes
    values: Sequence[object]
    prepare: bool | None = None


class Cursor(AsyncRawCursor[Any]):
    """A cursor whose first statement in a transaction takes `begin` along."""

    async def ask(self, sql: bytes, values: Sequence[object], prepare: bool | None = None) -> None:
        """Carry a statement out. Raises psycopg.Error."""
        if _begins(self.connection):
            await send_together(self.connection, [Statement(self, sql, values, prepare)])
        else:
            await self.execute(sql, values, prepare=prepare)

    def _converted(self, statement: Statement) -> PostgresQuery:
        self._reset()
        self._tx = Transformer(self)
        return self._convert_query(statement.sql, statement.values)

    def _send(self, query: PostgresQuery, prepare: bool | None) -> PQGen[None]:
        """Send it into the connection's pipeline; what is returned takes its results from there."""
        server, kept = self._pgconn, self._conn._prepared
        todo, name = self._get_prepared(query, prepare)
        if todo is Prepare.SHOULD:
            server.send_prepare(name, query.query, param_types=query.types)
        if todo is Prepare.NO:
            server.send_query_params(
                query.query,
                query.params,
                param_formats=query.formats,
                param_types=query.types,
                result_format=self.format,
            )
        else:
            server.send_query_prepared(name, query.params, param_formats=query.formats, result_format=self.format)
        new = kept.maybe_add_to_cache(query, todo, name)

        def received() -> PQGen[None]:
            if todo is Prepare.SHOULD:
                prepared = yield from fetch_many(server)
                if prepared[0].status != ExecStatus.COMMAND_OK:
                    kept._names.pop(kept.key(query), None)
                    self._results[:] = prepared
                    yield from fetch_many(server)
                    return
            self._results[:] = yield from fetch_many(server)
            if new is not None:
                kept.validate(new, todo, name, self._results)

        return received()

    def _take(self) -> None:
        found = list(self._results)
        self._check_results(found)
        self._set_results(found)


async def send_together(
    connection: AsyncConnection[Any], statements: Sequence[Statement], *, commit: bool = False
) -> None:
    """All of them in order, each seeing what those before it did, and at the end `commit`.

    Raises psycopg.Error of the first that fails; nothing after it was carried out.
    """
    async with connection.lock:
        await connection.wait(_sent_together(connection, statements, commit))


def _begins(connection: AsyncConnection[Any]) -> bool:
    return not connection.autocommit and connection.pgconn.transaction_status == TransactionStatus.IDLE


def _sent_together(connection: AsyncConnection[Any], statements: Sequence[Statement], commit: bool) -> PQGen[None]:
    connection._check_connection_ok()
    # Before anything is sent: a value that cannot be written raises here.
    queries = [statement.cursor._converted(statement) for statement in statements]
    server, begins = connection.pgconn, _begins(connection)
    begun: list[PGresult] = []
    ended: list[PGresult] = []
    server.enter_pipeline_mode()
    try:
        if begins:
            server.send_query_params(connection._get_tx_start_command(), None)
        pairs = zip(statements, queries, strict=True)
        awaited = [statement.cursor._send(query, statement.prepare) for statement, query in pairs]
        if commit:
            server.send_query_params(b"COMMIT", None)
        server.pipeline_sync()
        yield from send(server)
        if begins:
            begun = yield from fetch_many(server)
        for received in awaited:
            yield from received
        if commit:
            ended = yield from fetch_many(server)
        yield from fetch_many(server)
    finally:
        # A connection that was lost cannot leave the mode, and is not used again.
        with contextlib.suppress(psycopg.Error):
            server.exit_pipeline_mode()
    if begins:
        statements[0].cursor._check_results(begun)
    for statement in statements:
        statement.cursor._take()
    if commit:
        statements[-1].cursor._check_results(ended)
    yield from connection._prepared.maintain_gen(connection)
