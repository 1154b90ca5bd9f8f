"""Which sites somebody else runs: those of the file that `HELDOUT_SITES_FILE` names, or those of a `using` block."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from envs.web_sites.external.spec import ExternalSite, read

VARIABLE = "HELDOUT_SITES_FILE"
_CHOSEN: ContextVar[Mapping[str, ExternalSite] | None] = ContextVar("external_sites", default=None)
_FILES: dict[tuple[str, int], Mapping[str, ExternalSite]] = {}


def external_sites() -> Mapping[str, ExternalSite]:
    """The sites by name. Raises SpecError for a file that cannot be read or is wrong."""
    chosen = _CHOSEN.get()
    named = os.environ.get(VARIABLE)
    if chosen is not None or not named:
        return chosen or {}
    path = Path(named)
    key = (named, path.stat().st_mtime_ns if path.exists() else 0)
    if key not in _FILES:
        _FILES.clear()
        _FILES[key] = read(path)
    return _FILES[key]


@contextmanager
def using(sites: Mapping[str, ExternalSite]) -> Iterator[None]:
    """Within the block, and in tasks that it starts, these are the external sites."""
    token = _CHOSEN.set(sites)
    try:
        yield
    finally:
        _CHOSEN.reset(token)
