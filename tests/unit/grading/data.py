"""Where published data for tests lies, if it is there."""

import os
from pathlib import Path

import pytest


def published(*parts: str) -> Path:
    """A file or folder of published data; skips the test where it is absent (set HELDOUT_TEST_DATA)."""
    roots = [os.environ.get("HELDOUT_TEST_DATA", ""), *(str(up / "shared" / "data") for up in Path(__file__).parents)]
    for root in filter(None, roots):
        path = Path(root).joinpath(*parts)
        if path.exists():
            return path
    pytest.skip(f"published data {'/'.join(parts)} is not here; set HELDOUT_TEST_DATA")
