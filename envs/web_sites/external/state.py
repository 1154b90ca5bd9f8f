"""Reading the state of a site that its owner runs: by SQL, through an owner's program, or over the site's interface."""

import asyncio
import contextlib
import csv
import io
import json
import re
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

import httpx2
import pymysql
from pydantic import JsonValue

from envs.base import InfrastructureError, SpecError
from envs.web_sites.difference import MOST_ROWS, TooManyChangesError, rows
from envs.web_sites.external import commands
from envs.web_sites.external.deployment import Turn
from envs.web_sites.external.spec import HttpQuery, State, expanded
from envs.web_sites.served import Row

SECONDS = 120.0
PLACE = re.compile(r"(?<![:\w]):([A-Za-z_]\w*)")
TABLE = re.compile(r"[A-Za-z_][\w$.]*")


async def snapshot(turn: Turn, state: State, file: Path) -> None:
    """The site's tables as they are now, as an SQLite file. Raises InfrastructureError and SpecError."""
    if state.database and (source := _sqlite(turn, state)):
        await asyncio.to_thread(_copied, source, file)
        return
    tables = state.tables or tuple(str(row["name"]) for row in await _select(turn, state, MYSQL_TABLES, {}))
    kept = {}
    for table in tables:
        if not TABLE.fullmatch(table):
            raise SpecError(f"'{table[:60]}' is no name of a table")
        kept[table] = await _select(turn, state, f"select * from {table}", {})  # noqa: S608 - checked above
    await asyncio.to_thread(_written, file, kept)


MYSQL_TABLES = "select table_name as name from information_schema.tables where table_schema = database() order by 1"


async def select(turn: Turn, state: State, sql: str, values: Mapping[str, JsonValue]) -> list[Row]:
    """The rows of one SELECT with `:name` parameters. Raises InfrastructureError, TooManyChangesError, SpecError."""
    found = await _select(turn, state, sql, values)
    if len(found) > MOST_ROWS:
        raise TooManyChangesError(f"more than {MOST_ROWS} rows")
    return found


async def _select(turn: Turn, state: State, sql: str, values: Mapping[str, JsonValue]) -> list[Row]:
    if state.command is not None:
        statement = PLACE.sub(lambda place: _quoted(values, place[1]), sql)
        return _table(await commands.run(turn.owner, "reading the state", state.command, SECONDS, statement + ";\n"))
    source = _sqlite(turn, state)
    try:
        if source:
            return await asyncio.to_thread(rows, source, sql, dict(values))
        return await asyncio.to_thread(_mysql, turn.owner.filled(state.database or ""), sql, values)
    except (sqlite3.Error, pymysql.Error) as error:
        raise InfrastructureError(f"the state of the site '{turn.site.name}' cannot be read: {error}") from error


def _sqlite(turn: Turn, state: State) -> Path | None:
    named = turn.owner.filled(state.database or "")
    return Path(named.removeprefix("sqlite:///")) if named.startswith("sqlite:///") else None


def _copied(source: Path, file: Path) -> None:
    try:
        with (
            contextlib.closing(sqlite3.connect(f"file:{quote(str(source))}?mode=ro", uri=True)) as site,
            contextlib.closing(sqlite3.connect(file)) as kept,
        ):
            site.backup(kept)
    except sqlite3.Error as error:
        raise InfrastructureError(f"the database {source} cannot be read: {error}") from error


def _mysql(address: str, sql: str, values: Mapping[str, JsonValue]) -> list[Row]:
    parts = urlsplit(address)
    if parts.scheme != "mysql" or not parts.hostname:
        raise SpecError("'state.database' is sqlite:///FILE or mysql://USER:PASSWORD@HOST:PORT/NAME")
    connection = pymysql.connect(
        host=parts.hostname,
        port=parts.port or 3306,
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        database=parts.path.lstrip("/"),
        cursorclass=pymysql.cursors.DictCursor,
        read_timeout=SECONDS,
        connect_timeout=int(SECONDS),
    )
    with connection, connection.cursor() as cursor:
        cursor.execute("set session transaction read only")
        cursor.execute(PLACE.sub(r"%(\1)s", sql.replace("%", "%%")), dict(values))
        return [{name: _plain(value) for name, value in row.items()} for row in cursor.fetchall()]


def _plain(value: Any) -> JsonValue:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value if isinstance(value, str | int | float | None) else str(value)


def _quoted(values: Mapping[str, JsonValue], name: str) -> str:
    """A value as SQL. The values are the pack's own; what could end a text is refused all the same."""
    if name not in values:
        raise SpecError(f"the query needs a value for ':{name}'")
    value = values[name]
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str) or "\\" in value or "\0" in value:
        raise SpecError(f"the value of ':{name}' is no plain text or number")
    return "'" + value.replace("'", "''") + "'"


def _table(printed: str) -> list[Row]:
    lines = printed.splitlines()
    if not lines:
        return []
    delimiter = "\t" if "\t" in lines[0] else ","
    return [dict(row) for row in csv.DictReader(io.StringIO(printed), delimiter=delimiter)]


def _written(file: Path, tables: Mapping[str, Sequence[Row]]) -> None:
    with contextlib.closing(sqlite3.connect(file)) as kept, kept:
        for table, found in tables.items():
            names = list(found[0]) if found else ["nothing"]
            key = " primary key" if "id" in names else ""
            columns = ", ".join(f'"{name}"{key if name == "id" else ""}' for name in names)
            kept.execute(f'create table "{table}" ({columns})')
            places = ", ".join("?" * len(names))
            kept.executemany(f'insert into "{table}" values ({places})', _values(found))  # noqa: S608 - names are ours


def _values(found: Iterable[Row]) -> Iterable[tuple[Any, ...]]:
    return (tuple(row.values()) for row in found)


async def over_http(turn: Turn, asked: HttpQuery, values: Mapping[str, JsonValue]) -> list[Row]:
    """Rows of the site's own interface. Raises InfrastructureError and SpecError."""
    path = asked.path
    for name, value in values.items():
        path = path.replace(f"{{{name}}}", quote(str(value), safe=""))
    headers = {name: turn.owner.filled(value) for name, value in asked.headers.items()}
    found = await get_json(turn, path, headers)
    for key in filter(None, asked.rows.split(".")):
        found = found.get(key) if isinstance(found, dict) else None
    listed = found if isinstance(found, list) else [found]
    return [row if isinstance(row, dict) else {"value": row} for row in listed if row is not None]


async def get_json(turn: Turn, path: str, headers: Mapping[str, str], body: JsonValue = None) -> Any:
    """JSON of the site's own interface, which is posted to where there is a `body`. Raises InfrastructureError."""
    url = turn.place.target + expanded(path)
    try:
        async with httpx2.AsyncClient(timeout=SECONDS, verify=turn.site.verify_tls) as client:
            method = "GET" if body is None else "POST"
            answer = await client.request(method, url, headers=dict(headers), json=body)
        if answer.status_code >= 400:
            raise InfrastructureError(f"{url} answered {answer.status_code}")
        return json.loads(answer.text)
    except (httpx2.HTTPError, ValueError) as error:
        raise InfrastructureError(f"{url} gave no JSON: {type(error).__name__}") from error
