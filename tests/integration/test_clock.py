"""The machine's clock is set back: what a dead process was granted by the clock before does not outlast it by hours."""

from api.hosting.leases import LeaseRepository
from api.lanes.models import Lane
from api.lanes.repository import LaneRepository
from api.worker.sweep import heed_clock
from tests.support.service import Service, choice_pack
from tests.support.sql import sql

# What was written an hour ahead of the clock that is believed now, by processes that died since.
_BEFORE = (
    "update grading_job set attempts = 1, free_at = clock_timestamp() + interval '1 hour'",
    """insert into session_host (id, address, token, slots, draining, started_at, seen_at)
       values (gen_random_uuid(), '127.0.0.1:1', 't', 8, false, now(), clock_timestamp() + interval '1 hour')""",
    """insert into queue.procrastinate_workers (last_heartbeat) values (now() + interval '1 hour')""",
)


async def test_leases_of_the_dead_end_although_the_clock_was_set_back(service: Service) -> None:
    await service.publish(choice_pack(count=3))
    caller = await service.reader()
    problems = await caller.problems("quiz", "dev")
    await caller.submit("quiz", "dev", {problem["id"]: "A" for problem in problems})
    async with service.admin.session() as session:
        for statement in _BEFORE:
            await sql(session, statement)
    await heed_clock(service.worker)
    async with service.admin.session() as session:
        (left,) = (await sql(session, "select max(free_at - clock_timestamp()) from grading_job")).one()
        assert 0 < left.total_seconds() <= 20, "a worker that lives has the time of a lease to say so"
        # The time of a lease later.
        await sql(session, "update grading_job set free_at = free_at - interval '21 seconds'")
        await sql(session, "update session_host set seen_at = seen_at - interval '31 seconds'")
        await sql(session, "update queue.procrastinate_workers set last_heartbeat = last_heartbeat - interval '31 s'")
        assert await LeaseRepository(session).hosts() == []
        assert len(await LaneRepository(session).take(Lane.INLINE, 100)) == 1
        stalled = "select count(*) from queue.procrastinate_workers where last_heartbeat < now() - interval '20 s'"
        assert (await sql(session, stalled)).scalar_one() == 1


async def test_nothing_that_was_put_off_by_this_clock_is_let_go(service: Service) -> None:
    await service.publish(choice_pack(count=3))
    caller = await service.reader()
    problems = await caller.problems("quiz", "dev")
    await caller.submit("quiz", "dev", {problem["id"]: "A" for problem in problems})
    async with service.admin.session() as session:
        await sql(session, "update grading_job set free_at = clock_timestamp() + interval '60 seconds'")
    await heed_clock(service.worker)
    async with service.admin.session() as session:
        (left,) = (await sql(session, "select min(free_at - clock_timestamp()) from grading_job")).one()
    assert left.total_seconds() > 25
