"""Settings that name something of another package."""

import pytest

from api.cli.running import environment_of
from api.core.settings import Settings
from envs.sandbox.backends import KNOWN


@pytest.mark.parametrize("name", ["auto", *KNOWN])
def test_every_sandbox_backend_can_be_chosen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HELDOUT_SANDBOX", name)
    assert Settings().sandbox == name


def test_the_database_of_another_programs_variable_is_taken_only_where_ours_is_not_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://me@db/theirs")
    assert Settings().database_url == "postgresql://me@db/theirs"
    monkeypatch.setenv("HELDOUT_DATABASE_URL", "postgresql://me@db/ours")
    assert Settings().database_url == "postgresql://me@db/ours"
    assert Settings(database_url=None).database_url is None


@pytest.mark.parametrize("proxies", ["", "127.0.0.1, 10.0.0.0/8"])
def test_children_read_the_settings_that_they_are_handed(proxies: str, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings.model_validate({"trusted_proxies": proxies, "waiting_items": 7})
    for name, value in environment_of(settings).items():
        monkeypatch.setenv(name, value)
    assert (Settings().trusted_proxies, Settings().waiting_items) == (settings.trusted_proxies, 7)
