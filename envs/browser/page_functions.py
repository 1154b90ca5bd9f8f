"""Our own functions that run in pages."""

import functools
from pathlib import Path


@functools.cache
def page_function(name: str) -> str:
    """The source of one of them."""
    return (Path(__file__).parent / "page" / f"{name}.js").read_text(encoding="utf-8")
