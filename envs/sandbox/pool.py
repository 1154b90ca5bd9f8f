"""Ready sandboxes: a claim is a handover, never a start, and a sandbox that was used is destroyed, never cleaned.

Refilling happens in the background under a memory budget: a ready sandbox counts with what it holds idle, a claimed
one with its whole limit, so that every claimed sandbox may use what it was promised.
"""

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Self

from envs.base import InfrastructureError
from envs.sandbox.base import MIB, Backend, Image, Limits, Sandbox, SandboxError

IDLE_BYTES = 16 * MIB
PAUSE_SECONDS = (0.2, 10.0)


class PoolExhaustedError(InfrastructureError):
    """No sandbox became free in time: too busy, or over the memory budget. The caller may try again later."""


async def open_shell(sandbox: Sandbox) -> Any:
    """The usual preparation: a shell that already answers."""
    return await sandbox.shell()


@dataclass(frozen=True)
class Recipe:
    """One kind of sandbox the pool keeps: how many are ready, and what is done to each before it counts as ready.

    `prepare` gets the started sandbox and returns whatever the claimant is handed with it (a shell, a connection).
    `idle` is the memory in bytes that a ready one holds.
    """

    name: str
    image: Image
    limits: Limits
    ready: int
    prepare: Callable[[Sandbox], Awaitable[Any]] = open_shell
    idle: int = IDLE_BYTES


@dataclass(frozen=True)
class Claim:
    """A sandbox that was handed over, with what its preparation returned. Give it back with `Pool.release`."""

    recipe: str
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
    ready: dict[str, int] = field(default_factory=dict)
    in_use: int = 0
    starting: int = 0
    committed_bytes: int = 0


@dataclass
class _Shelf:
    recipe: Recipe
    ready: deque[Claim] = field(default_factory=deque)
    waiters: deque[asyncio.Future[Claim]] = field(default_factory=deque)
    starting: int = 0
    failures: int = 0
    error: str = ""
    not_before: float = 0.0

    @property
    def short(self) -> int:
        """How many more it should have."""
        waiting = sum(not waiter.done() for waiter in self.waiters)
        return self.recipe.ready + waiting - len(self.ready) - self.starting


class Pool:
    """Sandboxes of several recipes from one backend. `budget` is in bytes; at most `starters` start at once."""

    def __init__(self, backend: Backend, recipes: list[Recipe], *, budget: int, starters: int = 2) -> None:
        for recipe in recipes:
            if recipe.limits.memory > budget:
                raise ValueError(f"recipe '{recipe.name}' alone needs {recipe.limits.memory} bytes of {budget}")
        self._backend = backend
        self._shelves = {recipe.name: _Shelf(recipe) for recipe in recipes}
        self._budget, self._starters = budget, starters
        self._in_use: dict[str, Claim] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False
        self._stats = Stats()

    @property
    def stats(self) -> Stats:
        """A snapshot of the metrics."""
        self._stats.ready = {name: len(shelf.ready) for name, shelf in self._shelves.items()}
        self._stats.in_use = len(self._in_use)
        self._stats.starting = sum(shelf.starting for shelf in self._shelves.values())
        self._stats.committed_bytes = self._committed()
        return self._stats

    async def open(self) -> Self:
        """Begin to fill. Returns at once; the first claims wait for the first sandboxes."""
        self._refill()
        return self

    async def claim(self, name: str, *, timeout: float = 30.0) -> Claim:
        """A ready sandbox of a recipe. Waits up to `timeout` seconds when none is ready.

        Raises PoolExhaustedError when none became free, SandboxError when starting them fails, KeyError for a
        recipe that is not there.
        """
        shelf = self._shelves[name]
        begun = time.perf_counter()
        claim = self._take(shelf)
        if claim is None:
            self._stats.waited += 1
            claim = await self._wait(shelf, timeout)
        self._in_use[claim.sandbox.id] = claim
        self._stats.claimed += 1
        self._stats.claim_seconds += time.perf_counter() - begun
        self._refill()
        return claim

    def _take(self, shelf: _Shelf) -> Claim | None:
        while shelf.ready and self._affords(shelf.recipe.limits.memory - shelf.recipe.idle):
            claim = shelf.ready.popleft()
            if claim.sandbox.alive:
                return claim
            self._stats.died_ready += 1
            self._spawn(self._destroy(claim.sandbox))
        return None

    async def _wait(self, shelf: _Shelf, timeout: float) -> Claim:
        waiter: asyncio.Future[Claim] = asyncio.get_running_loop().create_future()
        shelf.waiters.append(waiter)
        self._refill()
        try:
            async with asyncio.timeout(timeout):
                return await asyncio.shield(waiter)
        except asyncio.CancelledError:
            if waiter.done():
                await self.release(waiter.result())
            raise
        except TimeoutError:
            if waiter.done():
                return waiter.result()
            self._stats.exhausted += 1
            if shelf.failures:
                raise SandboxError(f"sandboxes of '{shelf.recipe.name}' do not start: {shelf.error}") from None
            raise PoolExhaustedError(f"no sandbox of '{shelf.recipe.name}' became free in {timeout:g} s") from None
        finally:
            with contextlib.suppress(ValueError):
                shelf.waiters.remove(waiter)
            waiter.cancel()

    async def release(self, claim: Claim) -> None:
        """Give a claimed sandbox back, to be destroyed in the background. A second release does nothing."""
        if self._in_use.pop(claim.sandbox.id, None) is not None:
            self._spawn(self._destroy(claim.sandbox))
            self._serve_waiters()
            self._refill()

    async def close(self) -> None:
        """Destroy everything, claimed sandboxes included."""
        self._closed = True
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
        held = sum(len(shelf.ready) * shelf.recipe.idle for shelf in self._shelves.values())
        held += sum(shelf.starting * shelf.recipe.idle for shelf in self._shelves.values())
        return held + sum(claim.sandbox.limits.memory for claim in self._in_use.values())

    def _affords(self, extra: int) -> bool:
        return self._committed() + extra <= self._budget

    def _refill(self) -> None:
        while not self._closed and sum(shelf.starting for shelf in self._shelves.values()) < self._starters:
            wanting = [
                shelf for shelf in self._shelves.values() if shelf.short > 0 and self._affords(shelf.recipe.idle)
            ]
            if not wanting:
                return
            # Whoever has somebody waiting comes first, then the emptiest shelf.
            shelf = max(wanting, key=lambda shelf: (bool(shelf.waiters), shelf.short / max(1, shelf.recipe.ready)))
            shelf.starting += 1
            self._spawn(self._start(shelf))

    def _wants(self, shelf: _Shelf) -> bool:
        return (
            shelf.short > 0
            and self._affords(shelf.recipe.idle)
            and asyncio.get_running_loop().time() >= shelf.not_before
        )

    async def _start(self, shelf: _Shelf) -> None:
        begun = time.perf_counter()
        sandbox: Sandbox | None = None
        try:
            sandbox = await self._backend.start(shelf.recipe.image, shelf.recipe.limits)
            prepared = await shelf.recipe.prepare(sandbox)
        except (InfrastructureError, OSError) as error:
            self._stats.start_failures += 1
            shelf.failures += 1
            shelf.error = str(error)
            if sandbox is not None:
                await self._destroy(sandbox)
            self._hold_off(shelf)
        else:
            shelf.failures = 0
            self._stats.started += 1
            self._stats.start_seconds += time.perf_counter() - begun
            if self._closed:
                await self._destroy(sandbox)
            else:
                shelf.ready.append(Claim(shelf.recipe.name, sandbox, prepared))
        finally:
            shelf.starting -= 1
            self._serve_waiters()
            self._refill()

    def _hold_off(self, shelf: _Shelf) -> None:
        """After a failed start the recipe pauses, longer each time; other recipes go on."""
        loop = asyncio.get_running_loop()
        pause = min(PAUSE_SECONDS[1], PAUSE_SECONDS[0] * 2 ** min(shelf.failures, 10))
        shelf.not_before = loop.time() + pause
        loop.call_later(pause + 0.01, self._refill)

    def _serve_waiters(self) -> None:
        for shelf in self._shelves.values():
            while shelf.waiters and shelf.ready:
                if shelf.waiters[0].done():
                    shelf.waiters.popleft()
                    continue
                claim = self._take(shelf)
                if claim is None:
                    break
                # Counted as in use from here on, so that the budget cannot be promised twice.
                self._in_use[claim.sandbox.id] = claim
                shelf.waiters.popleft().set_result(claim)

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
