"""Commands that end leave no process behind, and say in a sentence what they cannot reach."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from api.core.localpg import LocalServer

pytestmark = pytest.mark.timeout(600)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A data directory that the server's user can reach."""
    with tempfile.TemporaryDirectory(prefix="hld", dir="/tmp") as made:
        Path(made).chmod(0o755)
        yield Path(made)


def command(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    code = "from api.cli.main import main; main()"
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"} | variables
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], env=environment, capture_output=True, text=True, check=False
    )


def test_migrate_stops_the_server_that_it_started(folder: Path) -> None:
    done = command("migrate", HELDOUT_DATA_DIR=str(folder))
    assert done.returncode == 0, done.stderr
    assert not LocalServer(folder / "postgres", "").ready()
    assert not (folder / "postgres" / "cluster" / "postmaster.pid").exists()


def test_migrate_leaves_a_server_alone_that_others_use(folder: Path) -> None:
    assert command("migrate", HELDOUT_DATA_DIR=str(folder)).returncode == 0
    used = LocalServer(folder / "postgres", "")
    used.start()
    try:
        assert command("migrate", HELDOUT_DATA_DIR=str(folder)).returncode == 0
        assert used.ready()
    finally:
        used.stop()


@pytest.mark.parametrize(
    "arguments", [("migrate",), ("keys", "create", "--email", "a@example.org", "--organisation", "lab")]
)
def test_an_unreachable_database_is_a_sentence(folder: Path, arguments: tuple[str, ...]) -> None:
    address = "postgresql://owner:secret@127.0.0.1:1/heldout"
    done = command(*arguments, HELDOUT_DATA_DIR=str(folder), HELDOUT_DATABASE_URL=address)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "127.0.0.1" in done.stderr
    assert "HELDOUT_DATABASE_URL" in done.stderr
    assert "secret" not in done.stderr
