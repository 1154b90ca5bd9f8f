"""`backup`, `restore`: the whole instance into a file and back; `restore` takes an exported benchmark, too."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from api.cli.common import as_admin, console, fail, run
from api.core import migrate
from api.core.settings import Settings
from api.operations.backup import Manifest, back_up
from api.operations.backup import restore as restore_instance
from api.operations.sealed_file import MAGIC


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(backup)
    app.command()(restore)


def passphrase_of(file: Path) -> str:
    """What the file holds; a short one ends the command."""
    text = file.read_text().strip()
    if len(text) < 12:
        fail("the passphrase needs at least 12 characters")
    return text


@contextmanager
def new_file(path: Path) -> Iterator[BinaryIO]:
    """A file that only its owner reads; removed again where writing it fails."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        fail(f"{path} exists; name another file")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def backup(
    out: Annotated[Path, typer.Option(help="the file to write; it must not exist")],
    passphrase_file: Annotated[Path, typer.Option(help="file whose content encrypts the backup", exists=True)],
) -> None:
    """Write the whole instance, keys included, into one encrypted file. The service may run meanwhile."""
    settings = Settings()
    passphrase = passphrase_of(passphrase_file)

    async def work() -> Manifest:
        await asyncio.to_thread(migrate.prepare_empty, settings)
        with new_file(out) as file:
            return await back_up(settings, file, passphrase)

    _say_whole("wrote", out, run(work()))


def restore(
    file: Annotated[Path, typer.Argument(help="a file that `export` or `backup` wrote", exists=True)],
    passphrase_file: Annotated[Path, typer.Option(help="file with its passphrase", exists=True)],
) -> None:
    """Import every release of an exported benchmark; or make the instance of a backup, and compare it with that."""
    settings = Settings()
    passphrase = passphrase_of(passphrase_file)
    with file.open("rb") as opened:
        whole = opened.read(len(MAGIC)) == MAGIC
    if whole:
        _say_whole("restored", file, run(restore_instance(settings, file, passphrase)))
        return
    # It checks packs as they are imported, which takes a second to load, and an instance's backup holds none.
    from api.worker.exporting import restore_benchmark

    done = run(as_admin(settings, lambda s: restore_benchmark(s, settings, file.read_bytes(), passphrase)))
    for item in done:
        console.print(f"restored {item.slug} {item.version} ({item.problems} problems)", highlight=False)


def _say_whole(verb: str, file: Path, manifest: Manifest) -> None:
    rows = sum(table.rows for table in manifest.tables.values())
    console.print(
        f"{verb} {file}: {len(manifest.tables)} tables, {rows} rows, {manifest.ledger[0]} in the ledger, "
        f"made {manifest.made_at:%Y-%m-%d %H:%M} UTC",
        highlight=False,
    )
