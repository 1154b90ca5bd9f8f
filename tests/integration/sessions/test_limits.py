"""Capacity, shares, clocks, budgets."""

import asyncio
import dataclasses
from typing import Any

import pytest

from api.core.ids import new_id
from api.core.settings import Settings
from api.hosting import server
from api.hosting.leases import LOAD, load_values
from api.hosting.server import Host
from api.sessions import service as sessions
from api.worker.sweep import expire
from tests.support.service import Service
from tests.support.sessions import Player, echo_pack
from tests.support.sql import sql
from tests.support.unsteady import Endless, instead_of_echo


async def test_one_organisation_holds_half_of_the_slots_and_no_more(settings: Settings, service: Service) -> None:
    await service.publish(echo_pack())
    lab, other = Player(await service.reader()), Player(await service.reader("eve@example.org", "other"))
    mine, theirs = await lab.episodes("test"), await other.episodes("test")
    async with Host.running(settings.model_copy(update={"host_slots": 5})):
        held = [(await lab.opened(problem))["id"] for problem in mine[:2]]
        full = await lab.open(mine[2])
        assert (full.status_code, full.json()["code"]) == (429, "capacity_exhausted")
        assert "one organisation may hold 2" in full.json()["detail"]
        assert int(full.headers["Retry-After"]) > 0
        # Whoever comes finds room at once, and what the first gives back it can have again.
        for problem in theirs[:2]:
            await other.opened(problem)
        assert (await other.open(theirs[2])).status_code == 429
        await lab.finish(held[0])
        await lab.opened(mine[2])


@pytest.mark.parametrize("one_hand", ["grouped", "made by one account", None])
async def test_organisations_that_are_one_hand_hold_half_of_the_slots_together(
    settings: Settings, service: Service, one_hand: str | None
) -> None:
    await service.publish(echo_pack())
    lab, other = Player(await service.reader()), Player(await service.reader("eve@example.org", "other"))
    mine, theirs = await lab.episodes("dev"), await other.episodes("dev")
    async with service.admin.session() as session:
        if one_hand == "grouped":
            await sql(session, "update organisation set verified_at = now()")
            lead = "(select id from organisation where slug = 'lab')"
            await sql(session, f"select form_group({lead}, array(select id from organisation), null, 'one company')")
        elif one_hand:
            await sql(session, "update organisation set created_by = (select id from account limit 1)")
    async with Host.running(settings.model_copy(update={"host_slots": 5})):
        for problem in mine[:2]:
            await lab.opened(problem)
        assert (await other.open(theirs[0])).status_code == (429 if one_hand else 201)


async def test_trajectories_that_wait_to_be_replayed_hold_no_slot(settings: Settings, service: Service) -> None:
    await service.publish(echo_pack())
    player = Player(await service.reader())
    problems = await player.episodes("test")
    async with service.admin.session() as session:
        await sql(
            session,
            """insert into live_session (id, problem_id, split_id, organisation_id, key_id, origin, state, seed,
                 variant, steps, step_limit, seconds, created_at, active_at, epoch, takeovers, faults, failure)
               select gen_random_uuid(), p.id, p.split_id, k.organisation_id, k.id, 'posted', 'opening', 1, '', 0, 1, 1,
                 now(), now(), 0, 0, 0, '' from problem p cross join api_key k""",
        )
    async with Host.running(settings.model_copy(update={"host_slots": 2})):
        await player.opened(problems[0])


async def test_a_full_service_asks_to_wait_and_shares_what_comes_free(settings: Settings) -> None:
    async with Service.running(settings.model_copy(update={"session_share": 1.0})) as service:
        await _full(settings, service)


async def _full(settings: Settings, service: Service) -> None:
    await service.publish(echo_pack(problems_per_day=3))
    lab, other = Player(await service.reader()), Player(await service.reader("eve@example.org", "other"))
    async with Host.running(settings.model_copy(update={"host_slots": 2})):
        first, second, third, _ = await lab.episodes("test")
        held = [(await lab.opened(problem))["id"] for problem in (first, second)]
        full = await other.open((await other.episodes("test"))[0])
        assert (full.status_code, full.json()["code"]) == (429, "capacity_exhausted")
        assert int(full.headers["Retry-After"]) > 0
        await lab.finish(held[0])
        # One slot is free; the other organisation waits for it, and the lab has its half.
        assert (await lab.open(third)).status_code == 429
        await other.opened((await other.episodes("test"))[0])
        await lab.finish(held[1])
        await lab.opened(third)
    # A refusal costs nothing of the budget of three.
    async with service.admin.session() as session:
        used = (await sql(session, "select used from daily_budget order by used")).scalars().all()
    assert used == [1, 3]


async def test_an_environment_that_cannot_be_built_costs_nothing_or_ends_its_run_unscored(
    settings: Settings, service: Service
) -> None:
    pack = echo_pack()
    broken = [
        line.model_copy(update={"episode": line.episode.model_copy(update={"spec": {"greating": "typo"}})})
        for line in pack.references
        if line.episode
    ]
    await service.publish(dataclasses.replace(pack, references=tuple(broken)))
    player = Player(await service.reader())
    body = {"benchmark": "parrot", "split": "test", "model": {"name": "m"}, "finalize": False}
    async with Host.running(settings):
        run = (await player.caller.post("/v1/submissions", json=body)).json()["id"]
        first, *others = await player.episodes("test")
        refused = await player.open(first)
        opened = [await player.opened(problem, submission=run) for problem in (first, *others)]
    assert (refused.status_code, refused.json()["code"]) == (503, "environment_unavailable")
    assert "greating" not in refused.text + str(opened)
    assert {(one["finish_reason"], one["observation"]) for one in opened} == {("infrastructure_error", None)}
    (await player.caller.post(f"/v1/submissions/{run}/finalize", json={})).raise_for_status()
    await service.work()
    ended = (await player.caller.get(f"/v1/submissions/{run}")).json()
    assert (ended["received"], ended["state"]) == (4, "graded")
    async with service.admin.session() as session:
        outcomes = (await sql(session, "select distinct finish_reason from submission_item")).scalars().all()
    assert outcomes == ["infrastructure_error"]
    async with service.admin.session() as session:
        assert (await sql(session, "select sum(used) from daily_budget")).scalar_one() == 4
        assert (await sql(session, "select count(*) from exposure where channel = 'session'")).scalar_one() == 5


async def test_an_opening_whose_caller_died_gives_its_slot_back(
    settings: Settings, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    instead_of_echo(monkeypatch, Endless)
    monkeypatch.setattr(sessions, "_KEEP_ALIVE_SECONDS", 0.05)
    monkeypatch.setattr(server, "_DRAIN_SECONDS", 0.1)
    await service.publish(echo_pack(problems_per_day=9))
    player = Player(await service.reader())
    aged = "update live_session set active_at = active_at - interval '1 hour' returning id"
    state = "select state, active_at > created_at - interval '30 minutes' as fresh from live_session"

    async def look() -> Any:
        async with service.admin.session() as session:
            return (await sql(session, state)).one_or_none()

    async with Host.running(settings):
        opening = asyncio.create_task(player.open((await player.episodes("test"))[0]))
        async with asyncio.timeout(120):
            while await look() is None:
                await asyncio.sleep(0.05)
            # While somebody waits, it says so: an hour is made up in a moment, and nothing is taken back.
            async with service.admin.session() as session:
                await sql(session, aged)
            while not (await look()).fresh:
                await asyncio.sleep(0.05)
        await expire(service.worker)
        assert (await look()).state == "opening"
        opening.cancel()
        await asyncio.wait({opening})
        async with service.admin.session() as session:
            await sql(session, aged)
        await expire(service.worker)
        assert (await look()).state == "failed"
        async with service.admin.session() as session:
            load = await session.fetch_one(LOAD, **load_values(new_id(), 0.5))
            used = (await sql(session, "select used from daily_budget")).scalar_one()
        assert (load.used, used) == (0, 0)


async def test_clocks_end_what_nobody_ends(service: Service, host: Host, player: Player) -> None:
    late, idle, busy = [(await player.opened(problem))["id"] for problem in (await player.episodes())[:3]]
    await player.said(late, 1, "0")
    async with service.admin.session() as session:
        for name, column, other in ((late, "deadline", "created_at"), (idle, "active_at", "created_at")):
            await sql(
                session,
                f"update live_session set {column} = {other} - interval '1 hour' where id = :id",
                {"id": name.removeprefix("ses_")},
            )
    await expire(service.worker)
    await service.work()
    shown = {name: await player.show(name) for name in (late, idle, busy)}
    assert [shown[name]["finish_reason"] for name in (late, idle, busy)] == ["task_limit", "cancelled", None]
    assert shown[idle]["verdict"]["outcome"] == "incorrect"
    assert shown[late]["state"] == "graded"
    assert (await player.say(late, 2, "more")).json()["code"] == "session_over"
    assert (await player.say(busy, 1, "more")).status_code == 200


async def test_steps_are_limited(settings: Settings, service: Service) -> None:
    await service.publish(echo_pack(steps=2))
    player = Player(await service.reader())
    async with Host.running(settings):
        session = (await player.opened((await player.episodes())[0]))["id"]
        assert (await player.said(session, 1, "a"))["steps_left"] == 1
        assert (await player.said(session, 2, "b"))["finish_reason"] == "task_limit"
        assert (await player.say(session, 3, "c")).json()["code"] == "session_over"
