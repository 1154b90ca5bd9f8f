"""Files that commands write: tried before the work, and replaced in one step."""

import os
import tempfile
from pathlib import Path

import typer


def writable(path: Path, option: str) -> None:
    """Raises typer.BadParameter where this file could not be written; nothing is left behind."""
    if path.is_dir():
        raise typer.BadParameter(f"{option} {path} is a folder; name a file")
    if path.exists() and not os.access(path, os.W_OK):
        raise typer.BadParameter(f"{option} {path} cannot be written: Permission denied")
    if path.exists() and not path.is_file():
        return
    _try(path.parent, f"{option} {path}")


def writable_folder(path: Path, option: str) -> None:
    """The same for a folder that is made with what is missing above it; only the folder itself is left."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise typer.BadParameter(f"{option} {path} cannot be a folder: {error.strerror}") from None
    _try(path, f"{option} {path}")


def _try(folder: Path, named: str) -> None:
    try:
        with tempfile.TemporaryFile(dir=folder):
            return
    except OSError as error:
        raise typer.BadParameter(f"{named} cannot be written: {error.strerror}") from None


def replaced(path: Path, text: str) -> None:
    """Write a text as UTF-8, whole or not at all. What is no plain file (a pipe, /dev/stdout) is written into.

    Raises typer.BadParameter where the disk takes no more.
    """
    content = text.encode()
    target = path.resolve()
    plain = not target.exists() or target.is_file()
    partial = target.with_name(f".{target.name}.{os.getpid()}") if plain else target
    try:
        partial.write_bytes(content)
        if plain:
            partial.replace(target)
    except OSError as error:
        raise typer.BadParameter(f"{path} cannot be written: {error.strerror}") from None
    finally:
        if plain:
            partial.unlink(missing_ok=True)
