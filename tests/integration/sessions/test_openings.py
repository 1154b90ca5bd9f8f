"""Openings of one submission beside each other, and beside its judging and its end."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from api.core.ids import new_id, parse_id
from api.core.query import Query
from api.hosting.leases import LOCK_PLACEMENT, PLACING
from api.hosting.openings import Beginning
from api.hosting.repository import Lease
from api.hosting.server import Host
from tests.support.service import Service
from tests.support.sessions import Player
from tests.support.sql import sql

_FREE = Query(
    bool, "Lock a submission without waiting.", "select true from submission where id = :id for update nowait"
)
_WAITING = Query(int, "Who waits for an advisory lock.", "select count(*) from pg_locks where not granted")


async def _run(player: Player) -> str:
    body = {"benchmark": "parrot", "split": "test", "model": {"name": "m"}, "finalize": False}
    return str((await player.caller.post("/v1/submissions", json=body)).json()["id"])


async def test_an_opening_that_waits_for_placement_leaves_its_submission_free(service: Service, player: Player) -> None:
    """The worker locks the submission for each verdict: it must not wait for as long as openings queue."""
    run, problem = await _run(player), (await player.episodes("test"))[0]
    async with service.admin.session() as session:
        await session.run(LOCK_PLACEMENT, lock=PLACING)
        opening = asyncio.create_task(player.open(problem, submission=run))
        async with asyncio.timeout(20):
            while not await session.fetch_one(_WAITING):
                await asyncio.sleep(0.01)
        async with service.admin.session() as other:
            assert await other.fetch_one(_FREE, id=parse_id("sub", run))
    assert (await opening).status_code == 201


async def test_openings_at_one_moment_are_counted_each_once(player: Player) -> None:
    run, problems = await _run(player), await player.episodes("test")
    told = await asyncio.gather(*(player.open(problem, submission=run) for problem in problems * 3))
    assert {reply.status_code for reply in told} == {201}
    assert len({reply.json()["id"] for reply in told}) == len(problems) == 4
    shown = (await player.caller.get(f"/v1/submissions/{run}")).json()
    assert (shown["state"], shown["received"]) == ("open", 4)


async def test_openings_beside_the_end_are_in_the_submission_or_refused(player: Player) -> None:
    run, problems = await _run(player), await player.episodes("test")
    opening = asyncio.gather(*(player.open(problem, submission=run) for problem in problems))
    ended, told = await asyncio.gather(player.caller.post(f"/v1/submissions/{run}/finalize", json={}), opening)
    ended.raise_for_status()
    codes = [reply.status_code for reply in told]
    assert set(codes) <= {201, 409}
    assert (await player.caller.get(f"/v1/submissions/{run}")).json()["received"] == codes.count(201)
    assert (await player.open(problems[0], submission=run)).status_code == 409


async def test_episodes_are_read_together_and_each_is_told_its_own(service: Service, host: Host) -> None:
    async with service.admin.session() as session:
        problems = [row.id for row in (await sql(session, "select id from problem order by name")).all()]
    unknown, reader = new_id(), host.episodes._reader
    told = await asyncio.gather(*(reader.ask(problem) for problem in [unknown, *problems, problems[0]]))
    assert told[0] is None
    assert [row.problem for row in told[1:] if row] == [*problems, problems[0]]
    async with service.admin.session() as session:
        sealed = (
            await sql(session, "select sealed from vault.episode where problem_id = :id", {"id": problems[0]})
        ).one()
    assert told[1]
    assert told[1].sealed == sealed.sealed


async def test_a_beginning_is_of_the_lease_it_was_built_under_and_of_nothing_else(
    service: Service, host: Host, player: Player
) -> None:
    opened = await player.opened((await player.episodes("test"))[0])
    identity = parse_id("ses", opened["id"])
    assert identity
    async with service.admin.session() as session:
        row = (await sql(session, "select problem_id, seed, variant from live_session")).one()
        await sql(session, "delete from session_step")
        await sql(session, "update live_session set state = 'opening'")
    lease, built_for = (
        Lease(identity, host.id, 1),
        {"problem": row.problem_id, "seed": row.seed, "variant": row.variant},
    )
    others = [{"problem": new_id()}, {"seed": row.seed - 1}, {"variant": "another"}]

    def asked(lease: Lease, built_for: dict[str, Any]) -> asyncio.Future[datetime | None]:
        first = {"text": "a", "data": {}, "images": [], "tools": []}
        return host.episodes._beginnings.ask(Beginning(lease, first, "digest", 3, 60, built_for))

    refused = [asked(lease, built_for | other) for other in others]
    refused += [asked(replace(lease, epoch=2), built_for), asked(replace(lease, host=new_id()), built_for)]
    assert await asyncio.gather(*refused) == [None] * 5
    begun = await asked(lease, built_for)
    assert begun
    assert begun > datetime.now(UTC)
    # Once.
    assert await asked(lease, built_for) is None
    shown = await player.show(opened["id"])
    assert (shown["state"], shown["limits"]["steps"], shown["observation"]["text"]) == ("running", 3, "a")
