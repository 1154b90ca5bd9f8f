"""Which `pg_dump` is run against which server, and what is said where none will do."""

from pathlib import Path

import pytest

from api.core.localpg import LocalServerError
from api.core.settings import Settings
from api.operations import postgres_tools

FAULT = "echo 'pg_dump: error: aborting because of server version mismatch' >&2; exit 1"
PLAIN = "postgresql://owner:secret@127.0.0.1:1/heldout"
ASKED_FOR_TLS = "postgresql://owner:secret@127.0.0.1:1/heldout?sslmode=require"


def program(folder: Path, release: str, then: str = "") -> None:
    folder.mkdir(parents=True)
    made = folder / "pg_dump"
    made.write_text(
        f"#!/bin/sh\ntest \"$1\" != --version || {{ echo 'pg_dump (PostgreSQL) {release}'; exit; }}\n{then}\n"
    )
    made.chmod(0o755)


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    debian, local = tmp_path / "postgresql", tmp_path / "local"
    monkeypatch.setattr(postgres_tools, "_DEBIAN", debian)
    monkeypatch.setenv("PATH", f"{local}:/usr/bin:/bin")
    return debian, local


def said(tmp_path: Path, address: str = ASKED_FOR_TLS) -> str:
    settings = Settings(data_dir=tmp_path, database_url=address)
    with pytest.raises(LocalServerError) as raised:
        postgres_tools.run_program(settings, "pg_dump", "-Fc")
    return str(raised.value)


def test_the_newest_program_is_run_wherever_it_is(folders: tuple[Path, Path], tmp_path: Path) -> None:
    debian, local = folders
    for release in ("9.6.24", "15.18", "16.2"):
        program(debian / release.split(".")[0] / "bin", release, f"echo this is {release} >&2; exit 1")
    assert "this is 16.2" in said(tmp_path)
    program(local, "18.4", "echo this is 18.4 >&2; exit 1")
    assert "this is 18.4" in said(tmp_path)


def test_an_older_program_than_the_server_is_told_with_what_to_install(
    folders: tuple[Path, Path], tmp_path: Path
) -> None:
    program(folders[1], "15.18", FAULT)
    assert "install PostgreSQL's client programs of the server's release" in said(tmp_path)


def test_without_tls_the_embedded_one_is_run_and_the_machine_s_for_a_server_that_is_newer(
    folders: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_tools, "binaries", lambda **_: tmp_path / "embedded")
    program(tmp_path / "embedded", "18.4", "echo this is embedded >&2; exit 1")
    program(folders[1], "19.1", "echo this is 19.1 >&2; exit 1")
    assert "this is embedded" in said(tmp_path, PLAIN)
    (tmp_path / "embedded" / "pg_dump").write_text(f"#!/bin/sh\n{FAULT}\n")
    assert "this is 19.1" in said(tmp_path, PLAIN)


def test_where_the_machine_has_no_newer_one_either_it_is_told(
    folders: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_tools, "binaries", lambda **_: tmp_path / "embedded")
    monkeypatch.setenv("PATH", str(folders[1]))
    program(tmp_path / "embedded", "18.4", FAULT)
    assert "client programs of the server's release" in said(tmp_path, PLAIN)
    program(folders[1], "15.18", FAULT)
    assert "client programs of the server's release" in said(tmp_path, PLAIN)


def test_a_server_with_tls_and_no_program_on_the_machine_is_told(
    folders: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(folders[1]))
    assert "which the embedded pg_dump does not know: install" in said(tmp_path)
