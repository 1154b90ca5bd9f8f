"""`heldout-server` as an operator runs it: a process of its own, and a data directory that its database can enter."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.scratch import scratch


@pytest.fixture
def folder() -> Iterator[Path]:
    """A data directory that the server's user can reach."""
    with tempfile.TemporaryDirectory(prefix="hld", dir=scratch()) as made:
        Path(made).chmod(0o755)
        yield Path(made)


def command(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """One command to its end, on no database but the one that `variables` name."""
    code = "from api.cli.main import main; main()"
    environment = {name: value for name, value in os.environ.items() if "DATABASE_URL" not in name}
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env=environment | {"COLUMNS": "200"} | variables,
        capture_output=True,
        text=True,
        check=False,
    )
