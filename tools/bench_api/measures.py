"""What `make bench-api` measures, one function a figure."""

import asyncio
import re
import statistics
import time
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx2
import psutil
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from api.cli.baselines.throwaway import Throwaway
from api.core.ids import new_id
from api.core.query import Command, Query


async def wrk(address: str, seconds: int, **headers: str) -> dict[str, float]:
    """Requests/s, p50 and p99 (ms) of one address under 16 connections."""
    command = ["wrk", "-t2", "-c16", f"-d{seconds}s", "--latency", address]
    for name, value in headers.items():
        command += ["-H", f"{name.replace('_', '-')}: {value}"]
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    report = (await process.communicate())[0].decode()
    if "Non-2xx" in report:
        raise RuntimeError(f"{address} refused requests: {report}")
    rate = float(re.findall(r"Requests/sec:\s+([\d.]+)", report)[0])
    return {"rate": rate, "p50": _milliseconds(report, "50"), "p99": _milliseconds(report, "99")}


def _milliseconds(report: str, percent: str) -> float:
    value, unit = re.findall(rf"{percent}%\s+([\d.]+)(us|ms|s)", report)[0]
    return float(value) * {"us": 0.001, "ms": 1.0, "s": 1000.0}[unit]


async def intake(running: Throwaway, aliases: list[str]) -> tuple[float, float]:
    """Items/s of a submission of 10,000 items, and of a bare COPY of the same rows."""
    items = [{"problem": alias, "answer": "ANSWER: A"} for alias in aliases]
    body = {"benchmark": running.slug, "split": "test", "model": {"name": "m"}, "items": items, "finalize": False}
    headers = {"Authorization": f"Bearer {running.key}"}
    async with httpx2.AsyncClient(base_url=running.instance.address, headers=headers, timeout=120) as client:
        started = time.perf_counter()
        (await client.post("/v1/submissions", json=body)).raise_for_status()
        ours = len(items) / (time.perf_counter() - started)
    async with running.database.session() as session:
        await session.run(_BARE_TABLE)
        driver = await session.driver()
        identity = new_id()
        started = time.perf_counter()
        async with (
            driver.cursor() as cursor,
            cursor.copy(_COPY) as copy,
        ):
            for _ in items:
                await copy.write_row((identity, new_id(), "ANSWER: A"))
        bare = len(items) / (time.perf_counter() - started)
    return ours, bare


async def latency(running: Throwaway, alias: str, count: int) -> tuple[float, float]:
    """Milliseconds from accepted to graded for one item: p50 and p99, told by the database's own clock."""
    headers = {"Authorization": f"Bearer {running.key}"}
    async with httpx2.AsyncClient(base_url=running.instance.address, headers=headers, timeout=60) as client:
        item = {"problem": alias, "answer": "ANSWER: A"}
        body = {"benchmark": running.slug, "split": "test", "model": {"name": "one"}, "items": [item]}
        for _ in range(count):
            made = (await client.post("/v1/submissions", json=body)).raise_for_status().json()
            await running.until_graded(made["id"])
    async with running.database.session() as session:
        times = await session.fetch_all(_GRADING_TIMES)
    return statistics.median(times), times[int(len(times) * 0.99)]


@dataclass(frozen=True)
class Graded:
    """Seconds from accepted to graded of a large submission, and the processor time its workers took for it."""

    seconds: float
    worker_seconds: float


async def many(running: Throwaway, aliases: list[str]) -> Graded:
    """One submission of all these items, from the answer that it is accepted; intake is a figure of its own."""
    items = [{"problem": alias, "answer": "ANSWER: A"} for alias in aliases]
    body = {"benchmark": running.slug, "split": "test", "model": {"name": "many"}, "items": items}
    workers = [psutil.Process(child.pid) for name, child in running.instance.children.items() if "worker" in name]
    before = sum(worker.cpu_times().user for worker in workers)
    async with running.client() as client:
        made = (await client.post("/v1/submissions", json=body)).raise_for_status().json()
    accepted = time.time()
    await running.until_graded(made["id"])
    async with running.database.session() as session:
        graded = await session.fetch_one(_MANY_GRADED)
    return Graded(graded - accepted, sum(worker.cpu_times().user for worker in workers) - before)


async def fill(running: Throwaway, rows: int) -> UUID:
    """Put so many entries on the board of the split `test`. Returns its id."""
    async with running.database.session() as session:
        await session.run(_FILL, rows=rows)
        await session.run(_ANALYZE)
        return await session.fetch_one(_SPLIT)


async def leaderboard(running: Throwaway, rows: int) -> tuple[float, float]:
    """Milliseconds of the leaderboard's query, and of the bare look-up in its index, over `rows` submissions."""
    split = await fill(running, rows)
    from api.leaderboard.filters import Filters
    from api.leaderboard.repository import LeaderboardRepository

    async with running.database.session() as session:
        ours = await _timed(lambda: LeaderboardRepository(session).page([split], Filters(), None, 50))
    # An engine as SQLAlchemy makes it: what ours is set to do must not make the baseline faster.
    engine = create_async_engine(running.database.url, connect_args={"options": "-c search_path=public,queue"})
    async with engine.connect() as connection:
        bare = await _timed(lambda: connection.execute(text(_BARE), {"split": split}))
    await engine.dispose()
    return ours, bare


async def _timed(call: Any) -> float:
    times = []
    for _ in range(60):
        started = time.perf_counter()
        result = await call()
        getattr(result, "all", list)()
        times.append((time.perf_counter() - started) * 1000)
    return statistics.median(times[10:])


def memory(running: Throwaway) -> dict[str, float]:
    """Resident megabytes of the API and of the worker, its grading children apart."""
    told = {}
    for name in ("serve", "worker"):
        process = psutil.Process(running.instance.children[name].pid)
        told[name] = process.memory_info().rss / 1e6
        told[f"{name} children"] = sum(child.memory_info().rss for child in process.children(recursive=True)) / 1e6
    return told


_COPY = "copy bare (submission_id, problem_id, answer) from stdin"
_BARE = """select submission_id, score, model, breakdown, usage from entry
           where split_id = :split and best and not hidden order by score desc, submission_id limit 50"""
_FILL = Command(
    "Graded submissions with an entry each, of whoever has a key.",
    """with one as (select s.release_id, s.id as split_id, k.organisation_id, o.name, k.user_id, k.id as key_id
       from api_key k join organisation o on o.id = k.organisation_id, split s where s.name = 'test' limit 1),
     made as (
       insert into submission (id, release_id, split_id, organisation_id, user_id, key_id, request_digest, model, state,
                               expected, received, attempt, created_at, failure)
       select gen_random_uuid(), release_id, split_id, organisation_id, user_id, key_id, '', '{}', 'graded', 1, 1, 1,
              now(), '' from one, generate_series(1, :rows) returning id)
insert into entry (submission_id, split_id, organisation_id, organisation, model_name, model, score, low, high,
                   coverage, attempts, breakdown, usage, verified, hidden, best, declared, created_at,
                   near_chance, overfit, judge_weak, contaminated)
select made.id, one.split_id, one.organisation_id, one.name, made.id::text,
       jsonb_build_object('name', made.id::text), random(), 0, 1,
       1, 1, '{}', '{}', false, false, true, false, now(), false, false, false, false from made, one
""",
)
_BARE_TABLE = Command("A table for the bare COPY.", "create temporary table bare (like submission_item) on commit drop")
_ANALYZE = Command("Statistics after the fill.", "analyze entry")
_SPLIT = Query(UUID, "The split that was filled.", "select id from split where name = 'test'")
_MANY_GRADED = Query(
    float,
    "When the large submission was graded, in seconds since 1970; the database is on this machine.",
    "select extract(epoch from graded_at) from submission where model->>'name' = 'many'",
)
_GRADING_TIMES = Query(
    float,
    "Milliseconds from finalised to graded, ascending.",
    """select extract(epoch from graded_at - finalised_at) * 1000 from submission
       where model->>'name' = 'one' and graded_at is not null order by 1""",
)
