"""Where data goes: a place that the embedded server's user can reach, and a socket whose address is short enough."""

import os
from pathlib import Path

import pytest

from api.core import places


@pytest.fixture
def closed(tmp_path: Path) -> Path:
    """A folder in one that only its owner may enter."""
    home = tmp_path / "home"
    (home / "checkout").mkdir(parents=True)
    home.chmod(0o700)
    return home / "checkout"


def open_way(*folders: Path) -> None:
    """Open every folder above those of a test, which the test runner closes."""
    for folder in folders:
        for parent in folder.parents:
            if parent.stat().st_uid == os.geteuid() and parent.is_relative_to("/tmp"):
                parent.chmod(parent.stat().st_mode | 0o011)


def test_the_folder_that_bars_the_way_is_named(closed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    open_way(closed.parent)
    assert places.barrier(closed) == closed.parent
    closed.parent.chmod(0o711)
    assert places.barrier(closed) is None


def test_root_in_a_closed_home_gets_a_data_directory_elsewhere(closed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(closed)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    chosen = places.default_data_dir()
    assert chosen.parent == places.SYSTEM_ROOT
    assert chosen.name.startswith("checkout-")
    other = closed.parent / "other"
    other.mkdir()
    monkeypatch.chdir(other)
    assert places.default_data_dir() != chosen, "each checkout has its own"


def test_others_and_open_folders_keep_the_data_in_the_checkout(closed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(closed)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert places.default_data_dir() == Path(".heldout")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    open_way(closed)
    assert places.default_data_dir() == Path(".heldout")


def test_a_socket_in_a_long_path_goes_to_a_short_one(tmp_path: Path) -> None:
    short, long = Path("/srv/heldout/postgres"), Path("/srv") / ("x" * 90) / "postgres"
    assert places.socket_folder(short) == short / "socket"
    moved = places.socket_folder(long)
    assert len(os.fsencode(moved / ".s.PGSQL.5432")) <= 107
    assert moved == places.socket_folder(long)
    assert moved != places.socket_folder(long / "other")


def test_programs_in_a_closed_folder_are_copied_once(
    closed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "SYSTEM_ROOT", tmp_path / "system")
    programs = closed / "wheel" / "bin"
    programs.mkdir(parents=True)
    (programs / "postgres").write_text("first")
    (closed / "wheel.libs").mkdir()
    parts = ["wheel/bin", "wheel.libs"]
    copy = places.reachable_programs(closed, parts, "1.0")
    assert copy.is_relative_to(tmp_path / "system")
    assert (copy / "wheel" / "bin" / "postgres").read_text() == "first"
    assert (copy / "wheel.libs").is_dir(), "a program finds its libraries beside it"
    assert places.reachable_programs(closed, parts, "1.0") == copy
    open_way(programs)
    closed.chmod(0o755)
    assert places.reachable_programs(closed, parts, "1.0") == closed
