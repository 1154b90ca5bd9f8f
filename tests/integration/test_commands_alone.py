"""Commands that end leave no process behind, and say in a sentence what they cannot reach."""

from pathlib import Path

import pytest

from api.core.localpg import LocalServer
from tests.support.operator_commands import command, folder

pytestmark = pytest.mark.timeout(600)


__all__ = ["folder"]


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
