"""Docker Engine for tests: one that answers, or the private one of `infra/engine.sh` where it was set up before."""

import asyncio
import os
import shutil
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from filelock import FileLock

from envs.sandbox.base import Backend, SandboxError
from envs.sandbox.engine import DockerBackend
from envs.sandbox.engine_names import HOST_IMAGE

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "infra" / "engine.sh"


@dataclass(frozen=True)
class Engine:
    """Where it answers; `folder` is set for a private one, which may be killed and started again."""

    url: str
    folder: Path | None = None

    def restart(self) -> None:
        """Start the private engine again after its death."""
        subprocess.run(["bash", SCRIPT, "start", str(self.folder)], check=True, stdout=subprocess.DEVNULL)

    @property
    def pids(self) -> list[int]:
        """The engine's processes: dockerd and the containerd that it started."""
        assert self.folder
        names = [self.folder / "dockerd.pid", *self.folder.glob("exec/containerd/containerd.pid")]
        return [int(name.read_text()) for name in names if name.exists()]


def _private() -> Path:
    return Path(subprocess.check_output(["bash", SCRIPT, "where"], text=True, cwd=ROOT).strip())


@contextmanager
def engine() -> Iterator[Engine]:
    """An engine, or a skip that says what is missing. One that was started here is stopped at the end.

    A private one belongs to one test process at a time, since tests kill it: the others wait.
    """
    url = os.environ.get("DOCKER_HOST")
    if url is None and Path("/var/run/docker.sock").exists():
        url = "unix:///var/run/docker.sock"
    socket = Path(url.removeprefix("unix://")) if url else _private() / "docker.sock"
    if url and not (socket.parent / "dockerd.pid").exists():
        yield Engine(url)
        return
    folder = socket.parent
    if url is None and (os.geteuid() != 0 or shutil.which("dockerd") is None):
        pytest.skip("no Docker Engine answers, and none can be started: that needs root and 'dockerd'")
    if not (folder / "data").is_dir():
        pytest.skip(f"no Docker Engine answers, and {folder} has no images: infra/engine.sh start, then make images")
    with FileLock(f"{folder}.lock"):
        found = Engine(f"unix://{socket}", folder)
        found.restart()
        try:
            yield found
        finally:
            if url is None:
                subprocess.run(["bash", SCRIPT, "stop", str(folder)], check=True, stdout=subprocess.DEVNULL)


@asynccontextmanager
async def docker(found: Engine, runtime: str | None = None) -> AsyncIterator[Backend]:
    """A backend on the engine, or a skip."""
    try:
        backend = await DockerBackend.open(runtime=runtime, url=found.url)
    except SandboxError as error:
        pytest.skip(str(error))
    async with backend:
        if not await backend.has_image(HOST_IMAGE):
            pytest.skip(f"Docker Engine has no image '{HOST_IMAGE}': make images")
        yield backend


async def until_back(found: Engine) -> None:
    """Start the engine again, and wait until it answers."""
    await asyncio.to_thread(found.restart)
