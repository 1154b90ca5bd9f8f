"""A scripted service, and an environment without settings of the machine."""

import pytest

from sdk.tests.scripted import Scripted


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HELDOUT_API_KEY", "HELDOUT_BASE_URL", "HELDOUT_BENCHMARK", "HELDOUT_ALLOW_HTTP"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def service() -> Scripted:
    return Scripted()
