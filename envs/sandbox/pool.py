"""Ready sandboxes: a lease is a handover, never a start, and a sandbox that was used is destroyed, never cleaned.

Refilling happens in the background under a memory budget: a ready sandbox counts with what it holds idle, a leased
one with its whole limit, so that every leased sandbox may use what it was promised. A part of the budget is kept for
short leases of those who hold a sandbox already, so that nobody waits for somebody who waits.
"""

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

from envs.base import InfrastructureError
from envs.sandbox.base import MIB, Backend, Image, Limits, Sandbox, SandboxError

IDLE_BYTES = 16 * MIB
PAUSE_SECONDS = (0.2, 10.0)
BREATH_SECONDS = 0.25  # that a start waits after a lease while at least half of what is kept is ready
FULL_SECONDS = 5.0
FAILURES = 3
FORGET_SECONDS = 900.0
Observer = Callable[[str, float], None]
"""Told the spec's name and the seconds of each lease."""


class PoolExhaustedError(InfrastructureError):
    """No sandbox became free in time: too busy, or over the memory budget. The caller may try again later."""


async def open_shell(sandbox: Sandbox) -> Any:
    """The usual preparation: a shell that already answers."""
    return await sandbox.shell()


@dataclass(frozen=True)
class PoolSpec:
    """One kind of sandbox the pool keeps: how many are ready, and what is done to each before it counts as ready.

    `ready` of 0 is a sandbox for one lease. `prepare` gets the started sandbox and returns whatever the caller is
    handed with it (a shell, a connection).
    `idle` is the memory in bytes that a ready one holds. Specs of one name are told together in the metrics; what
    is in the image and the limits decides whether two are the same.
    """

    name: str
    image: Image
    limits: Limits
    ready: int
    prepare: Callable[[Sandbox], Awaitable[Any]] = open_shell
    idle: int = IDLE_BYTES

    @cached_property
    def key(self) -> str:
        """The same for specs whose sandboxes may stand in for each other."""
        return f"{self.name} {self.image.model_dump_json()} {self.limits.model_dump_json()}"


@dataclass(frozen=True)
class Lease:
    """A sandbox that was handed over, with what its preparation returned. Give it back with `Pool.release`."""

    spec: PoolSpec
    sandbox: Sandbox
    prepared: Any


@dataclass
class Stats:
    """Counters since the pool opened, and how it stands. Seconds are sums: divide by the counts."""

    started: int = 0
    start_failures: int = 0
    start_seconds: float = 0.0
    leased: int = 0
    lease_seconds: float = 0.0
    waited: int = 0
    exhausted: int = 0
    died_ready: int = 0
    destroyed: int = 0
    destroy_failures: int = 0
    forgotten: int = 0
    ready: dict[str, int] = field(default_factory=dict)
    in_use: int = 0
    starting: int = 0
    committed_bytes: int = 0


@dataclass(eq=False)
class _Waiter:
    """Somebody who waits; `spare` may use the part of the budget that is kept."""

    spare: bool
    lease: asyncio.Future[Lease]


@dataclass
class _SubPool:
    spec: PoolSpec
    kept: bool
    used: float = 0.0
    ready: deque[Lease] = field(default_factory=deque)
    waiters: deque[_Waiter] = field(default_factory=deque)
    starting: int = 0
    failures: int = 0
    error: str = ""
    not_before: float = 0.0

    @property
    def short(self) -> int:
        """How many more it should have."""
        return self.spec.ready + self.waiting - len(self.ready) - self.starting

    @property
    def waiting(self) -> int:
        """How many wait."""
        return sum(not waiter.lease.done() for waiter in self.waiters)


class Pool:
    """Sandboxes of several specs from one backend. `budget` is in bytes; at most `starters` start at once.

    `specs` are kept ready from the start. Another is kept ready from its first lease on until nobody has leased it
    for FORGET_SECONDS. `reserve` is the part of the budget for leases that are `spare`.
    """

    def __init__(
        self,
        backend: Backend,
        specs: Sequence[PoolSpec] = (),
        *,
        budget: int,
        reserve: int = 0,
        starters: int = 2,
        observe: Observer | None = None,
    ) -> None:
        for spec in specs:
            if spec.limits.memory > budget - reserve:
                raise ValueError(f"spec '{spec.name}' alone needs {spec.limits.memory} bytes of {budget}")
        self._backend = backend
        self._sub_pools = {spec.key: _SubPool(spec, kept=True) for spec in specs}
        self._budget, self._reserve, self._starters = budget, reserve, starters
        self._observe = observe
        self._in_use: dict[str, Lease] = {}
        self._ending: dict[str, int] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._keeper: asyncio.Task[None] | None = None
        self._closed = False
        self._stats = Stats()

    @property
    def stats(self) -> Stats:
        """A snapshot of the metrics."""
        ready = dict.fromkeys((sub.spec.name for sub in self._sub_pools.values()), 0)
        for sub in self._sub_pools.values():
            ready[sub.spec.name] += len(sub.ready)
        self._stats.ready = ready
        self._stats.in_use = len(self._in_use)
        self._stats.starting = sum(sub.starting for sub in self._sub_pools.values())
        self._stats.committed_bytes = self._committed()
        return self._stats

    async def open(self) -> Self:
        """Begin to fill. Returns at once; the first leases wait for the first sandboxes."""
        self._keeper = asyncio.get_running_loop().create_task(self._forget_always())
        self._refill()
        return self

    def keep(self, spec: PoolSpec) -> None:
        """Keep a spec ready from now on, whether it is leased or not."""
        self._sub_pool_of(spec).kept = True
        self._refill()

    async def lease(self, spec: PoolSpec, *, timeout: float = 30.0, spare: bool = False) -> Lease:
        """A ready sandbox of a spec. Waits up to `timeout` seconds when none is ready, and FULL_SECONDS at most
        where the memory budget is used up. A `spare` lease is for one that is given back soon, whatever else waits.

        Raises PoolExhaustedError when none became free, SandboxError when starting them fails.
        """
        if spec.limits.memory > self._budget - self._reserve:
            raise SandboxError(f"'{spec.name}' alone needs {spec.limits.memory} bytes of {self._budget}")
        sub = self._sub_pool_of(spec)
        begun = time.perf_counter()
        lease = self._take(sub, spare=spare)
        if lease is None:
            self._stats.waited += 1
            lease = await self._wait(sub, timeout, spare=spare)
        self._in_use[lease.sandbox.id] = lease
        self._stats.leased += 1
        taken = time.perf_counter() - begun
        self._stats.lease_seconds += taken
        if self._observe:
            self._observe(spec.name, taken)
        if sub.waiting or 2 * len(sub.ready) < sub.spec.ready:
            self._refill()
        else:
            # A start takes the processor that whoever has just leased wants for an opening.
            asyncio.get_running_loop().call_later(BREATH_SECONDS, self._refill)
        return lease

    def _sub_pool_of(self, spec: PoolSpec) -> _SubPool:
        sub = self._sub_pools.get(spec.key)
        if sub is None:
            sub = self._sub_pools[spec.key] = _SubPool(spec, kept=False)
        sub.used = asyncio.get_running_loop().time()
        return sub

    def _take(self, sub: _SubPool, *, spare: bool) -> Lease | None:
        while sub.ready and self._affords(sub.spec.limits.memory - sub.spec.idle, spare=spare):
            lease = sub.ready.popleft()
            if lease.sandbox.alive:
                return lease
            self._stats.died_ready += 1
            self._spawn(self._destroy(lease.sandbox))
        return None

    async def _wait(self, sub: _SubPool, timeout: float, *, spare: bool) -> Lease:
        waiter = _Waiter(spare, asyncio.get_running_loop().create_future())
        if not spare and not self._affords(sub.spec.limits.memory, spare=False):
            timeout = min(timeout, FULL_SECONDS)
        sub.waiters.append(waiter)
        self._refill()
        try:
            async with asyncio.timeout(timeout):
                return await asyncio.shield(waiter.lease)
        except asyncio.CancelledError:
            if waiter.lease.done() and not waiter.lease.exception():
                await self.release(waiter.lease.result())
            raise
        except TimeoutError:
            if waiter.lease.done():
                return waiter.lease.result()
            self._stats.exhausted += 1
            if sub.failures:
                raise _not_starting(sub) from None
            raise PoolExhaustedError(f"no sandbox of '{sub.spec.name}' became free in {timeout:g} s") from None
        finally:
            with contextlib.suppress(ValueError):
                sub.waiters.remove(waiter)
            waiter.lease.cancel()
            self._tidy(sub)

    async def release(self, lease: Lease) -> None:
        """Give a leased sandbox back, to be destroyed in the background. A second release does nothing."""
        if self._in_use.pop(lease.sandbox.id, None) is not None:
            # It holds its memory until it is gone.
            self._ending[lease.sandbox.id] = lease.sandbox.limits.memory
            self._spawn(self._end(lease))

    async def _end(self, lease: Lease) -> None:
        await self._destroy(lease.sandbox)
        self._ending.pop(lease.sandbox.id, None)
        self._serve_waiters()
        self._refill()

    async def close(self) -> None:
        """Destroy everything, leased sandboxes included."""
        self._closed = True
        if self._keeper is not None:
            self._keeper.cancel()
        left = [lease for sub in self._sub_pools.values() for lease in sub.ready] + list(self._in_use.values())
        for sub in self._sub_pools.values():
            sub.ready.clear()
        self._in_use.clear()
        for lease in left:
            self._spawn(self._destroy(lease.sandbox))
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def __aenter__(self) -> Self:
        return await self.open()

    async def __aexit__(self, *exc: object) -> None:
        await self.close()

    def _committed(self) -> int:
        held = sum((len(sub.ready) + sub.starting) * sub.spec.idle for sub in self._sub_pools.values())
        used = sum(lease.sandbox.limits.memory for lease in self._in_use.values())
        return held + used + sum(self._ending.values())

    def _affords(self, extra: int, *, spare: bool) -> bool:
        return self._committed() + extra <= self._budget - (0 if spare else self._reserve)

    def _refill(self) -> None:
        while not self._closed and sum(sub.starting for sub in self._sub_pools.values()) < self._starters:
            wanting = [sub for sub in self._sub_pools.values() if self._wants(sub)]
            if not wanting:
                return
            # Whoever has somebody waiting comes first, then the emptiest sub-pool.
            sub = max(wanting, key=lambda sub: (bool(sub.waiting), sub.short / max(1, sub.spec.ready)))
            sub.starting += 1
            self._spawn(self._start(sub))

    def _wants(self, sub: _SubPool) -> bool:
        spare = any(waiter.spare for waiter in sub.waiters)
        return (
            sub.short > 0
            and self._affords(sub.spec.idle, spare=spare)
            and asyncio.get_running_loop().time() >= sub.not_before
        )

    async def _start(self, sub: _SubPool) -> None:
        begun = time.perf_counter()
        sandbox: Sandbox | None = None
        try:
            sandbox = await self._backend.start(sub.spec.image, sub.spec.limits)
            prepared = await sub.spec.prepare(sandbox)
        except Exception as error:  # noqa: BLE001 - whatever a preparation raises, those who wait are told
            self._stats.start_failures += 1
            sub.failures += 1
            sub.error = str(error)
            if sandbox is not None:
                await self._destroy(sandbox)
            self._hold_off(sub)
            self._give_up(sub)
        else:
            sub.failures = 0
            self._stats.started += 1
            self._stats.start_seconds += time.perf_counter() - begun
            if self._closed:
                await self._destroy(sandbox)
            else:
                sub.ready.append(Lease(sub.spec, sandbox, prepared))
        finally:
            sub.starting -= 1
            self._serve_waiters()
            self._tidy(sub)
            self._refill()

    def _hold_off(self, sub: _SubPool) -> None:
        """After a failed start the spec pauses, longer each time; other specs go on."""
        loop = asyncio.get_running_loop()
        pause = min(PAUSE_SECONDS[1], PAUSE_SECONDS[0] * 2 ** min(sub.failures, 10))
        sub.not_before = loop.time() + pause
        loop.call_later(pause + 0.01, self._refill)

    def _give_up(self, sub: _SubPool) -> None:
        """Who waits for a spec that fails again and again is told so, and need not wait for its deadline."""
        if sub.failures >= FAILURES:
            for waiter in sub.waiters:
                if not waiter.lease.done():
                    waiter.lease.set_exception(_not_starting(sub))

    def _serve_waiters(self) -> None:
        for sub in list(self._sub_pools.values()):
            for waiter in sorted(sub.waiters, key=lambda waiter: not waiter.spare):
                if waiter.lease.done():
                    continue
                lease = self._take(sub, spare=waiter.spare)
                if lease is None:
                    break
                # Counted as in use from here on, so that the budget cannot be promised twice.
                self._in_use[lease.sandbox.id] = lease
                sub.waiters.remove(waiter)
                waiter.lease.set_result(lease)

    def _tidy(self, sub: _SubPool) -> None:
        """Destroy what nobody waits for any more, and forget a spec that is not kept ready."""
        while len(sub.ready) > sub.spec.ready + sub.waiting:
            self._spawn(self._destroy(sub.ready.pop().sandbox))
        if not (sub.spec.ready or sub.ready or sub.waiters or sub.starting):
            self._sub_pools.pop(sub.spec.key, None)

    async def _forget_always(self) -> None:
        while True:
            await asyncio.sleep(FORGET_SECONDS / 10)
            self.forget(FORGET_SECONDS)

    def forget(self, idle: float) -> None:
        """Destroy the ready sandboxes of specs that nobody has leased for `idle` seconds, unless they are kept."""
        latest = asyncio.get_running_loop().time() - idle
        for key, sub in list(self._sub_pools.items()):
            if sub.kept or sub.used > latest or sub.waiting or sub.starting:
                continue
            del self._sub_pools[key]
            for lease in sub.ready:
                self._stats.forgotten += 1
                self._spawn(self._destroy(lease.sandbox))

    async def _destroy(self, sandbox: Sandbox) -> None:
        try:
            await sandbox.destroy()
            self._stats.destroyed += 1
        except (InfrastructureError, OSError):
            self._stats.destroy_failures += 1

    def _spawn(self, work: Awaitable[None]) -> None:
        async def run() -> None:
            await work

        task = asyncio.get_running_loop().create_task(run())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _not_starting(sub: _SubPool) -> SandboxError:
    return SandboxError(f"sandboxes of '{sub.spec.name}' do not start: {sub.error}")
