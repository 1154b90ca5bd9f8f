"""One backend of each kind for a module, and small sandboxes from it."""

import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from envs.sandbox.backends import default_backend
from envs.sandbox.base import MIB, Backend, BackendUnavailableError, Image, Limits, Sandbox, SandboxError
from tests.support.docker_engine import docker, engine

SMALL = Limits(
    memory=96 * MIB, processes=40, cpus=0.5, disk=8 * MIB, files=2_000, open_files=128, output=64 * 1024, timeout=60
)


def _reason(name: str) -> str | None:
    if name.startswith("bubblewrap") and shutil.which("bwrap") is None:
        return "bubblewrap is not installed (infra/setup.sh installs it)"
    if name == "bubblewrap" and os.geteuid() != 0:
        return "sandboxes with ids of their own need root"
    return None


@asynccontextmanager
async def opened(name: str) -> AsyncIterator[Backend]:
    """The backend, or a skip that says why not."""
    if reason := _reason(name):
        pytest.skip(reason)
    try:
        backend = await default_backend(prefer=name)
    except BackendUnavailableError as error:
        pytest.skip(f"{name}: {error}")
    async with _working(name, backend):
        yield backend


@asynccontextmanager
async def _working(name: str, backend: Backend) -> AsyncIterator[None]:
    async with backend:
        try:
            probe = await backend.start(Image(), SMALL)
        except SandboxError as error:
            pytest.skip(f"{name} does not work here: {error}")
        await probe.destroy()
        yield


# A private engine belongs to one test process at a time: by module, so that nobody waits for it to the end.
@pytest.fixture(
    scope="module", params=["bubblewrap", "bubblewrap-user", pytest.param("docker", marks=pytest.mark.timeout(900))]
)
async def backend(request: pytest.FixtureRequest) -> AsyncIterator[Backend]:
    if request.param != "docker":
        async with opened(request.param) as found:
            yield found
        return
    with engine() as running:
        async with docker(running) as found, _working("docker", found):
            yield found


@pytest.fixture(scope="session")
async def rooted() -> AsyncIterator[Backend]:
    async with opened("bubblewrap") as found:
        yield found


@pytest.fixture
async def sandbox(backend: Backend) -> AsyncIterator[Sandbox]:
    found = await backend.start(Image(), SMALL)
    yield found
    await found.destroy()


@pytest.fixture
async def root_sandbox(backend: Backend) -> AsyncIterator[Sandbox]:
    found = await backend.start(Image(user="root", workdir="/root"), SMALL)
    yield found
    await found.destroy()


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that the ordinary user's backend can read too: pytest's own is closed to others."""
    folder = Path(tempfile.mkdtemp(prefix="heldout-test-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)
