"""What a page shows besides the database's rows, told by the route that makes it."""

from collections.abc import Callable, Iterator, MutableMapping
from datetime import datetime
from pathlib import Path
from typing import Any

from fastapi import Request

from api.core.db import now

Condition = Callable[[], bool]
_STATE = "page_conditions"


def holds_while(request: Request, condition: Condition) -> None:
    """The page of this request may be shown again while the condition holds. To be said before it is looked at."""
    conditions_of(request.scope).append(condition)


def holds_until(request: Request, moment: datetime | None) -> None:
    """The page of this request says something else from a moment on; None: no such moment."""
    if moment is not None:
        holds_while(request, lambda: now() < moment)


def holds_with_files(request: Request, folder: Path) -> None:
    """The page of this request shows what files of a folder say."""
    seen = list(_files(folder))
    holds_while(request, lambda: list(_files(folder)) == seen)


def _files(folder: Path) -> Iterator[tuple[str, int, int, int]]:
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        state = path.stat()
        # A file put in another's place, or written twice within a tick of the clock with another length.
        yield path.name, state.st_ino, state.st_ctime_ns, state.st_size


def conditions_of(scope: MutableMapping[str, Any]) -> list[Condition]:
    """What was said of the page of a request."""
    found: list[Condition] = scope.setdefault("state", {}).setdefault(_STATE, [])
    return found
