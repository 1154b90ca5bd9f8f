"""`make bench-api`: the service against bare baselines in the same run; ratios, not absolute speed, are the result."""

import asyncio
import socket
import statistics
import sys

from api.cli.baselines.throwaway import Throwaway, throwaway, unlimited
from api.cli.running import environment_of
from tests.support.service import choice_pack
from tools.bench_api import measures

SECONDS = 8
ROUNDS = 3
ITEMS = 10_000
WORKERS = 2


async def _serving(running: Throwaway) -> tuple[asyncio.subprocess.Process, str]:
    with socket.create_server(("127.0.0.1", 0)) as found:
        port = found.getsockname()[1]
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tools.bench_api.serving", str(port), env=environment_of(running.settings)
    )
    for _ in range(600):
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.close()
            break
        except OSError:
            await asyncio.sleep(0.1)
    return process, f"http://127.0.0.1:{port}"


async def _pages(running: Throwaway) -> None:
    process, address = await _serving(running)
    page = f"{address}/v1/benchmarks/quiz/problems?split=test&limit=20"
    try:
        ours, bare = [], []
        for _ in range(ROUNDS):
            bare.append(await measures.wrk(f"{address}/bare", SECONDS))
            ours.append(await measures.wrk(page, SECONDS, running.key))
    finally:
        process.terminate()
        await process.wait()
    ratio = statistics.median(o["rate"] / b["rate"] for o, b in zip(ours, bare, strict=True))
    for name, told in (("problem page", ours), ("bare route", bare)):
        middle = {key: statistics.median(item[key] for item in told) for key in told[0]}
        print(f"{name}: {middle['rate']:.0f} requests/s, p50 {middle['p50']:.1f} ms, p99 {middle['p99']:.1f} ms")
    print(f"problem page / bare route: {ratio:.2f} (goal at least 0.8)", flush=True)


async def main() -> None:
    """Every figure, one after the other."""
    pack = unlimited(choice_pack(count=ITEMS))
    async with throwaway(pack, up_workers=WORKERS) as running:
        aliases = [item.alias for item in (await running.answer_key()).values() if item.split == "test"]
        print("memory idle, MB:", {name: round(value) for name, value in measures.memory(running).items()})
        p50, p99 = await measures.latency(running, aliases[0], 200)
        print(f"accepted to graded, one item: p50 {p50:.0f} ms, p99 {p99:.0f} ms (goals 50 and 150)", flush=True)
        many = await measures.many(running, aliases)
        print(
            f"accepted to graded, {ITEMS} items: {many.seconds:.2f} s (goal 3), "
            f"{many.worker_seconds:.2f} s of the {WORKERS} workers' processor time",
            flush=True,
        )
        await _pages(running)
        ours, bare = await measures.intake(running, aliases)
        print(f"intake: {ours:.0f} items/s; bare COPY: {bare:.0f} rows/s; ratio {ours / bare:.3f}", flush=True)
        print("memory after load, MB:", {name: round(value) for name, value in measures.memory(running).items()})
        for rows in (10_000, 990_000):
            ours, bare = await measures.leaderboard(running, rows)
            print(
                f"leaderboard with {rows} more: {ours:.2f} ms; bare look-up {bare:.2f} ms; {ours / bare:.2f} (goal 3)"
            )


if __name__ == "__main__":
    asyncio.run(main())
