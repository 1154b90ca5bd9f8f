"""The sandbox backend that the environments of one event loop share, and how a service may give its own."""

import asyncio
from collections.abc import Awaitable, Callable
from weakref import WeakKeyDictionary

from envs.sandbox.backends import default_backend
from envs.sandbox.base import Backend

Maker = Callable[[], Awaitable[Backend]]

_backends: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Task[Backend]] = WeakKeyDictionary()
_maker: Maker = default_backend


def use(maker: Maker) -> None:
    """Have `maker` make the backend from now on: a warm pool, say, that hands out sandboxes as a backend does."""
    global _maker
    _maker = maker


async def backend() -> Backend:
    """The shared backend of the running loop, made at the first call. Raises BackendUnavailableError."""
    loop = asyncio.get_running_loop()
    task = _backends.get(loop)
    if task is None or (task.done() and (task.cancelled() or task.exception() is not None)):
        task = _backends[loop] = loop.create_task(_make())
    return await asyncio.shield(task)


def made() -> Backend | None:
    """The shared backend of the running loop, if it has been made."""
    task = _backends.get(asyncio.get_running_loop())
    return task.result() if task and task.done() and not task.cancelled() and not task.exception() else None


async def close() -> None:
    """Close the shared backend of the running loop and every sandbox it made."""
    task = _backends.pop(asyncio.get_running_loop(), None)
    if task is not None:
        await (await task).close()


async def _make() -> Backend:
    return await _maker()
