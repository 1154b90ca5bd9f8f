"""`serve`, `worker`, `host`, `up`, `migrate`: the processes of an instance."""

import asyncio
from typing import Annotated

import typer

from api import processes
from api.commands.common import console
from api.core import logging, migrate
from api.core.settings import Settings


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (serve, worker, host, up):
        app.command()(command)
    app.command("migrate")(migrate_database)


def _settings(port: int | None) -> Settings:
    settings = Settings() if port is None else Settings(port=port)
    logging.configure(settings.log_level)
    return settings


def serve(port: Annotated[int | None, typer.Option(help="port; default HELDOUT_PORT")] = None) -> None:
    """Serve the API and the pages from this process."""
    processes.serve(_settings(port))


def worker() -> None:
    """Run grading jobs in this process."""
    processes.work(_settings(None))


def host() -> None:
    """Hold live environments in this process. SIGTERM gives the sessions to other hosts; none is lost."""
    processes.hold(_settings(None))


def migrate_database() -> None:
    """Start the embedded PostgreSQL if there is one, and bring the schema up to date."""
    migrate.prepare(Settings())
    console.print("the database is up to date")


def up(
    port: Annotated[int | None, typer.Option(help="port; default HELDOUT_PORT")] = None,
) -> None:
    """Run everything: PostgreSQL, the API, a worker, a host; they are started again when they die. Ctrl-C ends."""
    from api.commands.running import Instance

    settings = _settings(port)

    async def serve_until_stopped() -> None:
        async with Instance(settings) as instance:
            console.print(f"serving at {instance.address}; Ctrl-C ends", highlight=False)
            await instance.until_stopped()

    try:
        asyncio.run(serve_until_stopped())
    except KeyboardInterrupt:
        console.print("stopped")
