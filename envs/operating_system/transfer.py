"""What of an agent's files may stand where its work is checked: its data and new programs, nothing the check uses.

A snapshot is a folder of written files (`root`, and a folder for each further overlay such as `usr`). Everything that
could change what a checking script's own tools do is taken out of it: programs that exist in the image or bear the
name of one, libraries and their search paths, start-up files of the system, and marks that hide the image's files.
"""

import os
import re
import shutil
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath

PROGRAMS = ("usr/bin", "usr/sbin", "usr/local/bin", "usr/local/sbin", "usr/games", "usr/local/games")
# Folders whose own entry in the snapshot may only be a plain folder, or the image's tree would be hidden.
_KEPT = ("", "usr", "usr/local", "etc", "var", "var/lib", *PROGRAMS)
_SYSTEM = re.compile(
    r"^(?:bin|sbin|lib[^/]*|dev|proc|sys|boot|run|usr/(?:lib[^/]*|share|include|src)|usr/local/(?:lib[^/]*|share|etc)"
    r"|etc/(?:ld\.so\.[^/]*|profile(?:\.d)?|bash[^/]*|environment|inputrc|python[^/]*|perl|alternatives|pam[^/]*|security"
    r"|nsswitch\.conf|locale[^/]*|gai\.conf|selinux|systemd|init[^/]*|rc[^/]*)|var/lib/(?:dpkg|apt|python))(?:/|$)"
)
_MARKS = ("trusted.overlay.", "user.overlay.")


def clean(snapshot: Path, programs: set[str]) -> list[str]:
    """Take out, in place, what a check must not stand on; `programs` are the image's own. Returns the paths taken."""
    taken: list[str] = []
    for tree in sorted(snapshot.iterdir()):
        if tree.is_dir() and not tree.is_symlink():
            taken += _clean(tree, "" if tree.name == "root" else tree.name, programs)
    return sorted(taken)


def _clean(tree: Path, prefix: str, programs: set[str]) -> Iterator[str]:
    for name in _KEPT:
        below = _below(name, prefix)
        if below is not None:
            yield from _plain_folder(tree / below, name)
    for folder, folders, files in os.walk(tree):
        here = Path(folder)
        for name in [*folders, *files]:
            path = str(PurePosixPath(prefix, here.relative_to(tree).as_posix(), name))
            if _forbidden(path, programs):
                _remove(here / name)
                yield path
                if name in folders:
                    folders.remove(name)


def _below(name: str, prefix: str) -> str | None:
    """`name` relative to the tree at `prefix`, or None when it lies outside of it."""
    if not prefix:
        return name
    return name[len(prefix) :].lstrip("/") if name == prefix or name.startswith(f"{prefix}/") else None


def _plain_folder(path: Path, name: str) -> Iterator[str]:
    """Whatever stands in for a folder of the image goes; a real folder loses the marks that hide what is under it."""
    try:
        mode = path.lstat().st_mode
    except OSError:
        return
    if not stat.S_ISDIR(mode):
        path.unlink()
        yield name
        return
    for attribute in os.listxattr(path, follow_symlinks=False):
        if attribute.startswith(_MARKS):
            with suppress(OSError):
                os.removexattr(path, attribute, follow_symlinks=False)


def _forbidden(path: str, programs: set[str]) -> bool:
    if _SYSTEM.match(path):
        return True
    folder, _, name = path.rpartition("/")
    return folder in PROGRAMS and name in programs


def _remove(path: Path) -> None:
    if stat.S_ISDIR(path.lstat().st_mode):
        shutil.rmtree(path)
    else:
        path.unlink()
