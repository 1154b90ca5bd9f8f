"""Fixtures for all tests."""

import os
from pathlib import Path

import pytest

from tests.service_fixtures import cluster, service, settings

__all__ = ["cluster", "data", "service", "settings"]


@pytest.fixture(scope="session")
def data() -> Path:
    """Published data beside the checkout (or at HELDOUT_TEST_DATA); tests that need it skip where it is absent."""
    folder = Path(os.environ.get("HELDOUT_TEST_DATA") or Path(__file__).parents[2] / "shared" / "data")
    if not folder.is_dir():
        pytest.skip(f"published data is not at {folder}; set HELDOUT_TEST_DATA to test with it")
    return folder
