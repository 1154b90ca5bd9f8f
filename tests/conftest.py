"""Fixtures for all tests."""

import gc
import os
from pathlib import Path

import hypothesis
import pytest

from tests.support.service_fixtures import cluster, service, settings

# The same examples in every run and no clock: a property that fails here fails everywhere, and never by chance.
hypothesis.settings.register_profile(
    "steady", deadline=None, derandomize=True, suppress_health_check=list(hypothesis.HealthCheck)
)
hypothesis.settings.load_profile("steady")

__all__ = ["cluster", "data", "service", "settings"]


def pytest_collection_finish() -> None:
    """Leave what was imported and collected out of every later collection of garbage, as the service's processes do."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)


@pytest.fixture(scope="session")
def data() -> Path:
    """Published data beside the checkout (or at HELDOUT_TEST_DATA); tests that need it skip where it is absent."""
    folder = Path(os.environ.get("HELDOUT_TEST_DATA") or Path(__file__).parents[2] / "shared" / "data")
    if not folder.is_dir():
        pytest.skip(f"published data is not at {folder}; set HELDOUT_TEST_DATA to test with it")
    return folder
