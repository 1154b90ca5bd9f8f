"""Kinds of reference that only one test has."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from grading import registry


@contextmanager
def kinds_of(site: Path) -> Iterator[None]:
    """The kinds of the distributions in the folder `site`, forgotten at the end."""
    known, modules = dict(registry.kinds()), set(sys.modules)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(site)
        registry.kinds.cache_clear()
        try:
            yield
        finally:
            registry.kinds.cache_clear()
            registry._GRADERS.clear()
            registry._GRADERS.update(known)
            for name in set(sys.modules) - modules:
                if (site / name.split(".")[0]).exists() or (site / f"{name}.py").exists():
                    del sys.modules[name]
