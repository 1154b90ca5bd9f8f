"""`config check` of variables that nothing reads."""

import os
from pathlib import Path

import pytest

from api.operations import misnamed
from api.operations.variables import INTERNAL, public_names


@pytest.fixture(autouse=True)
def nothing_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.upper().startswith("HELDOUT_"):
            monkeypatch.delenv(name)


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("HELDOUT_TRUSTED_PROXIS", "HELDOUT_TRUSTED_PROXIES"),
        ("HELDOUT_JUDGE_URI", "HELDOUT_JUDGE_URL"),
        ("HELDOUT_DATADIR", "HELDOUT_DATA_DIR"),
        ("HELDOUT_SITE_FILE", "HELDOUT_SITES_FILE"),
        ("HELDOUT_MAP_EXTRACTS", "HELDOUT_MAP_EXTRACT"),
        ("HELDOUT_LOGIN_PROVIDER", "HELDOUT_LOGIN_PROVIDERS"),
        ("heldout_images", "HELDOUT_IMAGES"),
        ("HELDOUT_GRADING_CHUNK", ""),
        ("HELDOUT_", ""),
    ],
)
def test_a_name_that_nothing_reads_is_said_with_the_nearest(
    monkeypatch: pytest.MonkeyPatch, name: str, nearest: str
) -> None:
    """What is set is not shown."""
    monkeypatch.setenv(name, "secret")
    (found,) = misnamed.examine()
    assert (found.ok, found.detail) == (False, f"{name} is set, and nothing reads it")
    assert found.remedy.startswith(f"{nearest} is the nearest" if nearest else "docs/configuration.md has every name")
    monkeypatch.setenv(name, "")
    assert list(misnamed.examine()) == []


def test_all_that_is_read_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in {*public_names(), *INTERNAL} - {"HELDOUT_SITES", "HELDOUT_SITES_FILE"}:
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("heldout_port", "8080")
    monkeypatch.setenv("HELDOUT", "1")
    monkeypatch.setenv("DATABASE_URL", "1")
    assert list(misnamed.examine()) == []


def test_what_an_owners_sites_name_is_known(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HELDOUT_SHOP_PASSWORD", "secret")
    monkeypatch.setenv("HELDOUT_CITY", "city.osm.pbf")
    assert len(list(misnamed.examine())) == 2
    file = tmp_path / "sites.toml"
    file.write_text('[sites.shop]\npassword = "${HELDOUT_SHOP_PASSWORD}"\nprice = "$$HELDOUT_CITY"\n')
    monkeypatch.setenv("HELDOUT_SITES_FILE", str(file))
    assert [found.detail for found in misnamed.examine()] == ["HELDOUT_CITY is set, and nothing reads it"]
    (tmp_path / "city").mkdir()
    described = (
        'title = "City"\nnow = 2026-01-15T12:00:00Z\nextract = "HELDOUT_CITY"\n[roles.visitor]\nabout = "a visitor"\n'
    )
    (tmp_path / "city" / "site.toml").write_text(described)
    monkeypatch.setenv("HELDOUT_SITES", str(tmp_path))
    assert list(misnamed.examine()) == []


def test_what_kubernetes_says_of_its_services_is_nobodys_slip(monkeypatch: pytest.MonkeyPatch) -> None:
    made = ("SERVICE_HOST", "SERVICE_PORT", "SERVICE_PORT_HTTP", "PORT", "PORT_8080_TCP", "PORT_8080_TCP_ADDR")
    for end in made:
        monkeypatch.setenv(f"HELDOUT_SERVE_{end}", "tcp://10.0.0.1:8080")
    monkeypatch.setenv("HELDOUT_WORKER_PORT", "1")
    assert [found.detail for found in misnamed.examine()] == ["HELDOUT_WORKER_PORT is set, and nothing reads it"]
