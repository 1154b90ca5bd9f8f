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
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from api.commands.throwaway import Throwaway, throwaway, unlimited
from tests.load.envs.plain_http import Line
from tests.sessions import echo_pack

OPENENV = "openenv-core==0.3.0"
ROUNDS = 2
STEPS = {1: 200, 16: 60, 64: 30}


@dataclass(frozen=True)
class Measured:
    """One run: milliseconds of every step, steps a second, CPU milliseconds a step of the serving processes."""

    milliseconds: list[float]
    rate: float
    cpu: float

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


async def ours(running: Throwaway, sessions: int, steps: int) -> Measured:
    """Step `sessions` echoes at once."""
    port = running.instance.port
    aliases = [item.alias for item in (await running.known()).values() if item.split == "dev"]
    times: list[float] = []

    async def play(alias: str) -> None:
        async with Line.open(port, running.key) as line:
            status, told = await line.post("/v1/sessions", {"problem": alias})
            assert status == 201, told
        path = f"/v1/sessions/{told['id']}/steps"
        # The web process closes a line that is silent for some seconds.
        await gate.wait()
        async with Line.open(port, running.key) as line:
            for number in range(1, steps + 1):
                begun = time.perf_counter()
                status, told = await line.post(path, {"number": number, "action": {"text": f"word {number}"}})
                times.append((time.perf_counter() - begun) * 1000)
                assert (status, told["observation"]["data"]) == (200, {"number": number}), told
            await line.post(f"{path.removesuffix('/steps')}/finish", {})

    gate = asyncio.Barrier(sessions + 1)
    played = [asyncio.create_task(play(alias)) for alias in aliases[:sessions]]
    await gate.wait()
    before, begun = cpu(serving(running)), time.perf_counter()
    while len(times) < sessions * steps and not any(task.done() and task.exception() for task in played):
        await asyncio.sleep(0.02)
    seconds, used = time.perf_counter() - begun, cpu(serving(running)) - before
    await asyncio.gather(*played)
    return Measured(times, len(times) / seconds, used * 1000 / len(times))


@asynccontextmanager
async def openenv() -> AsyncIterator[tuple[int, list[str]]]:
    """openenv-core's server in an environment of its own: its port, and the command that runs its side."""
    side = str(Path(__file__).with_name("openenv_side.py"))
    command = ["uv", "run", "-q", "--no-project", "--with", OPENENV, "--with", "websockets", "python", side]
    with socket.create_server(("127.0.0.1", 0)) as found:
        port = int(found.getsockname()[1])
    process = await asyncio.create_subprocess_exec(*command, "serve", str(port), env=_environment())
    try:
        async with asyncio.timeout(300):
            while True:
                try:
                    _, writer = await asyncio.open_connection("127.0.0.1", port)
                    writer.close()
                    break
                except OSError:
                    await asyncio.sleep(0.2)
        yield port, command
    finally:
        for found_process in _tree(psutil.Process(process.pid))[::-1]:
            found_process.terminate()
        await process.wait()


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}


async def theirs(port: int, command: list[str], sessions: int, steps: int) -> Measured:
    """The same of openenv-core's server."""
    owner = next(
        found for found in psutil.net_connections("tcp") if found.laddr.port == port and found.status == "LISTEN"
    )
    server = [psutil.Process(owner.pid)]
    before = cpu(server)
    arguments = ("load", str(port), str(sessions), str(steps))
    process = await asyncio.create_subprocess_exec(
        *command, *arguments, stdout=asyncio.subprocess.PIPE, env=_environment()
    )
    told = json.loads((await process.communicate())[0])
    times = told["milliseconds"]
    return Measured(times, len(times) / told["seconds"], (cpu(server) - before) * 1000 / len(times))


async def compare(counts: list[int]) -> list[dict[str, Any]]:
    """Rounds of both in turn; medians over the rounds, and the ratios ours to theirs (below 1: ours is ahead)."""
    rows = []
    pack = unlimited(echo_pack(count=max(counts), steps=500, seconds=3600))
    async with throwaway(pack) as running, openenv() as (port, command):
        for sessions in counts:
            pairs = []
            for _ in range(ROUNDS):
                first = await ours(running, sessions, STEPS[sessions])
                pairs.append((first, await theirs(port, command, sessions, STEPS[sessions])))
            rows.append(_row(sessions, pairs))
            print(json.dumps(rows[-1]), flush=True)
    return rows


def _row(sessions: int, pairs: list[tuple[Measured, Measured]]) -> dict[str, Any]:
    row: dict[str, Any] = {"sessions": sessions}
    for name in ("p50", "p99", "rate", "cpu"):
        sides = [[getattr(pair[side], name) for pair in pairs] for side in (0, 1)]
        row[name] = [round(statistics.median(side), 3) for side in sides]
        row[f"{name} ratio"] = round(statistics.median(a / b for a, b in zip(*sides, strict=True)), 2)
    return row


if __name__ == "__main__":
    asyncio.run(compare([int(count) for count in sys.argv[1:]] or [1, 16, 64]))
