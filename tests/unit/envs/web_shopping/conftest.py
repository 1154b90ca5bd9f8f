"""Catalogues of these tests go into a folder of their own."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from envs.web_shopping import catalogue


@pytest.fixture(autouse=True, scope="package")
def _catalogues(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HELDOUT_CATALOGUES", str(tmp_path_factory.mktemp("catalogues")))
        yield
    catalogue.close()


@pytest.fixture(scope="package")
def upstream() -> Path:
    """AgentBench v0.2 beside the checkout (or at HELDOUT_TEST_UPSTREAM)."""
    beside = Path(__file__).parents[5] / "shared" / "upstream"
    folder = Path(os.environ.get("HELDOUT_TEST_UPSTREAM") or beside) / "agentbench"
    if not folder.is_dir():
        pytest.skip(f"published code is not at {folder}; set HELDOUT_TEST_UPSTREAM to test with it")
    return folder
