"""`config check` of the variables that name files and folders of worlds, and of the browser's network."""

import json
import os
import shutil
from pathlib import Path

import pytest

from api.operations import worlds
from api.operations.check import Check
from envs.browser import confine
from envs.browser.chromium import NETWORK
from envs.knowledge_graph.store import ENDPOINT, ONTOLOGY
from envs.sandbox.images import built_images
from envs.web_forms.libraries import RULES
from envs.web_sites.site import HERE

VARIABLES = tuple(worlds._CHECKS)
OWN_SITES = HERE.parent / "sites"
WRITTEN = ("HELDOUT_CACHE", "HELDOUT_RECORDINGS", "HELDOUT_CATALOGUES")


@pytest.fixture(autouse=True)
def nothing_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in (*VARIABLES, NETWORK, ENDPOINT):
        monkeypatch.delenv(variable, raising=False)


def checked(monkeypatch: pytest.MonkeyPatch, variable: str, value: Path | str) -> Check:
    monkeypatch.setenv(variable, str(value))
    (found,) = worlds.examine()
    return found


@pytest.mark.parametrize("value", [None, ""])
def test_what_is_not_set_is_not_tried(monkeypatch: pytest.MonkeyPatch, value: str | None) -> None:
    for variable in (*VARIABLES, NETWORK):
        if value is not None:
            monkeypatch.setenv(variable, value)
    assert list(worlds.examine()) == []
    assert built_images() == Path(".heldout/images").absolute()


@pytest.mark.parametrize("variable", VARIABLES)
def test_what_is_not_there_is_named_with_its_variable(monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    monkeypatch.setenv(ENDPOINT, "http://127.0.0.1:1/sparql")
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


@pytest.mark.parametrize(
    ("holds", "words"),
    [
        ({}, "holds no site"),
        ({"tools": None}, "lacks common/make.py"),
        ({"common": None}, "holds no site"),
        ({"common": None, "tools": None, "Tools": None}, "'Tools' is no name of a site"),
        ({"common": None, "shop": 'title = "Shop"\n'}, "shop/site.toml, 'now': Field required"),
        ({"common": None, "shop": "title ="}, "shop/site.toml: Invalid value"),
        ({"common": None, "shop_admin": None}, "the site 'shop' is not served here"),
    ],
)
def test_a_folder_of_sites_that_cannot_be_served_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, holds: dict[str, str | None], words: str
) -> None:
    """The site `shop_admin` has no content of its own."""
    for name, described in holds.items():
        source = OWN_SITES / name.lower()
        if name == "common":
            shutil.copytree(source, tmp_path / name)
        else:
            (tmp_path / name).mkdir()
            (tmp_path / name / "site.toml").write_text(described or (source / "site.toml").read_text())
    found = checked(monkeypatch, "HELDOUT_SITES", tmp_path)
    assert words in found.detail
    assert not found.ok


def test_the_sites_of_the_checkout_are_served(monkeypatch: pytest.MonkeyPatch) -> None:
    found = checked(monkeypatch, "HELDOUT_SITES", OWN_SITES)
    assert (found.ok, "shop_admin, tools" in found.detail) == (True, True)


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"\0\0\0\x0e\n\tOSMHeader\x18\x95\x01", ""),
        (b"", "is no PBF"),
        (b"<?xml version='1.0' encoding='UTF-8'?>\n<osm>", "is no PBF"),
        (b"\x1f\x8b\x08\0\0\0\0\0\0\3", "is no PBF"),
    ],
)
def test_a_map_is_made_of_pbf_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: bytes, fault: str
) -> None:
    (tmp_path / "region.osm.pbf").write_bytes(content)
    found = checked(monkeypatch, "HELDOUT_MAP_EXTRACT", tmp_path / "region.osm.pbf")
    assert (found.ok, found.detail) == (not fault, f"{tmp_path / 'region.osm.pbf'} {fault}".strip())
    assert "cannot be read: Is a directory" in checked(monkeypatch, "HELDOUT_MAP_EXTRACT", tmp_path).detail


@pytest.mark.parametrize(
    ("file", "text", "words"),
    [
        ("", "", "has 1 relations"),
        ("fb_types", None, "fb_types cannot be read: No such file or directory"),
        ("vocab.json", "{", "Expecting property name"),
        ("vocab.json", '{"relations": []}', "vocab.json, 'attributes': Field required"),
        ("fb_roles", "x a.b", "fb_roles:1 has 2 fields, not 3"),
    ],
)
def test_the_ontology_is_read_as_a_session_reads_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, file: str, text: str | None, words: str
) -> None:
    right = {
        "vocab.json": json.dumps({"relations": ["a.b"], "attributes": []}),
        "fb_roles": "x a.b y\n",
        "fb_types": "x is y\n",
    }
    for name, content in (right | ({file: text} if file else {})).items():
        if content is not None:
            (tmp_path / name).write_text(content)
    monkeypatch.setenv(ENDPOINT, "http://127.0.0.1:1/sparql")
    found = checked(monkeypatch, ONTOLOGY, tmp_path)
    assert (found.ok, words in found.detail, len(found.detail.splitlines())) == (not file, True, 1)
    monkeypatch.delenv(ENDPOINT)
    alone = checked(monkeypatch, ONTOLOGY, tmp_path)
    assert (alone.remedy, ENDPOINT in alone.detail) == ("set both, or neither", True)


@pytest.mark.parametrize("variable", WRITTEN)
def test_what_worlds_keep_is_in_a_folder_that_can_be_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, variable: str
) -> None:
    assert checked(monkeypatch, variable, tmp_path).ok
    first = checked(monkeypatch, variable, tmp_path / "new")
    assert (first.ok, first.detail) == (True, f"{tmp_path / 'new'} is not there yet")
    (tmp_path / "file").touch()
    assert checked(monkeypatch, variable, tmp_path / "file").detail == f"{tmp_path / 'file'} is no folder"
    assert "is no folder" in checked(monkeypatch, variable, tmp_path / "file" / "in it").detail
    # Root may write everything.
    monkeypatch.setattr(os, "access", lambda _, mode: not mode & os.W_OK)
    for folder in (tmp_path, tmp_path / "new"):
        found = checked(monkeypatch, variable, folder)
        assert (found.ok, f"{tmp_path} is no folder that this user may write" in found.detail) == (False, True)


@pytest.mark.parametrize(
    ("variable", "inside", "fault"),
    [
        ("HELDOUT_CATALOGUES", "6ccbbc39412ae571e792-1", True),
        ("HELDOUT_CATALOGUES", ".6ccbbc39412ae571e792-1-x", False),
        ("HELDOUT_RECORDINGS", "6c", True),
        ("HELDOUT_RECORDINGS", "lost+found", False),
        ("HELDOUT_CACHE", "lost+found", False),
    ],
)
def test_what_another_user_made_in_it_is_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, variable: str, inside: str, fault: bool
) -> None:
    """Where root imported a catalogue, no host of the service's user could open it."""
    (tmp_path / inside).mkdir()
    monkeypatch.setattr(os, "access", lambda path, _: Path(path).name != inside)
    found = checked(monkeypatch, variable, tmp_path)
    assert (found.ok, inside in found.detail) == (not fault, fault)


@pytest.mark.parametrize(
    ("chosen", "obstacle", "words"),
    [
        ("own", None, ""),
        ("shared", "bubblewrap is not installed", ""),
        ("own", "bubblewrap is not installed", "no browser here: bubblewrap is not installed"),
        ("Own", None, "'Own' is not known"),
        ("host", None, "'host' is not known"),
    ],
)
def test_the_browsers_network_is_one_of_two(
    monkeypatch: pytest.MonkeyPatch, chosen: str, obstacle: str | None, words: str
) -> None:
    monkeypatch.setattr(confine, "obstacle", lambda: obstacle)
    found = checked(monkeypatch, NETWORK, chosen)
    assert (found.ok, words in found.detail) == (not words, True)
    assert found.ok or NETWORK in found.remedy
