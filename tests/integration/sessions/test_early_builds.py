"""Environments that are built while their sessions are being admitted: used by these alone, and gone otherwise."""

import asyncio
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

import api.hosting.early
from api.core.ids import new_id, parse_id
from api.core.query import Query
from api.hosting.client import HostClient
from api.hosting.early import EarlyBuilds
from api.hosting.protocol import Preparing
from api.hosting.server import Host
from envs.base import SpecError
from envs.echo.environment import Echo
from tests.support.service import Service
from tests.support.sessions import Player, echo_pack
from tests.support.sql import sql

_LOCKED = Query(int, "Who waits for a lock.", "select count(*) from pg_locks where not granted")


class Worlds:
    """How many environments were begun and closed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun = self.closed = 0
        reset, close = Echo.reset, Echo.close

        async def counted_reset(world: Echo, *arguments: Any) -> Any:
            self.begun += 1
            return await reset(world, *arguments)

        async def counted_close(world: Echo) -> None:
            self.closed += 1
            await close(world)

        monkeypatch.setattr(Echo, "reset", counted_reset)
        monkeypatch.setattr(Echo, "close", counted_close)


@pytest.fixture
def worlds(monkeypatch: pytest.MonkeyPatch) -> Worlds:
    return Worlds(monkeypatch)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.01)


async def test_an_opening_takes_what_was_built_for_it(
    player: Player, worlds: Worlds, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = []
    take = EarlyBuilds.take

    async def noted(early: EarlyBuilds, *arguments: Any) -> Any:
        taken.append(await take(early, *arguments))
        return taken[-1]

    monkeypatch.setattr(EarlyBuilds, "take", noted)
    for number, problem in enumerate(await player.episodes("test"), 1):
        told = await player.opened(problem)
        assert told["observation"]["text"].startswith("this is test-")
        assert (worlds.begun, worlds.closed) == (number, 0)
        step = await player.caller.post(
            f"/v1/sessions/{told['id']}/steps", json={"number": 1, "action": {"text": "hello"}}
        )
        assert step.json()["observation"]["text"] == "hello"
    assert [built is not None for built in taken] == [True] * 4


async def test_it_is_built_before_the_session_is_there_and_destroyed_where_it_never_comes(
    service: Service, host: Host, worlds: Worlds
) -> None:
    await service.publish(echo_pack("spent", problems_per_day=1))
    player = Player(await service.reader("eve@example.org", "eves"))
    first, second, *_ = await player.episodes("test", "spent")
    await player.opened(first)
    assert (await player.open(second)).status_code == 429
    # Whose budget is spent has nothing built for them.
    assert (worlds.begun, worlds.closed) == (1, 0)

    async with service.admin.session() as session:
        await sql(session, "update daily_budget set used = 0")
    async with service.admin.session() as session:
        # Spent between the look and the record: the transaction ends without a session.
        await sql(session, "lock table daily_budget in share mode")
        opening = asyncio.create_task(player.open(second))
        await until(lambda: worlds.begun == 2)
        assert worlds.closed == 0
        assert (await sql(session, "select count(*) from live_session")).scalar_one() == 1
        await sql(session, "update daily_budget set used = 1")
    assert (await opening).status_code == 429
    await until(lambda: worlds.closed == 1)


async def test_what_was_built_for_another_session_is_not_taken(
    service: Service, player: Player, worlds: Worlds, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A web process that says one thing to the host and writes another gets what it wrote."""
    prepare = HostClient.prepare
    async with service.admin.session() as session:
        others = {row.name: row.id for row in (await sql(session, "select name, id from problem")).all()}

    def another(client: HostClient, host: Any, session: UUID, prepared: Preparing) -> None:
        prepare(client, host, session, Preparing(others["private-0"], prepared.seed, prepared.variant))

    monkeypatch.setattr(HostClient, "prepare", another)
    told = await player.opened((await player.episodes("test"))[1])
    assert told["observation"]["text"] == "this is test-1"
    # What was built for the other one is destroyed beside the answer, not before it.
    await until(lambda: (worlds.begun, worlds.closed) == (2, 1))


async def test_what_nobody_comes_for_is_destroyed(
    service: Service, host: Host, worlds: Worlds, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with service.admin.session() as session:
        problem = (await sql(session, "select id from problem where name = 'test-0'")).scalar_one()
    sessions = [new_id() for _ in range(3)]
    for identity in sessions:
        host.episodes.prepare(identity, 1, problem, 7, "")
    await until(lambda: worlds.begun == 3)
    await host.episodes.release(sessions[0], 1)
    await until(lambda: worlds.closed == 1)
    monkeypatch.setattr(api.hosting.early, "_ADMISSION_SECONDS", -1.0)
    await until(lambda: worlds.closed == 3)
    monkeypatch.undo()


async def test_a_failure_while_it_is_built_early_is_met_again_and_told(
    service: Service, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = []

    async def broken(_world: Echo, *_: Any) -> Any:
        tries.append(1)
        raise SpecError("it can never begin")

    monkeypatch.setattr(Echo, "reset", broken)
    told = await player.open((await player.episodes("test"))[0])
    assert (told.status_code, len(tries)) == (503, 2)
    async with service.admin.session() as session:
        states = (await sql(session, "select state from live_session")).scalars().all()
    assert states == ["failed"]


async def test_an_opening_that_waits_for_its_admission_tells_nothing(
    service: Service, player: Player, worlds: Worlds
) -> None:
    """The first observation is stored with a session alone, whatever was built before."""
    problem = (await player.episodes("test"))[0]
    async with service.admin.session() as session:
        await sql(session, "lock table exposure in share mode")
        opening = asyncio.create_task(player.open(problem))
        await until(lambda: worlds.begun == 1)
        async with asyncio.timeout(60):
            while not await session.fetch_one(_LOCKED):
                await asyncio.sleep(0.01)
        assert (await sql(session, "select count(*) from session_step")).scalar_one() == 0
        assert not opening.done()
    told = (await opening).json()
    assert worlds.begun == 1
    async with service.admin.session() as session:
        stored = (await sql(session, "select session_id from session_step where number = 0")).scalars().all()
    assert stored == [parse_id("ses", told["id"])]
