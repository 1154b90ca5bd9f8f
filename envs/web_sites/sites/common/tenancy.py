"""Which session a request belongs to. One process serves all sessions of a site; each has a folder of its own."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

DATABASE = "site.sqlite3"
MEDIA = "media"
TEMPLATE = "template"
_folder: ContextVar[Path | None] = ContextVar("session_folder", default=None)


class NoSessionError(RuntimeError):
    """Something asked for a session's data outside a session. Nothing is ever served from another one's."""


@contextmanager
def within(folder: Path) -> Iterator[None]:
    """Everything inside belongs to the session whose database and uploads are in `folder`."""
    token = _folder.set(folder)
    try:
        yield
    finally:
        _folder.reset(token)


def folder() -> Path:
    """The session's folder. Raises NoSessionError outside a session."""
    found = _folder.get()
    if found is None:
        raise NoSessionError("no session is being served here")
    return found


def database() -> Path:
    """The session's SQLite file. Raises NoSessionError outside a session."""
    return folder() / DATABASE


def media(name: str) -> Path | None:
    """A file by its name below the media address: the session's own, else the template's; None if there is none."""
    for root in (folder() / MEDIA, folder() / TEMPLATE / MEDIA):
        wanted = Path(os.path.normpath(root / name.lstrip("/")))
        if wanted.is_relative_to(root) and wanted.is_file():
            return wanted
    return None


def is_template_file(file: Path) -> bool:
    """Whether `file`, as `media` found it, is the template's, which nobody can change."""
    return file.is_relative_to(folder() / TEMPLATE)
