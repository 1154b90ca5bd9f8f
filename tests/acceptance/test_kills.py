"""`kill -9` of the API, the worker and PostgreSQL while items are graded: nothing lost, nothing doubled."""

import asyncio
import contextlib
import itertools
import os
import signal
from typing import Any

import httpx2
import psutil
import pytest

from api.cli.baselines.throwaway import Throwaway, throwaway
from api.core.ids import parse_id
from api.submissions.repository import SubmissionRepository
from tests.support.scratch import scratch
from tests.support.service import choice_pack
from tests.support.sql import sql

ITEMS = 2000
RUNS = 10
KILLS = int(os.environ.get("HELDOUT_TEST_KILLS", "3"))
DEADLINE = 240


async def _reply(client: httpx2.AsyncClient, method: str, path: str, **more: Any) -> httpx2.Response:
    """Ask until there is an answer that is not the kill's doing."""
    for _ in range(DEADLINE * 2):
        with contextlib.suppress(httpx2.HTTPError):
            response = await client.request(method, path, **more)
            if response.status_code < 500:
                return response
        await asyncio.sleep(0.5)
    raise AssertionError(f"no answer to {method} {path} for {DEADLINE} s")


async def _submit(client: httpx2.AsyncClient, aliases: list[str], number: int) -> str:
    share = ITEMS // RUNS
    items = [{"problem": alias, "answer": "ANSWER: A"} for alias in aliases[number * share : (number + 1) * share]]
    body = {"benchmark": "quiz", "split": "test", "model": {"name": f"m{number}"}, "items": items}
    response = await _reply(client, "POST", "/v1/submissions", json=body, headers={"Idempotency-Key": f"run-{number}"})
    assert response.status_code == 202, response.text
    return str(response.json()["id"])


def _kill(running: Throwaway, what: str) -> None:
    if what == "postgres":
        folder = running.settings.data_dir.absolute() / "postgres" / "cluster"
        number = int((folder / "postmaster.pid").read_text().split()[0])
    else:
        number = running.instance.children[what].pid
    with contextlib.suppress(ProcessLookupError, psutil.NoSuchProcess):
        os.kill(number, signal.SIGKILL)


async def _kill_in_turn(running: Throwaway, done: asyncio.Event) -> int:
    """Kill one of the three, wait until it answers again, kill the next."""
    count = 0
    for what in itertools.cycle(("worker", "serve", "postgres")):
        if count == KILLS or done.is_set():
            return count
        with contextlib.suppress(OSError, ValueError):
            _kill(running, what)
            count += 1
        async with httpx2.AsyncClient(base_url=running.instance.address, timeout=10) as client:
            await _reply(client, "GET", "/v1/benchmarks")
        await asyncio.sleep(1.0)
    raise AssertionError


@pytest.mark.slow
async def test_every_accepted_item_is_graded_exactly_once() -> None:
    pack = choice_pack(count=ITEMS, hidden={"submissions_per_organisation": RUNS})
    async with throwaway(pack, place=scratch()) as running:
        known = await running.answer_key()
        aliases = [known[f"test-{number}"].alias for number in range(ITEMS)]
        headers = {"Authorization": f"Bearer {running.key}"}
        done = asyncio.Event()
        killer = asyncio.create_task(_kill_in_turn(running, done))
        async with httpx2.AsyncClient(base_url=running.instance.address, headers=headers, timeout=30) as client:
            ids = await asyncio.gather(*(_submit(client, aliases, number) for number in range(RUNS)))
            assert await killer == KILLS
            done.set()
            for submission in ids:
                await _until_graded(running, submission)
            refused = await _reply(client, "POST", "/v1/submissions", json=_one_more(aliases))
        assert refused.json()["code"] == "quota_spent", "each run used one of the quota, and no run two"
        await _check(running)


def _one_more(aliases: list[str]) -> dict[str, object]:
    items = [{"problem": aliases[0], "answer": "A"}]
    return {"benchmark": "quiz", "split": "test", "model": {"name": "more"}, "items": items}


async def _until_graded(running: Throwaway, submission: str) -> None:
    # A hidden split's state changes on the clock alone, so what was graded is looked up where it is kept.
    for _ in range(DEADLINE * 2):
        async with running.database.session() as session:
            values = {"id": parse_id("sub", submission)}
            state = (await sql(session, "select state from submission where id = :id", values)).scalar_one()
        assert state in ("queued", "grading", "graded"), state
        if state == "graded":
            return
        await asyncio.sleep(0.5)
    raise AssertionError(f"{submission} is not graded after {DEADLINE} s")


async def _check(running: Throwaway) -> None:
    async with running.database.session() as session:
        counts = await sql(
            session,
            """select count(*) as n, count(graded_at) as graded, count(distinct (submission_id, problem_id)) as pairs
               from submission_item""",
        )
        row = counts.one()
        assert (row.n, row.graded, row.pairs) == (ITEMS, ITEMS, ITEMS)
        runs = (await sql(session, "select id from submission where state = 'graded'")).scalars().all()
        assert len(runs) == RUNS
        named = [await SubmissionRepository(session).named_verdicts(run) for run in runs]
        assert sum(verdict.score or 0 for one in named for verdict in one.values()) == ITEMS / 4
        # What of a hidden split is on the board comes from scheduled releases, not from grading.
        assert (await sql(session, "select count(*) from entry")).scalar_one() == 0
        assert (await sql(session, "select used from quota_use")).scalar_one() == RUNS
