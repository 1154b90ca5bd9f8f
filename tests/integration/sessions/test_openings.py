"""Openings of one submission beside each other, and beside its judging and its end."""

import asyncio

from api.core.ids import parse_id
from api.core.query import Query
from api.hosting.leases import LOCK_PLACEMENT, PLACING
from tests.support.service import Service
from tests.support.sessions import Player

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
