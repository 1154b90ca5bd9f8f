"""The disk of the database is full: who writes is told and loses nothing, who reads is served, then all goes on."""

import asyncio
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx2
import pytest

from api.cli.baselines.throwaway import Throwaway, throwaway, unlimited
from api.submissions.models import State
from tests.support.service import choice_pack
from tests.support.sql import sql
from tools.load.faults import Disk

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

# Each needs pages of its own, so that no room that is left over takes them.
ANSWER = "I have thought about it for long. " * 1500 + "ANSWER: A"


async def until_full(client: httpx2.AsyncClient, body: dict[str, Any]) -> tuple[list[str], int]:
    """Submit until the disk is said to be full: what was taken before, and the number of the refused one."""
    taken: list[str] = []
    async with asyncio.timeout(300):
        for number in range(10_000):
            reply = await client.post("/v1/submissions", json=body, headers={"Idempotency-Key": f"run-{number}"})
            if reply.status_code == 202:
                taken.append(reply.json()["id"])
                continue
            assert reply.status_code == 503, reply.text
            assert int(reply.headers["retry-after"]) > 0
            if "disk is full" in reply.json()["detail"]:
                return taken, number
    raise AssertionError("it was never full")


async def send(client: httpx2.AsyncClient, number: int, body: dict[str, Any]) -> str:
    """The refused one again, under its key, until it is taken."""
    async with asyncio.timeout(300):
        while True:
            reply = await client.post("/v1/submissions", json=body, headers={"Idempotency-Key": f"run-{number}"})
            if reply.status_code == 202:
                return str(reply.json()["id"])
            assert reply.status_code == 503, reply.text
            await asyncio.sleep(0.5)


async def graded(running: Throwaway, submissions: list[str]) -> None:
    for name in submissions:
        assert await running.until_graded(name, 300) is State.GRADED
    async with running.database.session() as session:
        count = """select count(*) as n, count(graded_at) as graded, count(distinct submission_id) as runs
                   from submission_item"""
        row = (await sql(session, count)).one()
        left = (await sql(session, "select count(*) from grading_job")).scalar_one()
    assert (row.runs, row.graded, left) == (len(submissions), row.n, 0)


@pytest.fixture
def disk() -> Iterator[Disk]:
    # A short path, for the socket's address; every user may get there.
    with tempfile.TemporaryDirectory(prefix="hld", dir="/tmp") as made, ExitStack() as stack:
        Path(made).chmod(0o755)
        try:
            yield stack.enter_context(Disk.mounted(Path(made, "d"), 2048))
        except PermissionError as error:
            pytest.skip(str(error))


async def test_a_full_disk_is_said_and_nothing_is_lost(disk: Disk) -> None:
    pack = unlimited(choice_pack(count=20))
    async with throwaway(pack, data_dir=disk.folder) as running, running.client() as client:
        problems = (await client.get("/v1/benchmarks/quiz/problems?split=dev")).raise_for_status().json()["items"]
        items = [{"problem": problem["id"], "answer": ANSWER} for problem in problems]
        body = {"benchmark": "quiz", "split": "dev", "model": {"name": "m"}, "items": items}
        disk.fill()
        taken, refused = await until_full(client, body)
        assert (await client.get("/v1/benchmarks/quiz")).status_code == 200
        disk.make_room()
        taken.append(await send(client, refused, body))
        await graded(running, taken)
