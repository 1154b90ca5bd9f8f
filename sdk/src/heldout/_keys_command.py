"""`heldout keys`: keys of one's own."""

import json
import sys
from typing import Annotated

import typer
from rich.console import Console

from heldout.client import Client
from heldout.models import Key

app = typer.Typer(no_args_is_help=True, help="Your own keys: list, create, limit, revoke.")
out = Console()
IdArgument = Annotated[str, typer.Argument(help="the key's id, as `heldout keys list` shows it")]
Networks = Annotated[
    list[str] | None,
    typer.Option("--from", help="an address or network that it works from; may be given several times"),
]
Rate = Annotated[int | None, typer.Option("--requests-per-minute", min=1, max=10_000, help="how often it may ask")]
JsonOption = Annotated[bool, typer.Option("--json", help="print JSON instead of text")]


@app.command("list")
def list_keys(as_json: JsonOption = False) -> None:
    """List your keys, newest first, without their secrets."""
    with Client() as client:
        rows = client.keys.all()
    for row in rows:
        _show(row, as_json=as_json)


@app.command()
def create(
    name: Annotated[str, typer.Argument(help="what it is for")],
    scope: Annotated[list[str], typer.Option(help="what it may do; may be given several times")],
    days: Annotated[int | None, typer.Option(min=1, max=3650, help="until it expires; without it, never")] = None,
    networks: Networks = None,
    requests_per_minute: Rate = None,
    as_json: JsonOption = False,
) -> None:
    """Make a key; its secret is printed this once, on a line of its own."""
    with Client() as client:
        made = client.keys.create(
            name, scope, days=days, networks=networks or (), requests_per_minute=requests_per_minute
        )
    if as_json:
        _show(made, as_json=True)
        return
    Console(stderr=True).print(f"{made.id}: copy the key now, it is not shown again", markup=False, highlight=False)
    sys.stdout.write(made.key + "\n")


@app.command()
def limit(
    key: IdArgument, networks: Networks = None, requests_per_minute: Rate = None, as_json: JsonOption = False
) -> None:
    """Change where a key works and how often it may ask; what is not given is lifted."""
    with Client() as client:
        changed = client.keys.limit(key, networks=networks or (), requests_per_minute=requests_per_minute)
    _show(changed, as_json=as_json)


@app.command()
def revoke(key: IdArgument, as_json: JsonOption = False) -> None:
    """End a key; it stops at once."""
    with Client() as client:
        client.keys.revoke(key)
    if as_json:
        _json({"id": key, "revoked": True})
    else:
        _line(f"{key} is revoked")


def _show(row: Key, *, as_json: bool) -> None:
    if as_json:
        _json(row.model_dump(mode="json"))
        return
    ended = "revoked" if row.revoked_at else f"until {row.expires_at:%Y-%m-%d}" if row.expires_at else "no end"
    limits = [f"from {', '.join(row.networks)}"] * bool(row.networks)
    limits += [f"{row.requests_per_minute} requests a minute"] * bool(row.requests_per_minute)
    parts = [row.id, row.hint, row.name, row.organisation, " ".join(row.scopes), ended, *limits]
    _line("  ".join(parts))


def _line(text: str) -> None:
    out.print(text, markup=False, highlight=False, soft_wrap=True)


def _json(value: object) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")
