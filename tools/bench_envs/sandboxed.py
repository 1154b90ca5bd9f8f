"""Sessions in sandboxes: how long an opening takes, what a step adds, many at once, episodes a minute, memory."""

import asyncio
import contextlib
import shutil
import statistics
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import psutil

from api.cli.baselines.throwaway import Throwaway, throwaway, unlimited
from api.core.query import Query
from envs import registry
from envs.base import parse_spec
from envs.operating_system.spec import OperatingSystemSpec
from envs.operating_system.world import World, initialise, pool_spec
from envs.sandbox.backends import default_backend
from envs.sandbox.engine_names import HOST_IMAGE
from envs.sandbox.warm import hold
from packs.pack import Pack
from packs.read import read_pack
from tests.support.sessions import echo_pack
from tools.bench_envs.plain_http import Line

PACKS = Path(__file__).parents[2] / "benchmarks"
PAUSE = 0.6


@dataclass(frozen=True)
class Judged:
    """A session that was judged, and when, in seconds since 1970."""

    id: UUID
    graded: float


_JUDGED = Query(
    Judged,
    "Sessions that were judged.",
    "select id, extract(epoch from graded_at) as graded from live_session where graded_at is not null",
)


def percentile(values: list[float], share: float) -> float:
    """Of sorted values."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


async def lacking() -> str | None:
    """What keeps `docker run` from being measured."""
    if shutil.which("docker") is None:
        return "the command 'docker' is not installed: run infra/setup.sh"
    for arguments, wanting in (
        (("version",), "no Docker Engine answers: `infra/engine.sh start` starts one and prints its DOCKER_HOST"),
        (("image", "inspect", HOST_IMAGE), f"the engine has no image '{HOST_IMAGE}': run `make images`"),
    ):
        process = await asyncio.create_subprocess_exec(
            "docker", *arguments, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL
        )
        if await process.wait():
            return wanting
    return None


async def docker_run() -> float | None:
    """Milliseconds of `docker run` until its command has answered; None where it did not."""
    begun = time.perf_counter()
    process = await asyncio.create_subprocess_exec(
        "docker",
        "run",
        "--rm",
        "--network",
        "none",
        HOST_IMAGE,
        "echo",
        "ready",
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    said, _ = await process.communicate()
    return (time.perf_counter() - begun) * 1000 if said == b"ready\n" else None


async def _opened(line: Line, alias: str) -> tuple[float, str]:
    begun = time.perf_counter()
    status, told = await line.post("/v1/sessions", {"problem": alias})
    taken = (time.perf_counter() - begun) * 1000
    if status != 201:
        raise RuntimeError(f"an opening was refused: {told}")
    return taken, str(told["id"])


async def _aliases(running: Throwaway) -> list[str]:
    return [item.alias for item in (await running.answer_key()).values()]


async def floor(count: int) -> list[float]:
    """Openings of the echo, which has no machine: what key, budget, ledger, lease and first observation cost."""
    return await _openings(echo_pack(), 0, count, 0.0)


async def initialised() -> list[float]:
    """Milliseconds that the `init` scripts of live-os take in the shell of a machine: the benchmark's own time."""
    times = []
    async with await default_backend() as backend:
        for line in read_pack(PACKS / "live-os", registry).references:
            if line.episode is None:
                continue
            spec = parse_spec(OperatingSystemSpec, line.episode.spec)
            held = await hold(backend, pool_spec(spec.image, spec.workdir))
            begun = time.perf_counter()
            await initialise(held.sandbox, held.prepared, spec, 1)
            times.append((time.perf_counter() - begun) * 1000)
            await held.close()
    return times


async def openings(pack: str, ready: int, count: int) -> list[float]:
    """Milliseconds from the request over HTTP to the first observation, one session at a time."""
    return await _openings(read_pack(PACKS / pack, registry), ready, count, PAUSE)


async def _openings(pack: Pack, ready: int, count: int, pause: float) -> list[float]:
    async with throwaway(unlimited(pack), pool_ready=ready) as running:
        aliases = await _aliases(running)
        times = []
        for number in range(count + 3):
            # A pause as between episodes: what was handed over is replaced in the meantime.
            await asyncio.sleep(pause)
            async with Line.open(running.instance.port, running.key) as line:
                taken, session = await _opened(line, aliases[number % len(aliases)])
                await line.post(f"/v1/sessions/{session}/finish", {})
            times.append(taken)
        return times[3:]


async def episodes(pack: str, action: dict[str, Any], count: int) -> dict[str, list[float]]:
    """Milliseconds of whole episodes one after the other, from the request that opens until they are judged (by the
    database's clock, on this machine), and of the requests in it."""
    played: dict[UUID, float] = {}
    times: dict[str, list[float]] = {"opening": [], "step": [], "finish and probe": []}
    async with throwaway(unlimited(read_pack(PACKS / pack, registry)), pool_ready=4) as running:
        aliases = await _aliases(running)
        for number in range(count + 3):
            await asyncio.sleep(PAUSE)
            async with Line.open(running.instance.port, running.key) as line:
                begun = time.time()
                _, session = await _opened(line, aliases[number % len(aliases)])
                opened = time.time()
                status, told = await line.post(f"/v1/sessions/{session}/steps", {"number": 1, "action": action})
                if status != 200:
                    raise RuntimeError(f"a step was refused: {told}")
                stepped = time.time()
                await line.post(f"/v1/sessions/{session}/finish", {"answer": "1"})
            moments = (begun, opened, stepped, time.time())
            for name, since, until in zip(times, moments, moments[1:], strict=False):
                times[name].append((until - since) * 1000)
            played[UUID(session.removeprefix("ses_"))] = begun
        async with asyncio.timeout(60):
            while len(graded := await _graded(running)) < len(played):
                await asyncio.sleep(PAUSE)
    judged = {row.id: row.graded for row in graded}
    times["whole"] = [(judged[session] - begun) * 1000 for session, begun in played.items()]
    return {name: told[3:] for name, told in times.items()}


async def _graded(running: Throwaway) -> list[Judged]:
    async with running.database.session() as session:
        return await session.fetch_all(_JUDGED)


def _command(number: int) -> dict[str, Any]:
    action = {"tool": {"name": "bash_action", "arguments": {"script": "true"}}}
    return {"number": number, "action": action}


async def steps(rounds: int) -> tuple[list[float], list[float]]:
    """Milliseconds of a stored step that runs `true`, and of `true` in the shell of such a machine, in turn."""
    backend = await default_backend()
    stored, bare = [], []
    async with backend, throwaway(unlimited(read_pack(PACKS / "live-os", registry))) as running:
        world = await World.open(backend, OperatingSystemSpec(problem="?"), 1)
        aliases = await _aliases(running)
        for number in range(rounds):
            async with Line.open(running.instance.port, running.key) as line:
                _, session = await _opened(line, aliases[number % len(aliases)])
                for step in range(1, 6):
                    begun = time.perf_counter()
                    await line.post(f"/v1/sessions/{session}/steps", _command(step))
                    stored.append((time.perf_counter() - begun) * 1000)
                    begun = time.perf_counter()
                    await world.shell.run("true")
                    bare.append((time.perf_counter() - begun) * 1000)
                await line.post(f"/v1/sessions/{session}/finish", {})
        await world.close()
    return stored, bare


async def at_once(count: int, seconds: float) -> dict[str, float]:
    """`count` machines open at once, a step in each, the memory of one, then episodes a minute of 8 players."""
    async with throwaway(unlimited(read_pack(PACKS / "live-os", registry)), host_slots=count + 8) as running:
        aliases = await _aliases(running)
        gate = asyncio.Barrier(count + 1)
        free: list[float] = []

        async def play(number: int) -> float:
            async with Line.open(running.instance.port, running.key) as line:
                _, session = await _opened(line, aliases[number % len(aliases)])
            await gate.wait()
            await gate.wait()
            async with Line.open(running.instance.port, running.key) as line:
                begun = time.perf_counter()
                status, told = await line.post(f"/v1/sessions/{session}/steps", _command(1))
                taken = (time.perf_counter() - begun) * 1000
                if status != 200:
                    raise RuntimeError(f"a step was refused: {told}")
                await line.post(f"/v1/sessions/{session}/finish", {})
            return taken

        before, begun = psutil.virtual_memory().available, time.perf_counter()
        playing = [asyncio.create_task(play(number)) for number in range(count)]
        await gate.wait()
        opened = time.perf_counter() - begun
        free.append((before - psutil.virtual_memory().available) / count / 1e6)
        await gate.wait()
        times = await asyncio.gather(*playing)
        rate = await _sustained(running, aliases, seconds)
    return {
        "opened_seconds": opened,
        "step_p50_ms": statistics.median(times),
        "step_p99_ms": percentile(times, 0.99),
        "memory_mb": free[0],
        "episodes_a_minute": rate,
    }


async def _sustained(running: Throwaway, aliases: list[str], seconds: float) -> float:
    deadline, done = time.perf_counter() + seconds, [0]
    begun = time.perf_counter()

    async def play(first: int) -> None:
        number = first
        while time.perf_counter() < deadline:
            async with Line.open(running.instance.port, running.key) as line:
                _, session = await _opened(line, aliases[number % len(aliases)])
                for step in (1, 2, 3):
                    await line.post(f"/v1/sessions/{session}/steps", _command(step))
                await line.post(f"/v1/sessions/{session}/finish", {"answer": "1"})
            done[0] += 1
            number += 8

    await asyncio.gather(*(play(first) for first in range(8)))
    return done[0] * 60 / (time.perf_counter() - begun)


@contextlib.contextmanager
def reported(name: str) -> Any:
    """Say what is measured, and what failed, and go on with the next figure."""
    try:
        yield
    except (RuntimeError, OSError, TimeoutError, asyncio.IncompleteReadError) as error:
        print(f"{name}: not measured: {type(error).__name__}: {error}", flush=True)
