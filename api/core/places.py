"""Where an instance keeps its data, so that root's embedded PostgreSQL, which runs as another user, can get there.

Root's own home is closed to others on most machines (mode 0700), and a checkout there is a common first try.
"""

import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Sequence
from pathlib import Path

from filelock import FileLock

SYSTEM_ROOT = Path("/var/lib/heldout")
# What remains of the 107 bytes of a socket's address after PostgreSQL's own file name.
_SOCKET_BYTES = 107 - len("/.s.PGSQL.5432")


def barrier(path: Path) -> Path | None:
    """The folder nearest to the root that other users may not enter on the way to `path`; None: the way is open."""
    absolute = path.absolute()
    for folder in reversed((absolute, *absolute.parents)):
        if folder.is_dir() and not folder.stat().st_mode & stat.S_IXOTH:
            return folder
    return None


def default_data_dir() -> Path:
    """`.heldout` in the working folder; for root in a closed folder one below /var/lib/heldout, its own for each."""
    if os.geteuid() != 0 or barrier(Path.cwd()) is None:
        return Path(".heldout")
    return SYSTEM_ROOT / f"{Path.cwd().name}-{_short_digest(Path.cwd())}"


def socket_folder(folder: Path) -> Path:
    """Where the server of `folder` has its socket: inside, unless the address were longer than a socket's may be."""
    inside = folder.absolute() / "socket"
    if len(os.fsencode(inside)) <= _SOCKET_BYTES:
        return inside
    return Path(tempfile.gettempdir()) / f"heldout-{_short_digest(folder.absolute())}"


def reachable_programs(packages: Path, parts: Sequence[str], release: str) -> Path:
    """A folder with these `parts` of `packages` that all may run; copied below /var/lib/heldout where need be."""
    if barrier(packages) is None:
        return packages
    name = f"{release}-{_short_digest(packages)}"
    copy = SYSTEM_ROOT / "programs" / name
    copy.parent.mkdir(parents=True, exist_ok=True)
    for folder in (SYSTEM_ROOT, copy.parent):
        folder.chmod(0o755)
    with FileLock(copy.parent / ".lock"):
        if not copy.is_dir():
            unfinished = copy.with_name(f"{name}.part")
            shutil.rmtree(unfinished, ignore_errors=True)
            for part in parts:
                shutil.copytree(packages / part, unfinished / part, symlinks=True)
            unfinished.rename(copy)
    return copy


def _short_digest(path: Path) -> str:
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:8]
