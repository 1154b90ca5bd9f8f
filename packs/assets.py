"""The files below `assets/`: pictures only, real files only, bounded in size."""

from pathlib import Path

from packs.faults import Fault

MAX_BYTES = 5_000_000
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
    if not folder.is_dir():
        return assets
    for path in sorted(folder.rglob("*")):
        if path.is_dir() and not path.is_symlink():
            continue
        name = path.relative_to(folder).as_posix()
        found = _fault(path)
        if found is None:
            assets[name] = path
        else:
            faults.append(Fault(f"assets/{name}", 0, "", *found))
    return assets


def _fault(path: Path) -> tuple[str, str] | None:
    if path.is_symlink() or not path.is_file():
        return "not a regular file", "put the file itself there, no link"
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
