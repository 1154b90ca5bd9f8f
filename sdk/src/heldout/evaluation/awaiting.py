"""Agents that are coroutine functions: all tasks of a run share one event loop, as their clients want it."""

import asyncio
import inspect
import threading
from collections.abc import Awaitable
from typing import Any

from heldout.errors import Invalid


def check_agent(agent: object) -> None:
    """Raise Invalid for what cannot be called, such as a model's name."""
    if not callable(agent):
        raise Invalid(
            f"{agent!r:.80} is no agent",
            code="no_agent",
            advice="give a function from a Task to its answer (async too), a Command, or a model behind an endpoint: "
            "ChatModel('gpt-5', url=..., key=...)",
        )


class Awaiting:
    """Makes results of what agents return, on a loop in a thread of its own that is started for the first awaitable."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def __enter__(self) -> "Awaiting":
        return self

    def __exit__(self, *_: object) -> None:
        if self._loop is None or self._thread is None:
            return
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def result(self, given: Any) -> Any:
        """What the agent returned; an awaitable is awaited."""
        if not inspect.isawaitable(given):
            return given
        return asyncio.run_coroutine_threadsafe(_awaited(given), self._running()).result()

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._loop.run_forever, name="heldout-agents", daemon=True)
                self._thread.start()
            return self._loop


async def _awaited(given: Awaitable[Any]) -> Any:
    return await given
