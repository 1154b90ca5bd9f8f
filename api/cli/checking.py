"""`check-migrations`: up, compared with the models, and down again on a server of its own."""

import tempfile
from pathlib import Path

import typer
from alembic import command

from api.cli.common import console
from api.core import migrate
from api.core.db import local_server
from api.core.settings import Settings


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("check-migrations")(check_migrations)


def check_migrations() -> None:
    """Upgrade an empty database, compare it with the models, downgrade to nothing, upgrade again."""
    with tempfile.TemporaryDirectory(prefix="heldout-", dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        settings = Settings(data_dir=Path(folder), database_url=None)
        server = local_server(settings)
        try:
            migrate.prepare(settings)
            configuration = migrate.config(settings)
            command.check(configuration)
            command.downgrade(configuration, "base")
            command.upgrade(configuration, "head")
        finally:
            if server:
                server.stop()
    console.print("migrations: up, the same as the models, down and up again")
