"""Settings that name something of another package."""

import pytest

from api.core.settings import Settings
from envs.sandbox.backends import KNOWN


@pytest.mark.parametrize("name", ["auto", *KNOWN])
def test_every_sandbox_backend_can_be_chosen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HELDOUT_SANDBOX", name)
    assert Settings().sandbox == name
