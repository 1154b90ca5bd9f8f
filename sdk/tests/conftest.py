"""A scripted service, and an environment without settings of the machine."""

from pathlib import Path

import hypothesis
import pytest

from sdk.tests.scripted import Scripted

# As in tests/conftest.py: the same examples in every run, and no clock.
hypothesis.settings.register_profile(
    "steady", deadline=None, derandomize=True, suppress_health_check=list(hypothesis.HealthCheck)
)
hypothesis.settings.load_profile("steady")


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("HELDOUT_API_KEY", "HELDOUT_BASE_URL", "HELDOUT_BENCHMARK", "HELDOUT_ALLOW_HTTP"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HELDOUT_CONFIG_DIR", str(tmp_path / "config"))


@pytest.fixture
def service() -> Scripted:
    return Scripted()
