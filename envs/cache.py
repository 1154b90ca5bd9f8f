"""Where worlds keep what is made once and used again."""

import os
from pathlib import Path


def cache() -> Path:
    """HELDOUT_CACHE, or `heldout` in the user's cache folder."""
    named, base = os.environ.get("HELDOUT_CACHE"), os.environ.get("XDG_CACHE_HOME")
    return (Path(named) if named else Path(base or Path.home() / ".cache") / "heldout").absolute()


def extract(digest: str) -> Path:
    """The file of this SHA-256 from which the content of a site is made, where a world of this machine made it."""
    return cache() / "extracts" / digest
