"""The pool behind the environments: openings are handovers, and one that is used up asks to wait."""

import asyncio
from pathlib import Path

import pytest

from api.core.settings import Settings
from api.hosting.server import Host
from envs import engine, registry
from envs.sandbox.warm import WarmBackend
from packs.read import read_pack
from tests.support.live import sandboxes
from tests.support.service import Service
from tests.support.sessions import Player
from tests.support.sql import sql
from tests.support.unsteady import Crowded, Deadly, instead_of_echo

PACKS = Path(__file__).parents[3] / "benchmarks"
DEADLINE = 120.0


async def test_no_free_sandbox_is_a_wait_and_never_a_failed_episode(
    service: Service, host: Host, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    instead_of_echo(monkeypatch, Crowded)
    # One to what is built while the session is being admitted, one to the session itself.
    monkeypatch.setattr(Crowded, "refusals", 2)
    body = {"benchmark": "parrot", "split": "test", "model": {"name": "m"}, "finalize": False}
    run = (await player.caller.post("/v1/submissions", json=body)).json()["id"]
    problem = (await player.episodes("test"))[0]
    full = await player.open(problem, submission=run)
    assert (full.status_code, full.json()["code"]) == (429, "capacity_exhausted")
    assert int(full.headers["Retry-After"]) > 0
    async with service.admin.session() as session:
        assert (await sql(session, "select sum(used) from daily_budget")).scalar_one() == 0
        assert (await sql(session, "select count(*) from session_refusal")).scalar_one() == 1
    session_id = (await player.opened(problem, submission=run))["id"]
    # The world is lost, and the one that follows finds no sandbox at first: the same step again, and it is there.
    for held in list(host.episodes.epochs):
        await host.episodes.drop(held)
    service.app.state.step_cache.forget(session_id)
    Crowded.refusals = 1
    waits = await player.say(session_id, 1, "one")
    assert (waits.status_code, waits.json()["code"]) == (429, "capacity_exhausted")
    assert (await player.said(session_id, 1, "one"))["observation"]["data"] == {"number": 1}
    async with service.admin.session() as session:
        assert (await sql(session, "select faults from live_session where state = 'running'")).scalar_one() == 0


async def test_an_action_that_ends_every_sandbox_ends_its_episode(
    service: Service, host: Host, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    instead_of_echo(monkeypatch, Deadly)
    monkeypatch.setattr(Deadly, "deaths", 0)
    session = (await player.opened((await player.episodes())[0]))["id"]
    await player.said(session, 1, "one")
    told = await player.said(session, 2, "die")
    assert (told["finish_reason"], told["steps_left"]) == ("invalid_action", 0)
    assert "3 times" in told["error"]
    # A busy machine may build a world again for reasons of its own; only the action's own endings count.
    deaths = Deadly.deaths
    assert deaths >= 3
    assert await player.said(session, 2, "die") == told
    await service.work()
    assert Deadly.deaths == deaths
    shown = await player.show(session)
    assert (shown["state"], shown["verdict"]["outcome"], shown["divergence"]) == ("graded", "incorrect", [])
    assert [step["observation"]["text"] for step in shown["transcript"][1:2]] == ["one"]
    async with service.admin.session() as database:
        assert (await sql(database, "select faults from live_session")).scalar_one() == 0


@pytest.mark.sandbox
async def test_a_published_environment_is_ready_before_it_is_asked_for(settings: Settings, service: Service) -> None:
    async with sandboxes():
        pass
    await service.publish(read_pack(PACKS / "live-os", registry))
    player = Player(await service.reader())
    problem = (await player.episodes("dev", "live-os"))[0]
    async with Host.running(settings):
        pool = await engine.backend()
        assert isinstance(pool, WarmBackend)
        async with asyncio.timeout(DEADLINE):
            while not pool.stats.ready.get("operating_system"):
                await asyncio.sleep(0.05)
        session = (await player.opened(problem))["id"]
        assert (pool.stats.leased, pool.stats.waited, pool.stats.in_use) == (1, 0, 1)
        await player.caller.call("DELETE", f"/v1/sessions/{session}")
        async with asyncio.timeout(DEADLINE):
            while pool.stats.in_use or not pool.stats.destroyed:
                await asyncio.sleep(0.05)
