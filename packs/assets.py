"""The files below `assets/`: pictures only, real files only, bounded in size."""

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from packs.faults import Fault

MAX_BYTES = 5_000_000
MAX_FILES = 100_000
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,500}")
SIGNATURES = {
    ".png": (b"\x89PNG\r\n\x1a\n",),
    ".jpg": (b"\xff\xd8\xff",),
    ".jpeg": (b"\xff\xd8\xff",),
    ".gif": (b"GIF87a", b"GIF89a"),
    ".webp": (b"RIFF",),
}


def read_assets(folder: Path, faults: list[Fault]) -> dict[str, Path]:
    """Path below `assets/` to file, for each usable file; faults for the others."""
    assets: dict[str, Path] = {}
    if folder.is_symlink():
        faults.append(Fault(folder.name, 0, "", "a link, not a folder", "put the folder itself there"))
        return assets
    if not folder.is_dir():
        return assets
    found = list(islice(_files(folder), MAX_FILES + 1))
    if len(found) > MAX_FILES:
        faults.append(Fault(folder.name, 0, "", f"more than {MAX_FILES} files", "keep the pictures that problems show"))
        return assets
    for path in sorted(found):
        name = path.relative_to(folder).as_posix()
        fault = _fault(name, path)
        if fault is None:
            assets[name] = path
        else:
            faults.append(Fault(f"assets/{printable(name)}", 0, "", *fault))
    return assets


def _files(folder: Path) -> Iterator[Path]:
    """What is below a folder and no folder itself; links are not followed."""
    for path in folder.rglob("*"):
        if path.is_symlink() or not path.is_dir():
            yield path


def printable(name: str) -> str:
    """A file's name as it can be written down: names on disk may be no text."""
    return name.encode("utf-8", "backslashreplace").decode()


def _fault(name: str, path: Path) -> tuple[str, str] | None:
    if path.is_symlink() or not path.is_file():
        return "not a regular file", "put the file itself there, no link"
    if not _NAME.fullmatch(name):
        return "the name cannot be named in a problem", "use letters of ASCII, digits, '.', '_', '-' and '/'"
    signatures = SIGNATURES.get(path.suffix.lower())
    if signatures is None:
        return f"'{path.suffix}' is no known kind of picture", f"use one of {', '.join(sorted(SIGNATURES))}"
    size = path.stat().st_size
    if size > MAX_BYTES:
        return f"the file has {size} bytes", f"at most {MAX_BYTES} are allowed"
    with path.open("rb") as file:
        if not file.read(16).startswith(signatures):
            return f"the content is not what '{path.suffix}' says", "save the picture in the format of its name"
    return None
