"""`import`, `export`: packs into the service, benchmarks out of it."""

import secrets
from pathlib import Path
from typing import Annotated

import typer

from api.admission.examination import SAMPLE, examine
from api.cli.admission import EpisodesOption, admitted, count_of
from api.cli.backups import new_file, passphrase_of
from api.cli.common import as_admin, console, run
from api.core.settings import Settings
from api.worker.exporting import export_benchmark
from api.worker.importing import Imported, import_pack


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("import")(import_)
    app.command()(export)


def import_(
    pack: Annotated[Path, typer.Argument(help="folder of the pack")],
    publish_anyway: Annotated[
        bool, typer.Option("--publish-anyway", help="publish though the admission check fails; the page says so")
    ] = False,
    episodes: EpisodesOption = str(SAMPLE),
) -> None:
    """Check a pack whole, run the admission check on it, and publish it as a release in one transaction."""
    settings = Settings()

    async def work() -> Imported:
        found = await examine(pack, count_of(episodes))
        badge = admitted(found, anyway=publish_anyway)
        return await as_admin(settings, lambda session: import_pack(session, settings, found.pack, admission=badge))

    done = run(work())
    verb = "imported" if done.fresh else "already there, unchanged:"
    console.print(f"{verb} {done.slug} {done.version} ({done.problems} problems)", highlight=False)


def export(
    slug: Annotated[str, typer.Argument(help="the benchmark")],
    out: Annotated[Path, typer.Option(help="the file to write; it must not exist")],
    passphrase_file: Annotated[Path, typer.Option(help="file whose content encrypts the export", exists=True)],
) -> None:
    """Write every release of a benchmark, references included, into one encrypted file."""
    settings = Settings()
    passphrase = passphrase_of(passphrase_file)

    async def work() -> bytes:
        salt = secrets.token_bytes(16)
        return await as_admin(settings, lambda s: export_benchmark(s, settings, slug, passphrase, salt))

    content = run(work())
    with new_file(out) as file:
        file.write(content)
    console.print(f"wrote {out} ({len(content)} bytes)", highlight=False)
