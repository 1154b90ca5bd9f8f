"""A service with three ways to sign in: a real provider, a lying one, and GitHub's endpoints."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from api.core.providers import LoginProvider
from api.core.settings import Settings
from tests.support.oidc.fake import FakeProvider, fake_provider
from tests.support.oidc.real import SECRET, RealProvider, real_provider
from tests.support.service import Service
from tests.support.visitor import ORIGIN


@pytest.fixture(scope="session")
def real() -> Iterator[RealProvider]:
    with real_provider(f"{ORIGIN}/login/callback/real") as provider:
        yield provider


@pytest.fixture
async def fake() -> AsyncIterator[FakeProvider]:
    async with fake_provider() as provider:
        yield provider


@pytest.fixture
def secret_file(tmp_path: Path) -> Path:
    path = tmp_path / "client-secret"
    path.write_text(f"{SECRET}\n")
    return path


@pytest.fixture
async def lying(settings: Settings, fake: FakeProvider, secret_file: Path) -> AsyncIterator[Service]:
    """The service with the scripted provider, as OpenID Connect and as GitHub."""
    common = {"client_id": "heldout", "client_secret_file": secret_file, "timeout_seconds": 60}
    providers = (
        LoginProvider(name="fake", issuer=fake.issuer, domains=("example.org",), **common),
        LoginProvider(
            name="github", kind="github", github_url=fake.issuer, github_api_url=f"{fake.issuer}/api", **common
        ),
    )
    async with Service.running(settings.model_copy(update={"login_providers": providers})) as service:
        yield service


@pytest.fixture
async def honest(settings: Settings, real: RealProvider, secret_file: Path) -> AsyncIterator[Service]:
    """The service with the certified provider."""
    provider = LoginProvider(
        name="real", issuer=real.issuer, client_id="heldout", client_secret_file=secret_file, timeout_seconds=60
    )
    async with Service.running(settings.model_copy(update={"login_providers": (provider,)})) as service:
        yield service
