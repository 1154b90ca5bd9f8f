"""`config check`, `reference`, `pooler-users`, `keys`: do the settings work, and what can be set."""

import asyncio

import typer

from api.cli.common import console
from api.core.settings import Settings


def register(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(name="config", help="The instance's settings.", no_args_is_help=True)
    group.command("check")(check)
    group.command("reference")(show_reference)
    group.command("pooler-users")(show_pooler_users)
    group.command("keys")(make_keys)
    app.add_typer(group)


def check() -> None:
    """Try keys, database, roles, pooler, port, limits, sign-in, mail, judge, traces, sandbox, worlds. Code 1: fault."""
    if not asyncio.run(_check(Settings())):
        raise typer.Exit(1)


async def _check(settings: Settings) -> bool:
    from api.operations.machine import examine

    well = True
    async for found in examine(settings):
        mark = "[green]ok   [/]" if found.ok else "[red]fault[/]"
        console.print(mark, end=" ")
        console.print(f"{found.name}: {found.detail}", markup=False, highlight=False, soft_wrap=True)
        if not found.ok:
            console.print(f"      do: {found.remedy}", markup=False, highlight=False, soft_wrap=True)
        well = well and found.ok
    return well


def show_reference() -> None:
    """Print the page of all settings (docs/configuration.md)."""
    from api.operations.reference import reference

    typer.echo(reference())


def show_pooler_users() -> None:
    """Print the roles with their passwords as pgbouncer's auth_file has them: for a file that it alone may read."""
    from api.core.db import Role, address

    settings = Settings()
    for role in (Role.WEB, Role.WORKER, Role.HOST):
        typer.echo(f'"{role.value}" "{address(settings, role).password}"')


def make_keys() -> None:
    """Make the instance's keys where there are none yet, and say which file is for which process."""
    from api.core.secrets import HostSecrets, ServiceSecrets, VaultSecrets

    settings = Settings()
    for kind, readers in (
        (ServiceSecrets, "serve, worker, migrate"),
        (VaultSecrets, "worker, migrate"),
        (HostSecrets, "host, worker, migrate"),
    ):
        kind.load(settings.kept_keys)
        typer.echo(f"{settings.kept_keys.where(kind.label())}: {readers}")
