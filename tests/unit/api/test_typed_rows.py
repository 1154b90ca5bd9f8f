"""SQL is where it belongs: in repositories, with typed rows, and each table is written by the package that owns it."""

import ast
import importlib
import inspect
import pkgutil
import re
import tomllib
import typing
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import ModuleType

import pytest
from sqlmodel import SQLModel

import api
import api.tables
from api.core.query import Command, Query

ROOT = Path(api.__file__).parent
# Where SQL is run, and where there are no rows: a model's `text()` is a condition of an index.
DRIVER = {"core/db.py", "core/trips.py", "core/query.py", "core/localpg.py", "core/migrate.py"}
# A page or a verdict is one statement, so SQL joins tables of other packages (asking their owners row by row was 1+3N
# queries); which package joins whose tables is listed here, and a join that is not in the list has to be thought about.
READS = tomllib.loads(Path(__file__).with_name("reads.toml").read_text())["reads"]
_READS = re.compile(r"\b(?:from|join)\s+(?:only\s+)?([a-z_]+)\b", re.IGNORECASE)
_WRITES = re.compile(r"\b(?:insert\s+into|update|delete\s+from)\s+(?!set\b)([a-z_]+)(?=\s)", re.IGNORECASE)


def modules() -> Iterator[ModuleType]:
    """Every module of the service."""
    for found in pkgutil.walk_packages(api.__path__, "api."):
        if not found.name.endswith("__main__"):
            yield importlib.import_module(found.name)


def statements(module: ModuleType) -> Iterator[Command]:
    """The named SQL that a module defines."""
    for value in _assigned(module):
        group = value if isinstance(value, tuple) else (value,)
        yield from (item for item in group if isinstance(item, Command))


def _assigned(module: ModuleType) -> Iterator[object]:
    """What a module gives names to itself: an imported statement is its owner's."""
    for node in ast.parse(inspect.getsource(module)).body:
        for target in node.targets if isinstance(node, ast.Assign) else ():
            names = target.elts if isinstance(target, ast.Tuple) else [target]
            yield from (vars(module)[name.id] for name in names if isinstance(name, ast.Name))


def package(name: str) -> str:
    return ".".join(name.split(".")[:2])


def has_any(hint: object) -> bool:
    """Whether `Any` is in an annotation; JSON objects are `dict[str, Any]`, and that is a type."""
    if hint in (dict[str, typing.Any], Mapping[str, typing.Any]):
        return False
    return hint is typing.Any or any(has_any(part) for part in typing.get_args(hint))


def repositories() -> list[type]:
    """Every class that holds SQL."""
    found = [
        value
        for module in modules()
        for value in vars(module).values()
        if inspect.isclass(value) and value.__module__ == module.__name__ and value.__name__.endswith("Repository")
    ]
    assert len(found) >= 10
    return found


def untyped(repository: type) -> list[str]:
    """Methods of a repository that return `Any`, or say nothing."""
    methods = {name: value for name, value in vars(repository).items() if inspect.isfunction(value)}
    return [
        name
        for name, method in methods.items()
        if name != "__init__" and has_any(typing.get_type_hints(method).get("return", typing.Any))
    ]


def test_no_repository_returns_any() -> None:
    assert {r.__qualname__: names for r in repositories() if (names := untyped(r))} == {}


def test_rows_of_queries_are_frozen_dataclasses_with_typed_columns() -> None:
    rows = {q._row for module in modules() for q in statements(module) if isinstance(q, Query)}
    classes = [row for row in rows if is_dataclass(row)]
    assert len(classes) >= 20
    assert [row for row in classes if not vars(row)["__dataclass_params__"].frozen] == []
    loose = [
        f"{row.__name__}.{field.name}"
        for row in classes
        for field in fields(row)
        if has_any(typing.get_type_hints(row)[field.name])
    ]
    assert loose == []


def test_sql_without_types_is_nowhere() -> None:
    """`text()`, and a session's own `execute`, whose rows have no type, are used below `api.core.query` alone."""
    found = []
    for path in sorted(ROOT.rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if name in DRIVER or path.name == "models.py":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if (
                isinstance(node, ast.ImportFrom)
                and node.module == "sqlalchemy"
                and "text" in {a.name for a in node.names}
            ):
                found.append(f"{name}:{node.lineno} text")
            if isinstance(node, ast.Attribute) and node.attr == "sql":
                found.append(f"{name}:{node.lineno} sql")
    assert found == []


def owners() -> dict[str, str]:
    """The package of each table."""
    return {
        mapper.local_table.name: package(mapper.class_.__module__)  # type: ignore[attr-defined]
        for mapper in SQLModel._sa_registry.mappers
    }


def test_joins_across_packages_are_the_listed_ones() -> None:
    owner = owners()
    found: dict[str, set[str]] = {}
    for module in modules():
        reader = package(module.__name__)
        for command in statements(module):
            for table in _READS.findall(command.sql):
                if owner.get(table, reader) != reader:
                    found.setdefault(reader.removeprefix("api."), set()).add(table)
    assert {name: sorted(tables) for name, tables in sorted(found.items())} == READS


def test_a_table_is_written_by_its_owner_alone() -> None:
    owner = owners()
    foreign = {
        f"{package(module.__name__)} writes {table}: {command.description}"
        for module in modules()
        for command in statements(module)
        for table in _WRITES.findall(command.sql)
        if table in owner and owner[table] != package(module.__name__)
    }
    assert foreign == set()
    assert len(owner) > 30


@pytest.mark.parametrize(
    ("sql", "tables"),
    [
        ("update submission set state = 'x'", ["submission"]),
        ("insert into code_guess as g (a) values (1) on conflict (a) do update set a = 2", ["code_guess"]),
        ("select 1 from organisation o for update of o", []),
        ("with gone as (delete from exposure where id = 1) select 1", ["exposure"]),
    ],
)
def test_what_is_written_is_read_from_the_sql(sql: str, tables: list[str]) -> None:
    assert [t for t in _WRITES.findall(sql) if t != "of"] == tables
