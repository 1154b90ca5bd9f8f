"""The warm pool over real sandboxes, and its rules under pressure."""

import asyncio

import pytest

from envs.sandbox import pool as pool_module
from envs.sandbox.base import MIB, Backend, Image, Sandbox, SandboxError
from envs.sandbox.pool import Pool, PoolExhaustedError, PoolSpec

from .conftest import SMALL

pytestmark = pytest.mark.sandbox
DEADLINE = 90


def _spec(name: str = "small", ready: int = 2, **changes: object) -> PoolSpec:
    return PoolSpec(name, Image(), SMALL, ready, **changes)  # type: ignore[arg-type]


async def _until_ready(pool: Pool, name: str, count: int) -> None:
    async with asyncio.timeout(DEADLINE):
        while pool.stats.ready[name] < count:
            await asyncio.sleep(0.02)


SMALLEST = _spec()


async def test_a_lease_is_a_handover_with_an_open_shell(rooted: Backend) -> None:
    async with Pool(rooted, [_spec()], budget=1024 * MIB) as pool:
        await _until_ready(pool, "small", 2)
        lease = await pool.lease(SMALLEST)
        assert pool.stats.waited == 0
        assert (await lease.prepared.run("echo ready")).text == "ready\n"
        await pool.release(lease)
        await pool.release(lease)


async def test_nothing_is_handed_out_twice_or_used_again(rooted: Backend) -> None:
    async with Pool(rooted, [_spec(ready=3)], budget=2048 * MIB) as pool:
        seen: set[str] = set()

        async def use() -> None:
            for _ in range(3):
                lease = await pool.lease(SMALLEST, timeout=DEADLINE)
                assert lease.sandbox.id not in seen
                seen.add(lease.sandbox.id)
                assert (await lease.sandbox.run("ls -A /work; echo used > /work/used")).text == ""
                await pool.release(lease)

        await asyncio.gather(*(use() for _ in range(4)))
        assert len(seen) == 12
        assert pool.stats.leased == 12
    assert pool.stats.in_use == 0
    assert pool.stats.destroyed == pool.stats.started


async def test_a_dead_sandbox_is_not_handed_out(rooted: Backend) -> None:
    made: list[Sandbox] = []

    async def prepare(sandbox: Sandbox) -> None:
        made.append(sandbox)

    async with Pool(rooted, [_spec(ready=1, prepare=prepare)], budget=1024 * MIB) as pool:
        await _until_ready(pool, "small", 1)
        await made[0].destroy()
        lease = await pool.lease(SMALLEST, timeout=DEADLINE)
        assert lease.sandbox is not made[0]
        assert pool.stats.died_ready == 1


async def test_the_budget_holds_and_exhaustion_is_said(rooted: Backend) -> None:
    budget = 2 * SMALL.memory + 8 * MIB
    async with Pool(rooted, [_spec(ready=3, idle=4 * MIB)], budget=budget) as pool:
        leases = [await pool.lease(SMALLEST, timeout=DEADLINE) for _ in range(2)]
        with pytest.raises(PoolExhaustedError, match="small"):
            await pool.lease(SMALLEST, timeout=0.2)
        assert pool.stats.exhausted == 1
        assert pool.stats.committed_bytes <= budget
        waiting = asyncio.ensure_future(pool.lease(SMALLEST, timeout=DEADLINE))
        await pool.release(leases[0])
        third = await waiting
        assert third.sandbox.id not in {lease.sandbox.id for lease in leases}


async def test_a_cancelled_lease_loses_no_sandbox(rooted: Backend) -> None:
    async with Pool(rooted, [_spec(ready=1)], budget=1024 * MIB) as pool:
        waiting = [asyncio.ensure_future(pool.lease(SMALLEST, timeout=DEADLINE)) for _ in range(3)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        leases = await asyncio.gather(*waiting[1:])
        for lease in leases:
            await pool.release(lease)
        await _until_ready(pool, "small", 1)
        assert pool.stats.in_use == 0


async def test_failing_starts_are_an_error_of_the_backend(rooted: Backend) -> None:
    bad = PoolSpec("bad", Image(name="no-such-image"), SMALL, 1)
    async with Pool(rooted, [bad, _spec()], budget=1024 * MIB) as pool:
        with pytest.raises(SandboxError, match="no-such-image"):
            await pool.lease(bad, timeout=5)
        lease = await pool.lease(SMALLEST, timeout=DEADLINE)
        assert lease.sandbox.alive
        assert pool.stats.start_failures >= 1


def test_a_recipe_must_fit_the_budget() -> None:
    with pytest.raises(ValueError, match="small"):
        Pool(None, [_spec()], budget=MIB)  # type: ignore[arg-type]


async def test_a_recipe_is_kept_ready_from_its_first_lease_until_it_is_forgotten(rooted: Backend) -> None:
    async with Pool(rooted, budget=1024 * MIB) as pool:
        await pool.release(await pool.lease(SMALLEST, timeout=DEADLINE))
        await _until_ready(pool, "small", 2)
        pool.forget(idle=3600)
        assert pool.stats.ready == {"small": 2}
        pool.forget(idle=-1)
        assert (pool.stats.ready, pool.stats.forgotten) == ({}, 2)
        pool.keep(SMALLEST)
        await _until_ready(pool, "small", 2)
        pool.forget(idle=-1)
        assert pool.stats.ready == {"small": 2}


async def test_what_only_one_can_use_is_started_for_one(rooted: Backend) -> None:
    async with Pool(rooted, budget=1024 * MIB) as pool:
        lease = await pool.lease(_spec("own", 0), timeout=DEADLINE)
        await pool.release(lease)
        async with asyncio.timeout(DEADLINE):
            while pool.stats.destroyed < 1:
                await asyncio.sleep(0.02)
        assert (pool.stats.started, pool.stats.ready, pool.stats.committed_bytes) == (1, {}, 0)


async def test_who_holds_a_sandbox_does_not_wait_for_who_wants_one(
    rooted: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool_module, "FULL_SECONDS", 0.3)
    idle = 4 * MIB
    spec = _spec("small", 0, idle=idle)
    budget = 3 * SMALL.memory + 2 * idle
    async with Pool(rooted, budget=budget, reserve=SMALL.memory + idle) as pool:
        for _ in range(2):
            await pool.lease(spec, timeout=DEADLINE)
        with pytest.raises(PoolExhaustedError):
            await pool.lease(spec, timeout=DEADLINE)
        monkeypatch.setattr(pool_module, "FULL_SECONDS", DEADLINE)
        waiting = asyncio.ensure_future(pool.lease(spec, timeout=DEADLINE))
        await asyncio.sleep(0)
        spare = await pool.lease(spec, timeout=DEADLINE, spare=True)
        assert not waiting.done()
        assert pool.stats.committed_bytes <= budget
        await pool.release(spare)
        assert pool.stats.in_use == 2
        waiting.cancel()


async def test_a_preparation_that_fails_is_told_and_leaves_nothing(rooted: Backend) -> None:
    async def prepare(sandbox: Sandbox) -> None:
        raise LookupError("no such table")

    async with Pool(rooted, budget=1024 * MIB) as pool:
        with pytest.raises(SandboxError, match="no such table"):
            await pool.lease(_spec("small", 1, prepare=prepare), timeout=DEADLINE)
        assert pool.stats.destroyed >= 3
