"""`make bench-api`: the service against bare baselines in the same run; ratios, not absolute speed, are the result.

Arguments choose the parts (grading, pages, intake, board, leaderboard); without any all are measured.
"""

import asyncio
import os
import socket
import statistics
import sys

import httpx2
import psutil

from api.cli.baselines.throwaway import Throwaway, throwaway, unlimited
from api.cli.running import environment_of
from tests.support.service import choice_pack
from tools.bench_api import measures

SECONDS = 8
ROUNDS = 3
ITEMS = 10_000
WORKERS = 2
BOARD_ROWS = 10_000


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


async def _aliases(running: Throwaway) -> list[str]:
    return [item.alias for item in (await running.answer_key()).values() if item.split == "test"]


async def _pages(running: Throwaway) -> None:
    process, address = await _serving(running)
    page = f"{address}/v1/benchmarks/quiz/problems?split=test&limit=20"
    try:
        told: dict[str, list[dict[str, float]]] = {"problem page": [], "bare route": [], "bare route by the index": []}
        for _ in range(ROUNDS):
            told["bare route"].append(await measures.wrk(f"{address}/bare", SECONDS))
            told["bare route by the index"].append(await measures.wrk(f"{address}/indexed", SECONDS))
            told["problem page"].append(await measures.wrk(page, SECONDS, Authorization=f"Bearer {running.key}"))
    finally:
        process.terminate()
        await process.wait()
    for name, rounds in told.items():
        middle = {key: statistics.median(item[key] for item in rounds) for key in rounds[0]}
        print(f"{name}: {middle['rate']:.0f} requests/s, p50 {middle['p50']:.1f} ms, p99 {middle['p99']:.1f} ms")
    ours = told.pop("problem page")
    for name, bare in told.items():
        ratio = statistics.median(o["rate"] / b["rate"] for o, b in zip(ours, bare, strict=True))
        print(f"problem page / {name}: {ratio:.2f} (goal at least 0.8)", flush=True)


async def _board(running: Throwaway) -> None:
    """A board as it is made for each request (a visitor's cookie is never answered from what is kept), and as it is
    kept: for a reader who has no copy, and for one who asks whether theirs is still so."""
    await measures.fill(running, BOARD_ROWS)
    process, address = await _serving(running)
    web, page = psutil.Process(process.pid), f"{address}/b/quiz?split=test"
    try:
        async with httpx2.AsyncClient(timeout=60) as client:
            tag = (await client.get(page)).raise_for_status().headers["etag"]
        kinds = {
            "made for each request": {"Cookie": "heldout_visitor=none"},
            "kept, sent whole": {},
            "kept, If-None-Match": {"If_None_Match": tag},
        }
        for name, headers in kinds.items():
            before = sum(web.cpu_times()[:2])
            told = await measures.wrk(page, SECONDS, **headers)
            cpu = (sum(web.cpu_times()[:2]) - before) / SECONDS
            print(
                f"board page, {name}: {told['rate']:.0f} requests/s, p50 {told['p50']:.1f} ms, p99 {told['p99']:.1f} "
                f"ms; {told['rate'] / cpu:.0f} a second of the web process's processor time"
                f"{' (goal 2,000)' if 'If-' in name else ''}",
                flush=True,
            )
    finally:
        process.terminate()
        await process.wait()


async def _grading(running: Throwaway) -> None:
    aliases = await _aliases(running)
    p50, p99 = await measures.latency(running, aliases[0], 200)
    print(f"accepted to graded, one item: p50 {p50:.0f} ms, p99 {p99:.0f} ms (goals 50 and 150)", flush=True)
    many = await measures.many(running, aliases)
    print(
        f"accepted to graded, {ITEMS} items: {many.seconds:.2f} s (goal 3), "
        f"{many.worker_seconds:.2f} s of the {WORKERS} workers' processor time",
        flush=True,
    )


async def _intake(running: Throwaway) -> None:
    ours, bare = await measures.intake(running, await _aliases(running))
    print(f"intake: {ours:.0f} items/s; bare COPY: {bare:.0f} rows/s; ratio {ours / bare:.3f}", flush=True)


async def _leaderboard(running: Throwaway) -> None:
    for rows in (10_000, 990_000):
        ours, bare = await measures.leaderboard(running, rows)
        print(f"leaderboard with {rows} more: {ours:.2f} ms; bare look-up {bare:.2f} ms; {ours / bare:.2f} (goal 3)")


def _memory(running: Throwaway, when: str) -> None:
    print(f"memory {when}, MB:", {name: round(value) for name, value in measures.memory(running).items()})


async def main() -> None:
    """Every figure, one after the other, or the parts that are named."""
    parts = {"grading": _grading, "pages": _pages, "intake": _intake, "board": _board, "leaderboard": _leaderboard}
    print(f"load of the machine at the start: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors", flush=True)
    async with throwaway(unlimited(choice_pack(count=ITEMS)), up_workers=WORKERS) as running:
        _memory(running, "idle")
        for name in sys.argv[1:] or parts:
            await parts[name](running)
            _memory(running, f"after '{name}'")
    print(f"load at the end: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    asyncio.run(main())
