"""A database without room, or that is a standby still, said as such wherever the statement was made."""

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2
import psycopg
import pytest

from api.worker import lanes
from tests.support.service import Service
from tests.support.sessions import Player
from tests.support.sql import sql

_FULL = """create function no_room() returns trigger language plpgsql as
$$ begin raise exception 'no' using errcode = '{}'; end $$"""


@asynccontextmanager
async def no_room(service: Service, table: str, state: str = "53100") -> AsyncIterator[None]:
    """PostgreSQL answers an insert as it does when its disk is full, or in another state."""
    async with service.admin.session() as session:
        await sql(session, _FULL.format(state))
        await sql(session, f"create trigger no_room before insert on {table} for each row execute function no_room()")
    try:
        yield
    finally:
        async with service.admin.session() as session:
            await sql(session, f"drop trigger no_room on {table}")
            await sql(session, "drop function no_room")


def is_said(reply: httpx2.Response) -> bool:
    told = reply.json()
    return (reply.status_code, reply.headers.get("Retry-After"), told["code"]) == (503, "30", "unavailable") and (
        "disk is full" in told["detail"]
    )


async def test_a_step_without_room_is_said_at_once_and_done_once(service: Service, player: Player) -> None:
    session = (await player.opened((await player.episodes())[0]))["id"]
    await player.said(session, 1, "one")
    async with no_room(service, "session_step"):
        assert is_said(await player.say(session, 2, "two"))
    again = (await player.say(session, 2, "two")).raise_for_status().json()
    assert again["number"] == 2
    shown = await player.show(session)
    assert (shown["steps"], shown["takeovers"]) == (2, 0)


async def test_a_job_without_room_is_said(service: Service, player: Player) -> None:
    body = {"benchmark": "parrot", "split": "dev", "model": {"name": "m"}, "items": []}
    async with no_room(service, "queue.procrastinate_jobs"):
        refused = await player.caller.post("/v1/submissions", json=body)
    assert is_said(refused), refused.text
    assert (await player.caller.post("/v1/submissions", json=body)).status_code == 202


@pytest.mark.parametrize("table", ["submission", "queue.procrastinate_jobs"])
async def test_a_standby_takes_no_changes_and_is_asked_again(service: Service, player: Player, table: str) -> None:
    body = {"benchmark": "parrot", "split": "dev", "model": {"name": "m"}, "items": []}
    async with no_room(service, table, "25006"):
        refused = await player.caller.post("/v1/submissions", json=body)
    assert (refused.status_code, refused.headers.get("Retry-After")) == (503, "2"), refused.text
    assert "takes no changes" in refused.json()["detail"]


async def test_a_worker_outlives_a_standby(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[Exception] = [psycopg.errors.ReadOnlySqlTransaction("cannot execute LISTEN during recovery")]

    async def heed(*_: object) -> None:
        if said:
            raise said.pop()
        raise asyncio.CancelledError

    monkeypatch.setattr(lanes, "_PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(lanes.Lanes, "_heed_notifications", heed)
    with pytest.raises(asyncio.CancelledError):
        await lanes.Lanes.__new__(lanes.Lanes)._listen()


def test_what_ends_a_process_is_one_line_without_its_text() -> None:
    code = "from api.core import logging; logging.configure(); raise ExceptionGroup('', [ValueError('xyzzy')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    (line,) = done.stderr.splitlines()
    assert (done.returncode, json.loads(line)["event"], json.loads(line)["error"]) == (
        1,
        "process.failed",
        "ValueError",
    )
    assert "xyzzy" not in line
