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
ROUNDS = 2
STEPS = {1: 200, 16: 60, 64: 30}


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
    used = 0.0
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            used += sum(process.cpu_times()[:2])
    return used


async def ours(running: Throwaway, command: list[str], sessions: int, steps: int) -> Measured:
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
    measured = await _driven([*command, "heldout", str(port), str(steps)], asked, partial(serving, running))
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
    process.stdin.write(json.dumps(asked).encode())
    process.stdin.close()
    if await process.stdout.readline() != b"ready\n":
        raise RuntimeError("the load did not begin")
    before = {server.pid: cpu([server]) for server in servers()}
    told = json.loads(await process.stdout.readline())
    await process.wait()
    times = told["milliseconds"]
    each = 1000 / len(times)
    shares: dict[str, float] = {}
    # A connection to PostgreSQL that was opened meanwhile is a process that used nothing before.
    for server in servers():
        with contextlib.suppress(psutil.NoSuchProcess):
            name = _part(server)
            shares[name] = round(shares.get(name, 0.0) + (cpu([server]) - before.get(server.pid, 0.0)) * each, 3)
    used = sum(shares.values())
    return Measured(times, len(times) / told["seconds"], used, told["client_cpu"] * each, shares)


def _part(server: psutil.Process) -> str:
    command = server.cmdline()
    return next((word for word in ("serve", "host") if word in command), server.name())


@asynccontextmanager
async def openenv() -> AsyncIterator[tuple[int, list[str]]]:
    """openenv-core's server in an environment of its own: its port, and the command that runs its side."""
    folder = Path(__file__).parent
    alone = ["uv", "run", "-q", "--no-project", "--with", OPENENV, "--with", "websockets", "python"]
    with socket.create_server(("127.0.0.1", 0)) as found:
        port = int(found.getsockname()[1])
    process = await asyncio.create_subprocess_exec(
        *alone, str(folder / "openenv_side.py"), str(port), env=_environment(), stderr=asyncio.subprocess.DEVNULL
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
        yield port, [*alone, str(folder / "channel_load.py")]
    finally:
        for found_process in _tree(psutil.Process(process.pid))[::-1]:
            found_process.terminate()
        await process.wait()


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}


async def theirs(port: int, command: list[str], sessions: int, steps: int) -> Measured:
    """The same of openenv-core's server, by the same client."""
    owner = next(
        found
        for found in psutil.net_connections("tcp")
        if found.status == "LISTEN" and found.laddr and found.laddr.port == port
    )
    asked = {"sessions": sessions}
    return await _driven([*command, "openenv", str(port), str(steps)], asked, lambda: [psutil.Process(owner.pid)])


async def compare(counts: list[int]) -> list[dict[str, Any]]:
    """Rounds of both in turn; medians over the rounds, and the ratios ours to theirs (below 1: ours is ahead)."""
    rows = []
    pack = unlimited(echo_pack(count=max(counts), steps=500, seconds=3600))
    async with throwaway(pack) as running, openenv() as (port, command):
        for sessions in counts:
            pairs = []
            for _ in range(ROUNDS):
                first = await ours(running, command, sessions, STEPS[sessions])
                pairs.append((first, await theirs(port, command, sessions, STEPS[sessions])))
            rows.append(_row(sessions, pairs))
            print(json.dumps(rows[-1]), flush=True)
    return rows


def _row(sessions: int, pairs: list[tuple[Measured, Measured]]) -> dict[str, Any]:
    row: dict[str, Any] = {"sessions": sessions, "shares": pairs[-1][0].shares}
    for name in ("p50", "p99", "rate", "cpu", "client_cpu"):
        sides = [[getattr(pair[side], name) for pair in pairs] for side in (0, 1)]
        row[name] = [round(statistics.median(side), 3) for side in sides]
        row[f"{name} ratio"] = round(statistics.median(a / b for a, b in zip(*sides, strict=True)), 2)
    return row


if __name__ == "__main__":
    asyncio.run(compare([int(count) for count in sys.argv[1:]] or [1, 16, 64]))
