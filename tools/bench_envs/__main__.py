"""`make bench-envs`: live sessions next to their baselines in the same run; ratios, not absolute speed, are the result.

Arguments choose the parts (openings, episodes, steps, many, echo); without any all are measured.
"""

import asyncio
import os
import statistics
import sys

from envs.sandbox.base import SandboxError
from tools.bench_envs import echo, sandboxed

OPENINGS = 30
AT_ONCE = 64


async def _openings() -> None:
    wanting = await sandboxed.lacking()
    runs = [] if wanting else [seen for _ in range(10) if (seen := await sandboxed.docker_run()) is not None]
    base = statistics.median(runs) if runs else None
    told = f"p50 {base:.0f} ms" if base else f"not measured: {wanting or 'its command did not answer'}"
    print(f"docker run: {told}", flush=True)
    print(
        f"echo: opening over HTTP p50 {statistics.median(await sandboxed.floor(OPENINGS)):.1f} ms: the floor",
        flush=True,
    )
    with sandboxed.reported("init of live-os"):
        print(f"init of live-os, within its openings: p50 {statistics.median(await sandboxed.initialised()):.1f} ms")
    for pack in ("live-os", "live-db"):
        with sandboxed.reported(pack):
            cold = statistics.median(await sandboxed.openings(pack, 0, OPENINGS))
            warm = await sandboxed.openings(pack, 4, OPENINGS)
            middle = statistics.median(warm)
            ratio = f", docker run / warm {base / middle:.1f} (goal 20)" if base else ""
            print(
                f"{pack}: opening over HTTP p50 {middle:.1f} ms, p99 {sandboxed.percentile(warm, 0.99):.1f} ms warm "
                f"(goal 20 ms); {cold:.1f} ms cold; cold / warm {cold / middle:.1f}{ratio}",
                flush=True,
            )


async def _episodes() -> None:
    """Goal 150 ms."""
    action = {"tool": {"name": "execute_sql", "arguments": {"query": "select 1"}}}
    times = await sandboxed.episodes("live-db", action, OPENINGS)
    whole = times.pop("whole")
    parts = ", ".join(f"{name} {statistics.median(told):.0f}" for name, told in times.items())
    print(
        f"live-db: whole episode (open, one step, finish, probe, judge) p50 {statistics.median(whole):.0f} ms, "
        f"p99 {sandboxed.percentile(whole, 0.99):.0f} ms warm (goal 150 ms); of it {parts}",
        flush=True,
    )


async def _steps() -> None:
    stored, bare = (statistics.median(side) for side in await sandboxed.steps(20))
    print(
        f"step that runs `true`: {stored:.2f} ms stored, {bare:.2f} ms in the bare shell: {stored - bare:.2f} ms more"
    )


async def _many() -> None:
    seen = await sandboxed.at_once(AT_ONCE, 60)
    print(f"{AT_ONCE} at once: " + ", ".join(f"{name} {value:.1f}" for name, value in seen.items()), flush=True)


async def _echo() -> None:
    for row in await echo.compare([1, 16, 64]):
        pairs = ", ".join(
            f"{name} {row[name][0]} against {row[name][1]} ({row[f'{name} ratio']})"
            for name in ("p50", "p99", "rate", "cpu")
        )
        print(f"echo, {row['sessions']} sessions, ours against openenv-core: {pairs}")


async def main() -> None:
    """Every part that was asked for."""
    print(f"load of the machine at the start: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors", flush=True)
    parts = {"openings": _openings, "episodes": _episodes, "steps": _steps, "many": _many, "echo": _echo}
    for name in sys.argv[1:] or parts:
        try:
            with sandboxed.reported(name):
                await parts[name]()
        except SandboxError as error:
            print(f"{name}: not measured: {error}", flush=True)
    print(f"load at the end: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    asyncio.run(main())
