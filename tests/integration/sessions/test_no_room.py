"""A database without room, said as such wherever the statement was made: by a host, by the queue's library."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2

from tests.support.service import Service
from tests.support.sessions import Player
from tests.support.sql import sql

_FULL = """create function no_room() returns trigger language plpgsql as
$$ begin raise exception 'could not extend file' using errcode = '53100'; end $$"""


@asynccontextmanager
async def no_room(service: Service, table: str) -> AsyncIterator[None]:
    """PostgreSQL answers an insert as it does when its disk is full."""
    async with service.admin.session() as session:
        await sql(session, _FULL)
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
