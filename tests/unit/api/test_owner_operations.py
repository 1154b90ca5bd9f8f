"""The table of an owner's operations in docs/owners.md names routes, methods, commands, pages and tests there are."""

import ast
import tomllib
from pathlib import Path
from typing import NamedTuple, get_args

import typer.main
from fastapi.routing import APIRoute, iter_route_contexts

from api.app import create_app
from api.core.settings import Settings
from api.owner_jobs.schemas import OwnerJobAsk
from heldout import AsyncClient, Client
from heldout._commands import app as commands
from heldout._owned import AsyncOwned, Owned
from heldout._owner import AsyncPacks, Packs

ROOT = Path(__file__).parents[3]
HEAD = "| what | page | command | Python | HTTP |"
TESTS = Path(__file__).with_name("owner_operations.toml")
PYTHON = {"owned": (Owned, AsyncOwned), "packs": (Packs, AsyncPacks), "": (Client, AsyncClient)}


class Row(NamedTuple):
    """An operation and its ways."""

    what: str
    page: str
    command: str
    python: str
    http: str


def rows() -> list[Row]:
    text = (ROOT / "docs" / "owners.md").read_text(encoding="utf-8").partition(HEAD)[2].partition("\n\n")[0]
    return [Row(*(cell.strip(" `") for cell in line.strip("|").split("|"))) for line in text.splitlines()[2:]]


def test_every_way_of_every_operation_exists(tmp_path: Path) -> None:
    app = create_app(Settings(data_dir=tmp_path))
    routes = {
        f"{method} {context.path}"
        for context in iter_route_contexts(app.routes)
        if isinstance(route := context.original_route, APIRoute)
        for method in route.methods or ()
    }
    jobs = {f"job {kind.model_fields['job'].annotation.__args__[0]}" for kind in get_args(get_args(OwnerJobAsk)[0])}
    found = rows()
    assert len(found) > 30
    assert {row.http for row in found} - routes - jobs == set()
    assert jobs - {row.http for row in found} == set()
    assert {f"GET {row.page}" for row in found} - routes == set()
    for row in found:
        group = typer.main.get_command(commands)
        for name in row.command.split()[1:]:
            group = group.commands[name]  # type: ignore[attr-defined]


def test_every_operation_has_a_method_that_waits_and_one_to_be_awaited() -> None:
    for row in rows():
        owner, _, method = row.python.rpartition(".")
        assert [kind for kind in PYTHON[owner] if not callable(getattr(kind, method, None))] == [], row.what


def test_the_tests_that_show_it_exist() -> None:
    known: dict[str, set[str]] = {}
    shown: dict[str, list[str]] = tomllib.loads(TESTS.read_text(encoding="utf-8"))
    assert list(shown) == [row.what for row in rows()], "each operation has its tests, in the table's order"
    for what, named in shown.items():
        assert named, what
        for test in named:
            file, _, name = test.partition("::")
            if file not in known:
                tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
                known[file] = {one.name for one in tree.body if isinstance(one, ast.AsyncFunctionDef | ast.FunctionDef)}
            assert name.startswith("test_"), test
            assert name in known[file], f"{what}: there is no {test}"
