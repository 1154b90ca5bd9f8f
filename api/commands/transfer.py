"""`import`, `export`, `restore`: packs into the service and whole benchmarks out of it."""

from pathlib import Path
from typing import Annotated

import typer

from api.catalog.packs.read import read_pack
from api.commands.common import as_admin, console, run
from api.core.settings import Settings
from api.worker.importing import Imported, import_pack


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("import")(import_)


def import_(pack: Annotated[Path, typer.Argument(help="folder of the pack")]) -> None:
    """Check a pack whole, tell every fault, and publish it as a release in one transaction."""
    settings = Settings()

    async def work() -> Imported:
        checked = read_pack(pack)
        return await as_admin(settings, lambda session: import_pack(session, settings, checked))

    done = run(work())
    verb = "imported" if done.fresh else "already there, unchanged:"
    console.print(f"{verb} {done.slug} {done.version} ({done.problems} problems)", highlight=False)
