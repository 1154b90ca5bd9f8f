"""The database environment: one server for each session, evidence read on a connection the participant never had."""

import datetime
import decimal
import json
from collections.abc import Awaitable
from typing import Any

from envs import engine
from envs.base import (
    Action,
    Evidence,
    FinishReason,
    InfrastructureError,
    Observation,
    Probe,
    SpecError,
    StepResult,
    parse_probe,
    parse_spec,
)
from envs.database import protocol, template
from envs.database.server import Rows, Server, StatementError
from envs.database.spec import PROBES, DatabaseSpec, GoldQueryProbe, GoldTableProbe, QueryProbe, Table, TableProbe
from envs.sandbox.base import Backend
from envs.turns import as_text, messages

GOLD_SECONDS = 120.0


class Database:
    """One episode on one server. `backend` makes the sandboxes; without it the service's default is used."""

    def __init__(self, backend: Backend | None = None) -> None:
        self._backend = backend
        self._server: Server | None = None
        self._spec: DatabaseSpec | None = None
        self._turns = 0
        self._ended = False

    async def reset(self, spec: dict[str, Any], seed: int) -> Observation:
        """Start the server, load the tables, and show the instruction, the problem and the tools.

        Raises SpecError for a wrong specification or a table the server refuses, and InfrastructureError.
        """
        del seed
        self._spec = parse_spec(DatabaseSpec, spec)
        if self._backend is None:
            self._backend = await engine.backend()
        self._server = await open_server(self._backend, self._spec)
        turns = protocol.opening(self._spec)
        data: dict[str, Any] = {"turns": self._spec.turns} | ({"messages": messages(turns)} if len(turns) > 1 else {})
        return Observation(text=as_text(turns), data=data, tools=protocol.TOOLS)

    async def step(self, action: Action) -> StepResult:
        """Run a statement, or commit the answer. A reply that cannot be read ends a "published" episode and only costs
        a turn in a "fixed" one; after the last statement of a "published" one an answer may follow."""
        server, spec = self._open()
        self._turns += 1
        published, last = spec.protocol == "published", self._turns > spec.turns
        request = protocol.parse(action, published=published, answer_only=last)
        if request is None and last:
            return StepResult(observation=Observation(), finish=FinishReason.TASK_LIMIT)
        if request is None and published:
            return StepResult(
                observation=Observation(), finish=FinishReason.INVALID_FORMAT, error="no action was found in the reply"
            )
        if request is not None and request.kind == "answer":
            return StepResult(observation=Observation(), finish=FinishReason.COMPLETED, answer=request.text)
        observation = (
            Observation(text=protocol.NUDGE) if request is None else await _observe(server, spec, request.text)
        )
        left = spec.turns - self._turns
        observation = observation.model_copy(update={"data": observation.data | {"turns": left}})
        goes_on = left > 0 or published
        return StepResult(observation=observation, finish=None if goes_on else FinishReason.TASK_LIMIT)

    async def probe(self, probes: list[Probe]) -> list[Evidence]:
        """Evidence, in the order of `probes`; the participant's connection is ended before the first.

        Types "table", "query", "gold_table" and "gold_query" give `{"columns": [str], "rows": [[str | null]],
        "truncated": bool}`; a table that is not there any more gives an error that is no fault of ours.
        Raises InfrastructureError when a server is gone for good.
        """
        server, _ = self._open()
        if not self._ended:
            await server.end_participant()
            self._ended = True
        return [await self._see(probe) for probe in probes]

    async def close(self) -> None:
        """End the server."""
        server, self._server = self._server, None
        if server is not None:
            await server.close()

    def _open(self) -> tuple[Server, DatabaseSpec]:
        if self._server is None or self._spec is None:
            raise InfrastructureError("the episode has not begun, or is closed")
        return self._server, self._spec

    async def _see(self, probe: Probe) -> Evidence:
        server, _ = self._open()
        try:
            match parse_probe(PROBES, probe):
                case GoldTableProbe() as asked:
                    return Evidence(name=probe.name, value=await self._gold_table(asked))
                case GoldQueryProbe() as asked:
                    return Evidence(name=probe.name, value=await self._gold_query(asked))
                case TableProbe() as asked:
                    return await _left(probe.name, read_table(server, asked.table))
                case QueryProbe() as asked:
                    return await _left(probe.name, server.execute(asked.statement, GOLD_SECONDS))
        except (SpecError, StatementError) as error:
            return Evidence(name=probe.name, error=str(error), fault=True)

    async def _gold_table(self, asked: GoldTableProbe) -> dict[str, Any]:
        server = await self._untouched()
        try:
            for statement in asked.statements:
                await server.execute(statement, GOLD_SECONDS)
            return _evidence(await read_table(server, asked.table))
        finally:
            await server.close()

    async def _gold_query(self, asked: GoldQueryProbe) -> dict[str, Any]:
        server = await self._untouched()
        try:
            return _evidence(await server.execute(asked.statement, GOLD_SECONDS))
        finally:
            await server.close()

    async def _untouched(self) -> Server:
        _, spec = self._open()
        if self._backend is None:
            raise InfrastructureError("no sandbox backend")
        return await open_server(self._backend, spec, clone=True)


async def open_server(backend: Backend, spec: DatabaseSpec, *, clone: bool = False) -> Server:
    """A fresh server that holds the tables of `spec`. Raises SpecError and InfrastructureError."""
    server = await Server.start(backend, template.image_name(backend, spec.image), spec.sql_mode, clone=clone)
    try:
        for table in spec.tables:
            await server.load(*_statements(table), table.rows)
    except StatementError as error:
        await server.close()
        raise SpecError(f"table '{table.name}' cannot be made: {error}") from None
    except BaseException:
        await server.close()
        raise
    return server


async def read_table(server: Server, name: str) -> Rows:
    """The rows of a base table; a view in its place is not it. Raises StatementError."""
    kind = await server.query(
        "SELECT table_type FROM information_schema.tables WHERE table_schema = 'task' AND table_name = %s", (name,)
    )
    if [row[0] for row in kind.rows] != ["BASE TABLE"]:
        raise StatementError(f"there is no table '{name}' any more")
    return await server.query(f"SELECT * FROM task.{_quoted(name)}")  # noqa: S608 - the benchmark's own name, quoted


def _statements(table: Table) -> tuple[str, str]:
    name = f"task.{_quoted(table.name)}"
    columns = ", ".join(f"{_quoted(column)} TEXT" for column in table.columns)
    marks = ", ".join(["%s"] * len(table.columns))
    # The client formats the statement with %: a percent sign of a name is doubled.
    insert = f"INSERT INTO {name.replace('%', '%%')} VALUES ({marks})"  # noqa: S608 - quoted names
    return f"CREATE TABLE {name} ({columns})", insert


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


async def _observe(server: Server, spec: DatabaseSpec, statement: str) -> Observation:
    try:
        found = await server.execute(statement, spec.timeout)
    except StatementError as error:
        return Observation(text=protocol.shorten(str(error)), data={"error": str(error)[: protocol.LONGEST]})
    if spec.protocol == "published":
        return Observation(text=protocol.shorten(str(list(found.rows))))
    rows = [[_plain(cell) for cell in row] for row in found.rows]
    text = json.dumps(rows, ensure_ascii=False)
    if found.columns:
        text = f"{json.dumps(found.columns, ensure_ascii=False)}\n{text}"
    return Observation(text=protocol.shorten(text), data={"output": rows[0][0] if rows and rows[0] else None})


async def _left(name: str, reading: Awaitable[Rows]) -> Evidence:
    """What the participant left: what is not there is its own doing, and no fault of ours."""
    try:
        return Evidence(name=name, value=_evidence(await reading))
    except StatementError as error:
        return Evidence(name=name, error=str(error))


def _evidence(found: Rows) -> dict[str, Any]:
    rows = [[None if cell is None else str(_plain(cell)) for cell in row] for row in found.rows]
    return {"columns": list(found.columns), "rows": rows, "truncated": found.truncated}


def _plain(cell: Any) -> str | int | float | None:
    if cell is None or isinstance(cell, str | int | float):
        return cell
    if isinstance(cell, decimal.Decimal):
        return str(cell)
    if isinstance(cell, bytes):
        return cell.decode("utf-8", "replace")
    return cell.isoformat() if isinstance(cell, datetime.date | datetime.datetime) else str(cell)
