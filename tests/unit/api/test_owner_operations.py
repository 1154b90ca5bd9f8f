"""The table of an owner's operations in docs/owners.md names routes, commands and pages that there are."""

from pathlib import Path
from typing import get_args

import typer.main
from fastapi.routing import APIRoute, iter_route_contexts

from api.app import create_app
from api.core.settings import Settings
from api.owner_jobs.schemas import OwnerJobAsk
from heldout._commands import app as commands

PAGE = Path(__file__).parents[3] / "docs" / "owners.md"


def rows() -> list[tuple[str, str, str]]:
    """HTTP, command and page of each row."""
    text = PAGE.read_text(encoding="utf-8").partition("| what | HTTP | command | page |")[2].partition("\n\n")[0]
    cells = [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in text.splitlines()[2:]]
    return [(http, command, page) for _, http, command, page in cells]


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
    assert {http for http, _, _ in found} - routes - jobs == set()
    assert jobs - {http for http, _, _ in found} == set()
    assert {f"GET {page}" for _, _, page in found} - routes == set()
    for _, command, _ in found:
        group = typer.main.get_command(commands)
        for name in command.split()[1:]:
            group = group.commands[name]  # type: ignore[attr-defined]
