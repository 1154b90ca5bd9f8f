"""Nothing outlives its owner: services that are killed, supervisors that are killed, processes side by side."""

import asyncio
import gc
import os
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

import pytest

from envs.sandbox.backends import default_backend
from envs.sandbox.base import Backend, Image, SandboxError
from envs.sandbox.bubblewrap import BubblewrapBackend

from .conftest import SMALL, _reason, opened

pytestmark = pytest.mark.sandbox
DEADLINE = 60

SERVICE = """
import asyncio, sys
from envs.sandbox.backends import default_backend
from envs.sandbox.base import Image, Limits

async def main() -> None:
    backend = await default_backend(prefer=sys.argv[1])
    for _ in range(2):
        sandbox = await backend.start(Image(), Limits(processes=40))
        shell = await sandbox.shell()
        await shell.run("setsid sleep 3600 >/dev/null 2>&1 & trap '' TERM HUP")
        for process in await sandbox.processes():
            print(process.pid, flush=True)
    print(backend.supervisor, flush=True)
    print("ready", flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


def _born(pid: int) -> str | None:
    """When a process started: with its number that names it for good."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    fields = text[text.rindex(")") + 2 :].split()
    return None if fields[0] in "ZX" else fields[19]


async def _gone(named: Iterable[tuple[int, str | None]]) -> None:
    async with asyncio.timeout(DEADLINE):
        for pid, born in named:
            while born is not None and _born(pid) == born:
                await asyncio.sleep(0.05)


@pytest.mark.parametrize("name", ["bubblewrap", "bubblewrap-user"])
async def test_no_sandbox_outlives_a_service_that_is_killed(name: str) -> None:
    async with opened(name):
        root = Path(__file__).resolve().parents[3]
        service = subprocess.Popen([sys.executable, "-c", SERVICE, name], stdout=subprocess.PIPE, text=True, cwd=root)
        try:
            lines = await asyncio.to_thread(_until_ready, service)
            named = [(int(line), _born(int(line))) for line in lines]
            assert len(named) >= 7
            assert all(born is not None for _, born in named)
        finally:
            service.kill()
            await asyncio.to_thread(service.communicate)
        await _gone(named)


def _until_ready(service: "subprocess.Popen[str]") -> list[str]:
    lines: list[str] = []
    assert service.stdout is not None
    for line in service.stdout:
        if line.strip() == "ready":
            return lines
        lines.append(line)
    raise AssertionError(f"the service ended early: {lines}")


@pytest.mark.parametrize("name", ["bubblewrap", "bubblewrap-user"])
async def test_a_killed_supervisor_takes_its_sandboxes_and_is_replaced(name: str) -> None:
    async with opened(name) as backend:
        assert isinstance(backend, BubblewrapBackend)
        sandbox = await backend.start(Image(), SMALL)
        named = [(process.pid, _born(process.pid)) for process in await sandbox.processes()]
        assert backend.supervisor is not None
        os.kill(backend.supervisor, signal.SIGKILL)
        await _gone(named)
        assert not sandbox.alive
        with pytest.raises(SandboxError):
            await sandbox.run("true")
        again = await backend.start(Image(), SMALL)
        assert (await again.run("echo back")).text == "back\n"
        await again.destroy()
        await sandbox.destroy()


async def test_a_killed_command_runner_is_no_hang() -> None:
    async with opened("bubblewrap") as backend:
        sandbox = await backend.start(Image(), SMALL)
        running = asyncio.ensure_future(sandbox.run("sleep 3600"))
        async with asyncio.timeout(DEADLINE):
            while not any("sleep" in process.argv for process in await sandbox.processes()):
                await asyncio.sleep(0.02)
        await sandbox.destroy()
        async with asyncio.timeout(DEADLINE):
            result = (await asyncio.gather(running, return_exceptions=True))[0]
        assert isinstance(result, SandboxError) or result.status != 0  # type: ignore[union-attr]


async def test_two_services_never_share_a_slot() -> None:
    async with opened("bubblewrap") as first, opened("bubblewrap") as second:
        sandboxes = [await backend.start(Image(), SMALL) for backend in (first, second, first, second)]
        maps = [(await sandbox.run(["cat", "/proc/self/uid_map"])).text.split()[1] for sandbox in sandboxes]
        assert len(set(maps)) == 4
        for sandbox in sandboxes:
            await sandbox.destroy()


async def test_destroy_waits_for_orphans_of_every_kind() -> None:
    async with opened("bubblewrap") as backend:
        sandbox = await backend.start(Image(), SMALL)
        await sandbox.run("(setsid sleep 3600 &) ; nohup sleep 3600 >/dev/null 2>&1 & trap '' TERM; true")
        named = [(process.pid, _born(process.pid)) for process in await sandbox.processes()]
        assert len(named) >= 3
        await sandbox.destroy()
        assert not [pid for pid, born in named if born is not None and _born(pid) == born]


ORDINARY = """
import asyncio, os
from envs.sandbox.backends import default_backend
from envs.sandbox.base import Image, Limits

async def main() -> None:
    assert os.getuid() != 0
    async with await default_backend(prefer="bubblewrap") as backend:
        assert backend.traits.weaknesses
        for user in ("agent", "root"):
            sandbox = await backend.start(Image(user=user), Limits())
            await sandbox.write_file("/work/file", b"content")
            shell = await sandbox.shell()
            assert (await shell.run("cat /work/file")).text == "content"
            assert (await shell.run("sleep 3600", timeout=1)).timed_out
            await sandbox.freeze()
            assert (await sandbox.run("cat /work/file")).text == "content"
            await sandbox.thaw()
            await sandbox.reset()
            await sandbox.destroy()
    print("fine")

asyncio.run(main())
"""


def test_an_ordinary_user_needs_no_root() -> None:
    if _reason("bubblewrap-user"):
        pytest.skip("bubblewrap is not installed")
    if os.geteuid() != 0:
        pytest.skip("every other test here runs as an ordinary user already")
    python = Path("/usr/bin/python3")
    root = Path(__file__).resolve().parents[3]
    paths = os.pathsep.join([str(root), *(path for path in sys.path if "site-packages" in path)])
    with tempfile.TemporaryDirectory(prefix="heldout-ordinary-") as folder:
        os.chown(folder, 65534, 65534)
        variables = {"PYTHONPATH": paths, "XDG_RUNTIME_DIR": folder, "PATH": os.defpath, "HOME": folder}
        tried = _as_nobody([str(python), "-c", "import pydantic, envs.base"], variables)
        if tried.returncode != 0:
            pytest.skip("the system's Python cannot read this environment as an ordinary user")
        done = _as_nobody([str(python), "-c", ORDINARY], variables)
        if "did not start" in done.stderr:
            pytest.skip(f"user namespaces are closed to ordinary users here: {done.stderr[-300:]}")
        assert done.stdout == "fine\n", done.stderr[-2000:]


def _as_nobody(argv: list[str], variables: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        argv,
        env=variables,
        cwd="/",
        user=65534,
        group=65534,
        extra_groups=[],
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )


async def test_an_unusable_backend_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(SandboxError, match="bubblewrap is not installed"):
        await default_backend(prefer="bubblewrap")


def _descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


async def test_a_destroyed_sandbox_leaves_no_descriptor_behind(backend: Backend) -> None:
    counts = []
    for _ in range(4):
        sandbox = await backend.start(Image(), SMALL)
        shells = [await sandbox.shell() for _ in range(5)]
        for shell in shells:
            assert (await shell.run("echo here")).text.strip() == "here"
        await sandbox.destroy()
        gc.collect()
        counts.append(_descriptors())
    # What the first round opens may be kept for later ones (an engine's connections); a leak is ten a round.
    assert counts[-1] - counts[0] < 10, counts


async def test_a_supervisor_starts_in_a_process_with_many_files() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 2000:
        pytest.skip("this machine does not let a process have so many files")
    async with opened("bubblewrap-user"):
        pass
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2000), hard))
    held = [os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC) for _ in range(1100)]
    try:
        async with BubblewrapBackend(root=False) as backend:
            sandbox = await backend.start(Image(), SMALL)
            assert (await sandbox.run("echo here")).text == "here\n"
            await sandbox.destroy()
    finally:
        for descriptor in held:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
