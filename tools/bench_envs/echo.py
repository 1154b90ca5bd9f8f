"""A step of the echo environment, stored before it is told, next to openenv-core serving the same environment.

Both are driven over one kept connection a session by the same loop; CPU is that of the serving processes.
"""

import asyncio
import contextlib
import json
import os
import socket
import statistics
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import psutil

from api.cli.baselines.throwaway import Throwaway, throwaway, unlimited
from tests.support.sessions import echo_pack
from tools.bench_envs.plain_http import Line

OPENENV = "openenv-core==0.3.0"
ROUNDS = {1: 9}
ROUNDS_OF_MANY = 3
STEPS = 450
_WRITES, _PAGE = 200, 8192
_HERE = Path(__file__).parent
_LOAD = [sys.executable, str(_HERE / "channel_load.py")]


@dataclass(frozen=True)
class Measured:
    """One run: milliseconds of every step, steps a second, CPU milliseconds a step of the serving processes."""

    milliseconds: list[float]
    rate: float
    cpu: float
    client_cpu: float
    shares: dict[str, float]

    @property
    def p50(self) -> float:
        return statistics.median(self.milliseconds)

    @property
    def p99(self) -> float:
        return sorted(self.milliseconds)[int(len(self.milliseconds) * 0.99)]


def serving(running: Throwaway) -> list[psutil.Process]:
    """The web process, the host and PostgreSQL."""
    owner = (running.settings.data_dir.absolute() / "postgres" / "cluster" / "postmaster.pid").read_text().split()[0]
    roots = [psutil.Process(running.instance.children[name].pid) for name in ("serve", "host")]
    return [process for root in (*roots, psutil.Process(int(owner))) for process in _tree(root)]


def _tree(root: psutil.Process) -> list[psutil.Process]:
    return [root, *root.children(recursive=True)]


def cpu(processes: list[psutil.Process]) -> float:
    """Seconds used so far, by those that still run."""
    used = 0
    for process in processes:
        # The scheduler's own count, in nanoseconds: a clock's ticks of 10 ms are as long as a hundred steps.
        for thread in Path(f"/proc/{process.pid}/task").glob("*/schedstat"):
            with contextlib.suppress(OSError):
                used += int(thread.read_text().split()[0])
    return used / 1e9


async def ours(running: Throwaway, sessions: int, steps: int) -> Measured:
    """Step `sessions` echoes at once, each over its channel."""
    port = running.instance.port
    aliases = [item.alias for item in (await running.answer_key()).values() if item.split == "dev"][:sessions]
    opened = []
    async with Line.open(port, running.key) as line:
        for alias in aliases:
            status, told = await line.post("/v1/sessions", {"problem": alias})
            assert status == 201, told
            opened.append(told["id"])
    asked = {"key": running.key, "sessions": opened}
    measured = await _driven([*_LOAD, "heldout", str(port), str(steps)], asked, partial(serving, running))
    async with Line.open(port, running.key) as line:
        for session in opened:
            await line.post(f"/v1/sessions/{session}/finish", {})
    return measured


async def _driven(command: list[str], asked: dict[str, Any], servers: Callable[[], list[psutil.Process]]) -> Measured:
    """Run the load in its own process; the servers' CPU time counts from when all are connected."""
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env=_environment(),
        limit=1 << 24,
    )
    assert process.stdin
    assert process.stdout
    process.stdin.write(json.dumps(asked).encode() + b"\n")
    if await process.stdout.readline() != b"ready\n":
        raise RuntimeError("the load did not begin")
    before = {server.pid: cpu([server]) for server in servers()}
    process.stdin.write(b"go\n")
    told = json.loads(await process.stdout.readline())
    # A connection to PostgreSQL that was opened meanwhile is a process that used nothing before.
    after = {server.pid: (_part(server), cpu([server])) for server in servers()}
    process.stdin.write(b"end\n")
    times = json.loads(await process.stdout.readline())
    await process.wait()
    each = 1000 / len(times)
    shares: dict[str, float] = {}
    for number, (name, used) in after.items():
        shares[name] = shares.get(name, 0.0) + (used - before.get(number, 0.0)) * each
    return Measured(times, len(times) / told["seconds"], sum(shares.values()), told["client_cpu"] * each, shares)


def disk(folder: Path) -> tuple[float, float]:
    """Milliseconds, p50 and p99, of a bare write of 8 KiB over 8 KiB and its `fdatasync`: what a commit waits for."""
    number = os.open(folder / "written-over", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        os.write(number, bytes(_WRITES * _PAGE))
        os.fsync(number)
        times = []
        for at in range(_WRITES):
            begun = time.perf_counter()
            os.pwrite(number, os.urandom(_PAGE), at * _PAGE)
            os.fdatasync(number)
            times.append((time.perf_counter() - begun) * 1000)
    finally:
        os.close(number)
        (folder / "written-over").unlink()
    return statistics.median(times), sorted(times)[int(_WRITES * 0.99)]


def _part(server: psutil.Process) -> str:
    command = server.cmdline()
    return next((word for word in ("serve", "host") if word in command), server.name())


@asynccontextmanager
async def openenv() -> AsyncIterator[int]:
    """openenv-core's server in an environment of its own: its port."""
    alone = ["uv", "run", "-q", "--no-project", "--with", OPENENV, "python"]
    with socket.create_server(("127.0.0.1", 0)) as found:
        port = int(found.getsockname()[1])
    process = await asyncio.create_subprocess_exec(
        *alone, str(_HERE / "openenv_side.py"), str(port), env=_environment(), stderr=asyncio.subprocess.DEVNULL
    )
    try:
        async with asyncio.timeout(300):
            while True:
                try:
                    _, writer = await asyncio.open_connection("127.0.0.1", port)
                    writer.close()
                    break
                except OSError:
                    await asyncio.sleep(0.2)
        yield port
    finally:
        for found_process in _tree(psutil.Process(process.pid))[::-1]:
            found_process.terminate()
        await process.wait()


@asynccontextmanager
async def bare(folder: Path) -> AsyncIterator[int]:
    """A server whose steps are one `fdatasync` of a file in `folder` and nothing else: its port."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        port = int(found.getsockname()[1])
    path = folder / "bare-log"
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(_HERE / "disk_side.py"), str(port), str(path), env=_environment()
    )
    try:
        async with asyncio.timeout(60):
            while process.returncode is None:
                try:
                    _, writer = await asyncio.open_connection("127.0.0.1", port)
                    writer.close()
                    break
                except OSError:
                    await asyncio.sleep(0.05)
        yield port
    finally:
        process.terminate()
        await process.wait()
        path.unlink(missing_ok=True)


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}


async def theirs(port: int, sessions: int, steps: int) -> Measured:
    """The same of openenv-core's server, by the same client."""
    owner = next(
        found
        for found in psutil.net_connections("tcp")
        if found.status == "LISTEN" and found.laddr and found.laddr.port == port
    )
    asked = {"sessions": sessions}
    return await _driven([*_LOAD, "openenv", str(port), str(steps)], asked, lambda: [psutil.Process(owner.pid)])


async def compare(counts: list[int]) -> list[dict[str, Any]]:
    """Rounds of both in turn; medians over the rounds, and the ratios ours to theirs (below 1: ours is ahead).

    Beside them a server that does nothing for a step but its `fdatasync`: no durable step of this disk is quicker.
    """
    rows = []
    pack = unlimited(echo_pack(count=max(counts), steps=500, seconds=3600))
    async with throwaway(pack) as running, openenv() as port, bare(running.settings.data_dir) as floor:
        for sessions in counts:
            pairs, disks, floors = [], [], []
            for _ in range(ROUNDS.get(sessions, ROUNDS_OF_MANY)):
                first = await ours(running, sessions, STEPS)
                disks.append(await asyncio.to_thread(disk, running.settings.data_dir))
                pairs.append((first, await theirs(port, sessions, STEPS)))
                floors.append(await theirs(floor, sessions, STEPS))
            row = _row(sessions, pairs, disks)
            for name in ("p50", "p99", "rate", "cpu"):
                row[f"{name} of a bare fdatasync"] = round(statistics.median(getattr(one, name) for one in floors), 3)
            rows.append(row)
            print(json.dumps(row), flush=True)
    return rows


def _row(sessions: int, pairs: list[tuple[Measured, Measured]], disks: list[tuple[float, float]]) -> dict[str, Any]:
    row: dict[str, Any] = {"sessions": sessions, "shares": _medians([ours.shares for ours, _ in pairs])}
    row["disk p50, p99"] = [round(statistics.median(side), 3) for side in zip(*disks, strict=True)]
    for name in ("p50", "p99", "rate", "cpu", "client_cpu"):
        sides = [[getattr(pair[side], name) for pair in pairs] for side in (0, 1)]
        row[name] = [round(statistics.median(side), 3) for side in sides]
        row[f"{name} ratio"] = round(statistics.median(a / b for a, b in zip(*sides, strict=True)), 2)
    return row


def _medians(shares: list[dict[str, float]]) -> dict[str, float]:
    return {name: round(statistics.median(one.get(name, 0.0) for one in shares), 4) for name in shares[0]}


if __name__ == "__main__":
    asyncio.run(compare([int(count) for count in sys.argv[1:]] or [1, 16, 64]))
