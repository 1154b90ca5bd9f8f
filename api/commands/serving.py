"""`serve`, `worker`, `up`, `migrate`: the processes of an instance."""

import asyncio
from typing import Annotated

import typer
import uvicorn

from api.commands.common import console, run
from api.core import logging, migrate
from api.core.settings import Settings


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (serve, worker, up):
        app.command()(command)
    app.command("migrate")(migrate_database)


def serve(
    port: Annotated[int | None, typer.Option(help="port; default HELDOUT_PORT")] = None,
    descriptor: Annotated[int | None, typer.Option(hidden=True)] = None,
) -> None:
    """Serve the API and the pages from this process."""
    settings = Settings()
    logging.configure(settings.log_level)
    from api.app import create_app

    uvicorn.run(
        create_app(settings), host=settings.host, port=settings.port if port is None else port, fd=descriptor,
        log_level="warning", access_log=False, server_header=False, timeout_graceful_shutdown=20,
    )  # fmt: skip


def worker() -> None:
    """Run grading jobs in this process."""
    settings = Settings()
    logging.configure(settings.log_level)
    run(_work(settings))


async def _work(settings: Settings) -> None:
    from api.worker.app import run as run_jobs
    from api.worker.state import Worker

    state = Worker.build(settings)
    try:
        await run_jobs(state)
    finally:
        await state.close()


def migrate_database() -> None:
    """Start the embedded PostgreSQL if there is one, and bring the schema up to date."""
    migrate.prepare(Settings())
    console.print("the database is up to date")


def up(
    port: Annotated[int | None, typer.Option(help="port; default HELDOUT_PORT")] = None,
) -> None:
    """Run everything: PostgreSQL, the API and a worker; they are started again when they die. Ctrl-C ends."""
    from api.commands.running import Instance

    settings = Settings() if port is None else Settings(port=port)

    async def serve_until_stopped() -> None:
        async with Instance(settings) as instance:
            console.print(f"serving at {instance.address}; Ctrl-C ends", highlight=False)
            await instance.until_stopped()

    try:
        asyncio.run(serve_until_stopped())
    except KeyboardInterrupt:
        console.print("stopped")
