"""Ready sandboxes: a claim is a handover, never a start, and a sandbox that was used is destroyed, never cleaned.

Refilling happens in the background under a memory budget: a ready sandbox counts with what it holds idle, a claimed
one with its whole limit, so that every claimed sandbox may use what it was promised. A part of the budget is kept for
short claims of those who hold a sandbox already, so that nobody waits for somebody who waits.
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
BREATH_SECONDS = 0.25  # that a start waits after a claim while at least half of what is kept is ready
FULL_SECONDS = 5.0
FAILURES = 3
FORGET_SECONDS = 900.0
Observer = Callable[[str, float], None]
"""Told the recipe's name and the seconds of each claim."""


class PoolExhaustedError(InfrastructureError):
    """No sandbox became free in time: too busy, or over the memory budget. The caller may try again later."""


async def open_shell(sandbox: Sandbox) -> Any:
    """The usual preparation: a shell that already answers."""
    return await sandbox.shell()


@dataclass(frozen=True)
class Recipe:
    """One kind of sandbox the pool keeps: how many are ready, and what is done to each before it counts as ready.

    `ready` of 0 is a sandbox for one claim. `prepare` gets the started sandbox and returns whatever the claimant is
    handed with it (a shell, a connection).
    `idle` is the memory in bytes that a ready one holds. Recipes of one name are told together in the metrics; what
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
        """The same for recipes whose sandboxes may stand in for each other."""
        return f"{self.name} {self.image.model_dump_json()} {self.limits.model_dump_json()}"


@dataclass(frozen=True)
class Claim:
    """A sandbox that was handed over, with what its preparation returned. Give it back with `Pool.release`."""

    recipe: Recipe
    sandbox: Sandbox
    prepared: Any


@dataclass
class Stats:
    """Counters since the pool opened, and how it stands. Seconds are sums: divide by the counts."""

    started: int = 0
    start_failures: int = 0
    start_seconds: float = 0.0
    claimed: int = 0
    claim_seconds: float = 0.0
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
    claim: asyncio.Future[Claim]


@dataclass
class _Shelf:
    recipe: Recipe
    kept: bool
    used: float = 0.0
    ready: deque[Claim] = field(default_factory=deque)
    waiters: deque[_Waiter] = field(default_factory=deque)
    starting: int = 0
    failures: int = 0
    error: str = ""
    not_before: float = 0.0

    @property
    def short(self) -> int:
        """How many more it should have."""
        return self.recipe.ready + self.waiting - len(self.ready) - self.starting

    @property
    def waiting(self) -> int:
        """How many wait."""
        return sum(not waiter.claim.done() for waiter in self.waiters)


class Pool:
    """Sandboxes of several recipes from one backend. `budget` is in bytes; at most `starters` start at once.

    `recipes` are kept ready from the start. Another is kept ready from its first claim on until nobody has claimed it
    for FORGET_SECONDS. `reserve` is the part of the budget for claims that are `spare`.
    """

    def __init__(
        self,
        backend: Backend,
        recipes: Sequence[Recipe] = (),
        *,
        budget: int,
        reserve: int = 0,
        starters: int = 2,
        observe: Observer | None = None,
    ) -> None:
        for recipe in recipes:
            if recipe.limits.memory > budget - reserve:
                raise ValueError(f"recipe '{recipe.name}' alone needs {recipe.limits.memory} bytes of {budget}")
        self._backend = backend
        self._shelves = {recipe.key: _Shelf(recipe, kept=True) for recipe in recipes}
        self._budget, self._reserve, self._starters = budget, reserve, starters
        self._observe = observe
        self._in_use: dict[str, Claim] = {}
        self._ending: dict[str, int] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._keeper: asyncio.Task[None] | None = None
        self._closed = False
        self._stats = Stats()

    @property
    def stats(self) -> Stats:
        """A snapshot of the metrics."""
        ready = dict.fromkeys((shelf.recipe.name for shelf in self._shelves.values()), 0)
        for shelf in self._shelves.values():
            ready[shelf.recipe.name] += len(shelf.ready)
        self._stats.ready = ready
        self._stats.in_use = len(self._in_use)
        self._stats.starting = sum(shelf.starting for shelf in self._shelves.values())
        self._stats.committed_bytes = self._committed()
        return self._stats

    async def open(self) -> Self:
        """Begin to fill. Returns at once; the first claims wait for the first sandboxes."""
        self._keeper = asyncio.get_running_loop().create_task(self._forget_always())
        self._refill()
        return self

    def keep(self, recipe: Recipe) -> None:
        """Keep a recipe ready from now on, whether it is claimed or not."""
        self._shelf(recipe).kept = True
        self._refill()

    async def claim(self, recipe: Recipe, *, timeout: float = 30.0, spare: bool = False) -> Claim:
        """A ready sandbox of a recipe. Waits up to `timeout` seconds when none is ready, and FULL_SECONDS at most
        where the memory budget is used up. A `spare` claim is for one that is given back soon, whatever else waits.

        Raises PoolExhaustedError when none became free, SandboxError when starting them fails.
        """
        if recipe.limits.memory > self._budget - self._reserve:
            raise SandboxError(f"'{recipe.name}' alone needs {recipe.limits.memory} bytes of {self._budget}")
        shelf = self._shelf(recipe)
        begun = time.perf_counter()
        claim = self._take(shelf, spare=spare)
        if claim is None:
            self._stats.waited += 1
            claim = await self._wait(shelf, timeout, spare=spare)
        self._in_use[claim.sandbox.id] = claim
        self._stats.claimed += 1
        taken = time.perf_counter() - begun
        self._stats.claim_seconds += taken
        if self._observe:
            self._observe(recipe.name, taken)
        if shelf.waiting or 2 * len(shelf.ready) < shelf.recipe.ready:
            self._refill()
        else:
            # A start takes the processor that whoever has just claimed wants for an opening.
            asyncio.get_running_loop().call_later(BREATH_SECONDS, self._refill)
        return claim

    def _shelf(self, recipe: Recipe) -> _Shelf:
        shelf = self._shelves.get(recipe.key)
        if shelf is None:
            shelf = self._shelves[recipe.key] = _Shelf(recipe, kept=False)
        shelf.used = asyncio.get_running_loop().time()
        return shelf

    def _take(self, shelf: _Shelf, *, spare: bool) -> Claim | None:
        while shelf.ready and self._affords(shelf.recipe.limits.memory - shelf.recipe.idle, spare=spare):
            claim = shelf.ready.popleft()
            if claim.sandbox.alive:
                return claim
            self._stats.died_ready += 1
            self._spawn(self._destroy(claim.sandbox))
        return None

    async def _wait(self, shelf: _Shelf, timeout: float, *, spare: bool) -> Claim:
        waiter = _Waiter(spare, asyncio.get_running_loop().create_future())
        if not spare and not self._affords(shelf.recipe.limits.memory, spare=False):
            timeout = min(timeout, FULL_SECONDS)
        shelf.waiters.append(waiter)
        self._refill()
        try:
            async with asyncio.timeout(timeout):
                return await asyncio.shield(waiter.claim)
        except asyncio.CancelledError:
            if waiter.claim.done() and not waiter.claim.exception():
                await self.release(waiter.claim.result())
            raise
        except TimeoutError:
            if waiter.claim.done():
                return waiter.claim.result()
            self._stats.exhausted += 1
            if shelf.failures:
                raise _not_starting(shelf) from None
            raise PoolExhaustedError(f"no sandbox of '{shelf.recipe.name}' became free in {timeout:g} s") from None
        finally:
            with contextlib.suppress(ValueError):
                shelf.waiters.remove(waiter)
            waiter.claim.cancel()
            self._tidy(shelf)

    async def release(self, claim: Claim) -> None:
        """Give a claimed sandbox back, to be destroyed in the background. A second release does nothing."""
        if self._in_use.pop(claim.sandbox.id, None) is not None:
            # It holds its memory until it is gone.
            self._ending[claim.sandbox.id] = claim.sandbox.limits.memory
            self._spawn(self._end(claim))

    async def _end(self, claim: Claim) -> None:
        await self._destroy(claim.sandbox)
        self._ending.pop(claim.sandbox.id, None)
        self._serve_waiters()
        self._refill()

    async def close(self) -> None:
        """Destroy everything, claimed sandboxes included."""
        self._closed = True
        if self._keeper is not None:
            self._keeper.cancel()
        left = [claim for shelf in self._shelves.values() for claim in shelf.ready] + list(self._in_use.values())
        for shelf in self._shelves.values():
            shelf.ready.clear()
        self._in_use.clear()
        for claim in left:
            self._spawn(self._destroy(claim.sandbox))
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def __aenter__(self) -> Self:
        return await self.open()

    async def __aexit__(self, *exc: object) -> None:
        await self.close()

    def _committed(self) -> int:
        held = sum((len(shelf.ready) + shelf.starting) * shelf.recipe.idle for shelf in self._shelves.values())
        used = sum(claim.sandbox.limits.memory for claim in self._in_use.values())
        return held + used + sum(self._ending.values())

    def _affords(self, extra: int, *, spare: bool) -> bool:
        return self._committed() + extra <= self._budget - (0 if spare else self._reserve)

    def _refill(self) -> None:
        while not self._closed and sum(shelf.starting for shelf in self._shelves.values()) < self._starters:
            wanting = [shelf for shelf in self._shelves.values() if self._wants(shelf)]
            if not wanting:
                return
            # Whoever has somebody waiting comes first, then the emptiest shelf.
            shelf = max(wanting, key=lambda shelf: (bool(shelf.waiting), shelf.short / max(1, shelf.recipe.ready)))
            shelf.starting += 1
            self._spawn(self._start(shelf))

    def _wants(self, shelf: _Shelf) -> bool:
        spare = any(waiter.spare for waiter in shelf.waiters)
        return (
            shelf.short > 0
            and self._affords(shelf.recipe.idle, spare=spare)
            and asyncio.get_running_loop().time() >= shelf.not_before
        )

    async def _start(self, shelf: _Shelf) -> None:
        begun = time.perf_counter()
        sandbox: Sandbox | None = None
        try:
            sandbox = await self._backend.start(shelf.recipe.image, shelf.recipe.limits)
            prepared = await shelf.recipe.prepare(sandbox)
        except Exception as error:  # noqa: BLE001 - whatever a preparation raises, those who wait are told
            self._stats.start_failures += 1
            shelf.failures += 1
            shelf.error = str(error)
            if sandbox is not None:
                await self._destroy(sandbox)
            self._hold_off(shelf)
            self._give_up(shelf)
        else:
            shelf.failures = 0
            self._stats.started += 1
            self._stats.start_seconds += time.perf_counter() - begun
            if self._closed:
                await self._destroy(sandbox)
            else:
                shelf.ready.append(Claim(shelf.recipe, sandbox, prepared))
        finally:
            shelf.starting -= 1
            self._serve_waiters()
            self._tidy(shelf)
            self._refill()

    def _hold_off(self, shelf: _Shelf) -> None:
        """After a failed start the recipe pauses, longer each time; other recipes go on."""
        loop = asyncio.get_running_loop()
        pause = min(PAUSE_SECONDS[1], PAUSE_SECONDS[0] * 2 ** min(shelf.failures, 10))
        shelf.not_before = loop.time() + pause
        loop.call_later(pause + 0.01, self._refill)

    def _give_up(self, shelf: _Shelf) -> None:
        """Who waits for a recipe that fails again and again is told so, and need not wait for its deadline."""
        if shelf.failures >= FAILURES:
            for waiter in shelf.waiters:
                if not waiter.claim.done():
                    waiter.claim.set_exception(_not_starting(shelf))

    def _serve_waiters(self) -> None:
        for shelf in list(self._shelves.values()):
            for waiter in sorted(shelf.waiters, key=lambda waiter: not waiter.spare):
                if waiter.claim.done():
                    continue
                claim = self._take(shelf, spare=waiter.spare)
                if claim is None:
                    break
                # Counted as in use from here on, so that the budget cannot be promised twice.
                self._in_use[claim.sandbox.id] = claim
                shelf.waiters.remove(waiter)
                waiter.claim.set_result(claim)

    def _tidy(self, shelf: _Shelf) -> None:
        """Destroy what nobody waits for any more, and forget a recipe that is not kept ready."""
        while len(shelf.ready) > shelf.recipe.ready + shelf.waiting:
            self._spawn(self._destroy(shelf.ready.pop().sandbox))
        if not (shelf.recipe.ready or shelf.ready or shelf.waiters or shelf.starting):
            self._shelves.pop(shelf.recipe.key, None)

    async def _forget_always(self) -> None:
        while True:
            await asyncio.sleep(FORGET_SECONDS / 10)
            self.forget(FORGET_SECONDS)

    def forget(self, idle: float) -> None:
        """Destroy the ready sandboxes of recipes that nobody has claimed for `idle` seconds, unless they are kept."""
        latest = asyncio.get_running_loop().time() - idle
        for key, shelf in list(self._shelves.items()):
            if shelf.kept or shelf.used > latest or shelf.waiting or shelf.starting:
                continue
            del self._shelves[key]
            for claim in shelf.ready:
                self._stats.forgotten += 1
                self._spawn(self._destroy(claim.sandbox))

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


def _not_starting(shelf: _Shelf) -> SandboxError:
    return SandboxError(f"sandboxes of '{shelf.recipe.name}' do not start: {shelf.error}")
