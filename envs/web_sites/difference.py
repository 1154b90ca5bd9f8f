"""What a session changed in a site's database, table by table, as `grading.kinds.state_change` reads it."""

import contextlib
import sqlite3
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pydantic import JsonValue

MOST_ROWS = 500
LONGEST_VALUE = 20_000
Row = dict[str, JsonValue]


class TooManyChangesError(Exception):
    """A table has more changed rows than evidence holds."""


def difference(before: Path, after: Path, volatile: Collection[str] = ()) -> dict[str, Any]:
    """`{"tables": {name: {"inserted": [row], "deleted": [row], "updated": [{"before": row, "after": row}]}}}`.

    Tables without a change are left out, and so are those in `volatile`. A change of the tables themselves shows as
    rows of the table `sqlite_master`. Raises TooManyChangesError and sqlite3.Error.
    """
    with contextlib.closing(_both(before, after)) as database:
        names = sorted((_tables(database, "main") | _tables(database, "before")) - set(volatile))
        changed = {"sqlite_master": _schema(database)}
        shared = _tables(database, "main") & _tables(database, "before")
        changed |= {name: _table(database, name) for name in names if name in shared}
    return {"tables": {name: table for name, table in changed.items() if any(table.values())}}


def rows(database: Path, sql: str, values: dict[str, JsonValue]) -> list[Row]:
    """The rows of one SELECT as objects. Raises TooManyChangesError for too many, and sqlite3.Error."""
    with contextlib.closing(_read_only(database)) as connection:
        return _objects(connection.execute(sql, values))


def _read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)


def _both(before: Path, after: Path) -> sqlite3.Connection:
    connection = _read_only(after)
    connection.execute("attach database ? as before", (f"file:{quote(str(before))}?mode=ro",))
    return connection


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _tables(database: sqlite3.Connection, schema: str) -> set[str]:
    found = database.execute(f"select name from {schema}.sqlite_master where type = 'table'")  # noqa: S608 - constants
    return {name for (name,) in found if name != "sqlite_sequence"}


def _schema(database: sqlite3.Connection) -> dict[str, Any]:
    one = "select type, name, sql from {}.sqlite_master except select type, name, sql from {}.sqlite_master"
    return {
        "inserted": _objects(database.execute(one.format("main", "before"))),
        "deleted": _objects(database.execute(one.format("before", "main"))),
    }


def _table(database: sqlite3.Connection, name: str) -> dict[str, Any]:
    described = database.execute(f"pragma main.table_info({_quoted(name)})").fetchall()
    key = [column[1] for column in sorted(described, key=lambda column: column[5]) if column[5]]
    chosen = "*" if key else "rowid as rowid, *"
    table = _quoted(name)
    fresh = f"select {chosen} from main.{table} except select {chosen} from before.{table}"  # noqa: S608 - quoted
    stale = f"select {chosen} from before.{table} except select {chosen} from main.{table}"  # noqa: S608 - quoted
    new = _by_key(database.execute(fresh), key or ["rowid"])
    old = _by_key(database.execute(stale), key or ["rowid"])
    return {
        "inserted": [row for place, row in new.items() if place not in old],
        "deleted": [row for place, row in old.items() if place not in new],
        "updated": [{"before": old[place], "after": row} for place, row in new.items() if place in old],
    }


def _by_key(cursor: sqlite3.Cursor, key: list[str]) -> dict[tuple[str, ...], Row]:
    return {tuple(repr(row[column]) for column in key): row for row in _objects(cursor)}


def _objects(cursor: sqlite3.Cursor) -> list[Row]:
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, map(_plain, row), strict=True)) for row in _limited(cursor)]


def _limited(cursor: sqlite3.Cursor) -> Iterator[tuple[Any, ...]]:
    for number, row in enumerate(cursor):
        if number >= MOST_ROWS:
            raise TooManyChangesError(f"more than {MOST_ROWS} rows of a table")
        yield row


def _plain(value: Any) -> JsonValue:
    if isinstance(value, bytes):
        return value.hex()[:LONGEST_VALUE]
    if isinstance(value, str):
        return value.replace("\0", "")[:LONGEST_VALUE]
    return value if isinstance(value, int | float) else None
