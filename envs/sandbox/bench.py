"""How long a lease from the warm pool takes next to a cold start and to `docker run`, interleaved in one run.

`python -m envs.sandbox.bench [ROUNDS]` prints a table and the ratios; ratios hold on a busy machine, times do not.
"""

import asyncio
import shutil
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

from envs.sandbox.backends import default_backend
from envs.sandbox.base import MIB, Backend, Image, Limits, SandboxError
from envs.sandbox.engine_names import HOST_IMAGE
from envs.sandbox.pool import Pool, PoolSpec

LIMITS = Limits()
SPEC = PoolSpec("task", Image(), LIMITS, 3)
BUDGET = 4096 * MIB
Measure = Callable[[], Awaitable[float]]


async def _cold(backend: Backend) -> float:
    begun = time.perf_counter()
    sandbox = await backend.start(Image(), LIMITS)
    shell = await sandbox.shell()
    await shell.run("echo ready")
    taken = time.perf_counter() - begun
    await sandbox.destroy()
    return taken


async def _lease(pool: Pool) -> float:
    while not pool.stats.ready["task"]:  # noqa: ASYNC110 - not part of the measurement
        await asyncio.sleep(0.05)
    begun = time.perf_counter()
    lease = await pool.lease(SPEC, timeout=120)
    await lease.prepared.run("echo ready")
    taken = time.perf_counter() - begun
    await pool.release(lease)
    return taken


async def _docker_run() -> float:
    begun = time.perf_counter()
    process = await asyncio.create_subprocess_exec(
        "docker", "run", "--rm", "--network", "none", HOST_IMAGE, "echo", "ready", stdout=asyncio.subprocess.PIPE
    )
    said, _ = await process.communicate()
    if said != b"ready\n":
        raise SandboxError("docker run did not answer")
    return time.perf_counter() - begun


async def measure(rounds: int) -> dict[str, list[float]]:
    """Seconds of each way, one of each in turn, `rounds` times. What the machine has not is left out."""
    times: dict[str, list[float]] = defaultdict(list)
    async with AsyncExitStack() as stack:
        ways: list[tuple[str, Measure]] = []
        for name in ("bubblewrap", "docker"):
            try:
                backend = await stack.enter_async_context(await default_backend(prefer=name))
                pool = await stack.enter_async_context(Pool(backend, [SPEC], budget=BUDGET))
                ways.append((f"{name}: lease from the pool", _bound(_lease, pool)))
                ways.append((f"{name}: cold start", _bound(_cold, backend)))
                await _cold(backend)
            except SandboxError as error:
                print(f"{name}: left out: {error}")
        if any(name.startswith("docker") for name, _ in ways) and shutil.which("docker"):
            ways.append(("docker run", _docker_run))
        for _ in range(rounds):
            for name, way in ways:
                times[name].append(await way())
    return dict(times)


def _bound(function: Callable[[Any], Awaitable[float]], subject: Any) -> Measure:
    return lambda: function(subject)


def table(times: dict[str, list[float]]) -> list[str]:
    """Markdown: least, median and worst in milliseconds, and each median as a multiple of the pool's lease."""
    leases = times.get("bubblewrap: lease from the pool") or next(iter(times.values()))
    base = statistics.median(leases)
    lines = ["| way, until the first command has answered | min ms | p50 ms | max ms | p50 / lease |"]
    lines.append("| --- | ---: | ---: | ---: | ---: |")
    for name, values in times.items():
        least, middle, most = min(values), statistics.median(values), max(values)
        ratio = middle / base
        lines.append(f"| {name} | {least * 1e3:.2f} | {middle * 1e3:.2f} | {most * 1e3:.2f} | {ratio:.1f} |")
    return lines


def main() -> None:
    """Measure and print."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    print("\n".join(table(asyncio.run(measure(rounds)))))


if __name__ == "__main__":
    main()
