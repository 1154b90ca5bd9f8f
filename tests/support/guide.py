"""The documentation site, built once for a test process, and an application that serves it."""

from pathlib import Path

import pytest
from fastapi import FastAPI

from api.core.settings import Settings
from api.web import guide_pages
from tests.support.shared import application
from tools.guide.build import build


@pytest.fixture(scope="session")
def guide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of this checkout."""
    out = tmp_path_factory.mktemp("guide") / "site"
    build(out)
    return out


@pytest.fixture
def guide_app(guide: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FastAPI:
    """The service without a database, which its documentation does not need."""
    monkeypatch.setattr(guide_pages, "FOLDER", guide)
    return application(Settings(data_dir=tmp_path))
