"""`config check` of the variables that name files and folders of worlds."""

import os
from pathlib import Path

import pytest

from api.operations import worlds
from api.operations.check import Check
from envs.sandbox.images import built_images
from envs.web_forms.libraries import RULES

VARIABLES = ("HELDOUT_CHROMIUM", "HELDOUT_IMAGES", "HELDOUT_FORM_LIBRARIES", "HELDOUT_SITES_FILE")


@pytest.fixture(autouse=True)
def nothing_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)


def checked(monkeypatch: pytest.MonkeyPatch, variable: str, value: Path | str) -> Check:
    monkeypatch.setenv(variable, str(value))
    (found,) = worlds.examine()
    return found


@pytest.mark.parametrize("value", [None, ""])
def test_what_is_not_set_is_not_tried(monkeypatch: pytest.MonkeyPatch, value: str | None) -> None:
    for variable in VARIABLES:
        if value is not None:
            monkeypatch.setenv(variable, value)
    assert list(worlds.examine()) == []
    assert built_images() == Path(".heldout/images").absolute()


@pytest.mark.parametrize("variable", VARIABLES)
def test_what_is_not_there_is_named_with_its_variable(monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    found = checked(monkeypatch, variable, "/nowhere/at-all")
    assert not found.ok
    assert "/nowhere/at-all" in found.detail
    assert variable in found.remedy


def test_chromium_is_a_file_that_can_be_executed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "chromium"
    program.touch(0o644)
    assert "no file that this user may execute" in checked(monkeypatch, "HELDOUT_CHROMIUM", program).detail
    program.chmod(0o755)
    assert checked(monkeypatch, "HELDOUT_CHROMIUM", program) == Check("browser", str(program))
    assert checked(monkeypatch, "HELDOUT_CHROMIUM", tmp_path).detail == f"{tmp_path} is no file"
    by_name = checked(monkeypatch, "HELDOUT_CHROMIUM", "chromium")
    assert by_name.detail == f"{Path('chromium').absolute()} is not there", "it is no command that is looked for"


def test_images_are_in_a_folder_that_can_be_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert "none yet: make images" in checked(monkeypatch, "HELDOUT_IMAGES", tmp_path).detail
    (tmp_path / "heldout_task" / "rootfs").mkdir(parents=True)
    found = checked(monkeypatch, "HELDOUT_IMAGES", tmp_path)
    assert (found.ok, found.detail) == (True, f"{tmp_path} holds heldout_task")
    (tmp_path / "file").touch()
    assert checked(monkeypatch, "HELDOUT_IMAGES", tmp_path / "file").detail == f"{tmp_path / 'file'} is no folder"
    # Root may read everything.
    monkeypatch.setattr(os, "access", lambda *_: False)
    found = checked(monkeypatch, "HELDOUT_IMAGES", tmp_path)
    assert (found.ok, "may read" in found.detail) == (False, True)


def test_form_libraries_are_all_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The folder above them was taken, too: every page lacked every library."""
    packages = tmp_path / "node_modules"
    for _, file in RULES:
        (packages / file.format(kind="js")).parent.mkdir(parents=True, exist_ok=True)
        (packages / file.format(kind="js")).touch()
    assert checked(monkeypatch, "HELDOUT_FORM_LIBRARIES", packages).ok
    above = checked(monkeypatch, "HELDOUT_FORM_LIBRARIES", tmp_path)
    assert ("lacks" in above.detail, "node_modules" in above.remedy) == (True, True)
    (packages / "jquery1/dist/jquery.min.js").unlink()
    assert "jquery1" in checked(monkeypatch, "HELDOUT_FORM_LIBRARIES", packages).detail


def test_external_sites_are_read_as_a_session_reads_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "sites.toml"
    file.write_text('[sites.shop]\ntitle = "Shop"\n')
    assert "sites.shop" in checked(monkeypatch, "HELDOUT_SITES_FILE", file).detail
    file.write_text('[sites.shop]\ntitle = "Shop"\naddress = "http://127.0.0.1:7770"\n')
    assert checked(monkeypatch, "HELDOUT_SITES_FILE", file) == Check("external sites", "shop")
