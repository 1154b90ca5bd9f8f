"""How an environment gets a prepared sandbox: handed over where the backend keeps some ready, else started."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, Self

from envs.sandbox.base import MIB, Backend, Image, Limits, Sandbox, Traits
from envs.sandbox.pool import Observer, Pool, PoolSpec, Stats

LEASE_SECONDS = 60.0
SPARE_SECONDS = 300.0
RESERVE = 1024 * MIB


@dataclass(frozen=True)
class LeasedSandbox:
    """A sandbox of one's own, with what its preparation returned. `close` ends it, and may be called again."""

    sandbox: Sandbox
    prepared: Any
    close: Callable[[], Awaitable[None]]


class WarmBackend:
    """A backend with a pool before it. `start` goes past the pool; `lease` is what environments use, by `hold`.

    `ready` is how many are kept of each spec that asks to be, `budget` the bytes that may be promised in all.
    """

    def __init__(self, backend: Backend, *, ready: int, budget: int, observe: Observer | None = None) -> None:
        self._backend = backend
        self._ready = ready
        self._pool = Pool(backend, budget=budget, reserve=min(RESERVE, budget // 4), observe=observe)

    async def open(self) -> Self:
        """Begin to keep sandboxes ready."""
        await self._pool.open()
        return self

    @property
    def traits(self) -> Traits:
        """Those of the backend."""
        return self._backend.traits

    @property
    def stats(self) -> Stats:
        """The pool's metrics."""
        return self._pool.stats

    def keep(self, spec: PoolSpec) -> None:
        """Keep a spec ready from now on."""
        self._pool.keep(self._sized(spec))

    async def lease(self, spec: PoolSpec, *, spare: bool = False) -> LeasedSandbox:
        """A ready sandbox. Raises PoolExhaustedError, SandboxError."""
        seconds = SPARE_SECONDS if spare else LEASE_SECONDS
        lease = await self._pool.lease(self._sized(spec), timeout=seconds, spare=spare)
        return LeasedSandbox(lease.sandbox, lease.prepared, lambda: self._pool.release(lease))

    def _sized(self, spec: PoolSpec) -> PoolSpec:
        return replace(spec, ready=self._ready) if spec.ready else spec

    async def start(self, image: Image, limits: Limits) -> Sandbox:
        """A sandbox that is not the pool's. Raises SandboxError."""
        return await self._backend.start(image, limits)

    async def digest(self, name: str) -> str:
        """What the backend says. Raises SandboxError."""
        return await self._backend.digest(name)

    async def close(self) -> None:
        """Destroy every sandbox, the pool's and others."""
        await self._pool.close()
        await self._backend.close()

    async def __aenter__(self) -> Self:
        return await self.open()

    async def __aexit__(self, *exc: object) -> None:
        await self.close()


async def hold(backend: Backend, spec: PoolSpec, *, spare: bool = False) -> LeasedSandbox:
    """A prepared sandbox from a backend of either kind. `spare`: for a caller who holds one already, for a short time.

    Raises PoolExhaustedError where a pool has none left, SandboxError, and what the preparation raises.
    """
    if isinstance(backend, WarmBackend):
        return await backend.lease(spec, spare=spare)
    sandbox = await backend.start(spec.image, spec.limits)
    try:
        return LeasedSandbox(sandbox, await spec.prepare(sandbox), sandbox.destroy)
    except BaseException:
        await sandbox.destroy()
        raise
