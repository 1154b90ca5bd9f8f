"""Commands that end leave no process behind, and say in a sentence what they cannot reach."""

from pathlib import Path

import psycopg
import pytest

from api.core.localpg import LocalServer
from api.core.settings import Settings
from tests.support.operator_commands import command, folder

pytestmark = pytest.mark.timeout(600)


__all__ = ["folder"]


def test_migrate_stops_the_server_that_it_started(folder: Path) -> None:
    done = command("migrate", HELDOUT_DATA_DIR=str(folder))
    assert done.returncode == 0, done.stderr
    assert not LocalServer(folder / "postgres", "").ready()
    assert not (folder / "postgres" / "cluster" / "postmaster.pid").exists()


def test_a_data_directory_may_have_spaces_and_quotes_in_its_name(folder: Path) -> None:
    done = command("migrate", HELDOUT_DATA_DIR=str(folder / "a path with 'spaces'"))
    assert (done.returncode, done.stdout) == (0, "the database is up to date\n"), done.stderr


def test_restore_stops_the_server_of_the_instance_that_it_made(folder: Path) -> None:
    """It prepares the new instance twice: what it starts itself is no other process's."""
    (folder / "passphrase").write_text("a passphrase of some length")
    secret = ("--passphrase-file", str(folder / "passphrase"))
    first, second = {"HELDOUT_DATA_DIR": str(folder / "a")}, {"HELDOUT_DATA_DIR": str(folder / "b")}
    for arguments, where in (
        (("migrate",), first),
        (("backup", "--out", str(folder / "file"), *secret), first),
        (("restore", str(folder / "file"), *secret), second),
    ):
        done = command(*arguments, **where)
        assert done.returncode == 0, done.stderr
    for name in ("a", "b"):
        assert (folder / name / "postgres" / "cluster" / "PG_VERSION").exists()
        assert not (folder / name / "postgres" / "cluster" / "postmaster.pid").exists()


def test_migrate_leaves_a_server_alone_that_others_use(folder: Path) -> None:
    assert command("migrate", HELDOUT_DATA_DIR=str(folder)).returncode == 0
    used = LocalServer(folder / "postgres", "")
    used.start()
    try:
        assert command("migrate", HELDOUT_DATA_DIR=str(folder)).returncode == 0
        assert used.ready()
    finally:
        used.stop()


def test_tables_of_another_release_are_left_as_they_are_and_told(folder: Path) -> None:
    """Processes of that release may be running; `migrate` alone brings tables forward."""
    where = {"HELDOUT_DATA_DIR": str(folder)}
    assert command("migrate", **where).returncode == 0
    used = LocalServer(folder / "postgres", Settings(data_dir=folder).vault_secrets.database_admin)
    used.start()
    passphrase = folder / "passphrase"
    passphrase.write_text("a passphrase of some length")
    new_key = ("keys", "create", "--email", "a@example.org", "--organisation", "lab")
    backup = ("backup", "--out", str(folder / "file"), "--passphrase-file", str(passphrase))
    told = {"0001": "run heldout-server migrate", "9999": "a later release brought the tables to 9999"}
    try:
        with psycopg.connect(used.uri("heldout"), autocommit=True) as connection:
            for version, words in told.items():
                connection.execute("update alembic_version set version_num = %s", (version,))
                for arguments in (new_key, backup, *((("migrate",),) if version == "9999" else ())):
                    done = command(*arguments, **where)
                    assert (done.returncode, words in done.stderr) == (1, True), done.stderr
                    assert len(done.stderr.splitlines()) == 1
                assert connection.execute("select version_num from alembic_version").fetchone() == (version,)
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
