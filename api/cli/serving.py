"""`serve`, `worker`, `host`, `hosts`, `up`, `migrate`: the processes of an instance."""

import asyncio
import contextlib
import signal
import time
from typing import Annotated

import typer

from api import processes
from api.cli.common import console, run
from api.core import logging
from api.core.settings import Settings


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (serve, worker, host, hosts, up):
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


def hosts(
    ray: Annotated[str, typer.Option(help="address of the Ray cluster; 'auto' finds the one of this machine")],
    slots: Annotated[int | None, typer.Option(help="sandboxes a host holds; default HELDOUT_HOST_SLOTS")] = None,
    autoscale: Annotated[
        int, typer.Option(help="ask Ray's autoscaler for what open episodes need, at most so many hosts")
    ] = 0,
) -> None:
    """Keep host processes on a Ray cluster, as many as its nodes have sandbox slots for. SIGTERM drains them all."""
    from envs.hosts.cluster import ClusterError

    settings = _settings(None)
    try:
        asyncio.run(_keep_hosts(settings, ray, slots or settings.host_slots, autoscale))
    except ClusterError as error:
        console.print(str(error), style="red", highlight=False)
        raise typer.Exit(1) from error


async def _keep_hosts(settings: Settings, address: str, slots: int, most: int) -> None:
    from sqlalchemy.exc import SQLAlchemyError

    from api.core.db import Database, Role
    from api.hosting.leases import LeaseRepository
    from envs.hosts.cluster import ClusterHosts

    stopping = asyncio.Event()
    async with contextlib.AsyncExitStack() as stack:
        sessions = None
        if most:
            database = Database.of(settings, Role.HOST)
            stack.push_async_callback(database.close)

            async def sessions() -> int | None:
                with contextlib.suppress(SQLAlchemyError, OSError):
                    async with database.session() as session:
                        return await LeaseRepository(session).open_sessions()
                return None

        hosts = ClusterHosts(
            address, ["-m", "api.processes", "host", "--lifeline"], slots, most=most, sessions=sessions
        )
        kept = await stack.enter_async_context(hosts)
        # Ray sets handlers of its own when it connects.
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stopping.set)
        await kept.keep(stopping)


def migrate_database(
    wait: Annotated[int, typer.Option(help="seconds to wait for a database that cannot be reached")] = 0,
) -> None:
    """Start the embedded PostgreSQL if there is one, and bring the schema up to date."""
    from psycopg import OperationalError

    from api.core import migrate
    from api.core.db import unreachable

    settings, deadline, told = Settings(), time.monotonic() + wait, False
    while True:
        try:
            migrate.prepare(settings)
        except OperationalError as error:
            said = unreachable(error)
            if said is None or time.monotonic() > deadline:
                raise
            if not told:
                typer.echo(f"waiting: {said}", err=True)
            told = True
            time.sleep(1)
        else:
            console.print("the database is up to date")
            return


def up(
    port: Annotated[int | None, typer.Option(help="port; default HELDOUT_PORT")] = None,
) -> None:
    """Run everything: PostgreSQL, the API, a worker, a host; they are started again when they die. Ctrl-C ends."""
    from api.cli.running import Instance

    settings = _settings(port)

    async def serve_until_stopped() -> None:
        prepared = Instance(settings)
        console.print(f"starting the service, data in {settings.data_dir}", highlight=False, soft_wrap=True)
        async with prepared as instance:
            console.print(f"serving at {instance.address}; Ctrl-C ends", highlight=False)
            await instance.until_stopped()

    try:
        run(serve_until_stopped())
    except KeyboardInterrupt:
        console.print("stopped")
