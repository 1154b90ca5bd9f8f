"""Reading the state of a site that its owner runs: by SQL, through an owner's program, or over the site's interface."""

import asyncio
import contextlib
import csv
import io
import json
import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

import httpx2
import pymysql
from pydantic import BaseModel, JsonValue

from envs.base import InfrastructureError, SpecError
from envs.web_sites.difference import MOST_ROWS, TooManyChangesError, difference, rows
from envs.web_sites.external import commands
from envs.web_sites.external.deployment import Turn
from envs.web_sites.external.spec import HttpQuery, State, expanded
from envs.web_sites.served import Row

SECONDS = 120.0
PLACE = re.compile(r"(?<![:\w]):([A-Za-z_]\w*)")
TABLE = re.compile(r"[A-Za-z_][\w$.]*")
MYSQL_TABLES = "select table_name as name from information_schema.tables where table_schema = database() order by 1"


PRIMARY_KEYS = """select table_name as name, column_name as part from information_schema.key_column_usage
where table_schema = database() and constraint_name = 'PRIMARY' order by table_name, ordinal_position"""


class Snapshot(BaseModel):
    """Tables as they were: their rows, and the columns by which a row is known (all of them where none are named)."""

    rows: dict[str, list[Row]]
    keys: dict[str, tuple[str, ...]]


async def remember(turn: Turn, state: State, folder: Path) -> None:
    """Keep the site's tables as they are now in a folder. Raises InfrastructureError and SpecError."""
    if source := _sqlite(turn, state):
        await asyncio.to_thread(_copied, source, folder / "before.sqlite3")
        return
    taken = await _snapshot(turn, state)
    await asyncio.to_thread((folder / "before.json").write_text, taken.model_dump_json(), "utf-8")


async def changes(turn: Turn, state: State, folder: Path, volatile: Iterable[str]) -> dict[str, Any]:
    """What has changed since `remember`, in the words of `difference`; of the tables that the file names, if it does.

    Raises InfrastructureError, SpecError and TooManyChangesError.
    """
    if source := _sqlite(turn, state):
        after = folder / "after.sqlite3"
        after.unlink(missing_ok=True)
        await asyncio.to_thread(_copied, source, after)
        found = (await asyncio.to_thread(difference, folder / "before.sqlite3", after, set(volatile)))["tables"]
    else:
        text = await asyncio.to_thread((folder / "before.json").read_text, "utf-8")
        found = compared(Snapshot.model_validate_json(text), await _snapshot(turn, state))
    kept = (set(state.tables) or set(found)) - set(volatile)
    return {"tables": {name: change for name, change in found.items() if name in kept}}


def compared(before: Snapshot, after: Snapshot) -> dict[str, Any]:
    """By table what came, went and changed. Raises TooManyChangesError."""
    tables: dict[str, Any] = {}
    for name, rows_after in after.rows.items():
        rows_before = before.rows.get(name, [])
        key = after.keys.get(name) or tuple({column: None for row in rows_before + rows_after for column in row})
        old, new = _by_key(rows_before, key), _by_key(rows_after, key)
        both = [(old[place], row) for place, row in new.items() if place in old]
        change: dict[str, list[Any]] = {
            "inserted": [row for place, row in new.items() if place not in old],
            "deleted": [row for place, row in old.items() if place not in new],
            "updated": [{"before": was, "after": row} for was, row in both if was != row],
        }
        if any(len(rows) > MOST_ROWS for rows in change.values()):
            raise TooManyChangesError(f"more than {MOST_ROWS} rows of a table")
        if any(change.values()):
            tables[name] = change
    return tables


def _by_key(found: Sequence[Row], key: tuple[str, ...]) -> dict[tuple[str, ...], Row]:
    """Rows by key; rows alike in it are told apart by their count."""
    counted: Counter[tuple[str, ...]] = Counter()
    by_key: dict[tuple[str, ...], Row] = {}
    for row in found:
        place = tuple(repr(row.get(column)) for column in key)
        counted[place] += 1
        by_key[(*place, str(counted[place]))] = row
    return by_key


async def _snapshot(turn: Turn, state: State) -> Snapshot:
    keys: dict[str, tuple[str, ...]] = {}
    names = list(state.tables)
    if state.command is None:
        names = names or [str(row["name"]) for row in await _select(turn, state, MYSQL_TABLES, {})]
        for row in await _select(turn, state, PRIMARY_KEYS, {}):
            keys[str(row["name"])] = (*keys.get(str(row["name"]), ()), str(row["part"]))
    rows_by_table = {}
    for table in names:
        if not TABLE.fullmatch(table):
            raise SpecError(f"'{table[:60]}' is no name of a table")
        rows_by_table[table] = await _select(turn, state, f"select * from {table}", {})  # noqa: S608 - checked above
    return Snapshot(rows=rows_by_table, keys=keys | state.keys)


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
            answer = await client.request(method, url, headers={"Host": turn.place.host} | dict(headers), json=body)
        if answer.status_code >= 400:
            raise InfrastructureError(f"{url} answered {answer.status_code}")
        return json.loads(answer.text)
    except (httpx2.HTTPError, ValueError) as error:
        raise InfrastructureError(f"{url} gave no JSON: {type(error).__name__}") from error
