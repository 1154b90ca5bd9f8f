"""Where a grade is computed: by kind, in the quickest place that is safe for it."""

import asyncio
import contextvars
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, Protocol

from api.lanes.models import SPECS, Lane
from grading import Answer, Reference, Tools, Verdict, grade, parse_reference
from grading.pool import GradingPool
from grading.registry import is_inline, needs_of


class Graders(Protocol):
    """Grades one answer under limits. A grade that was stopped is `unscored` with the reason, never wrong."""

    async def grade(self, answer: Answer, reference: Reference | Mapping[str, Any]) -> Verdict: ...

    async def close(self) -> None: ...


class _Inner:
    """Grades for a thread, on the loop that the thread was started from. Raises what grading there raises."""

    def __init__(self, graders: "RoutedGraders", loop: asyncio.AbstractEventLoop) -> None:
        self._graders = graders
        self._loop = loop

    def grade(self, answer: Answer, reference: Reference) -> Verdict:
        return asyncio.run_coroutine_threadsafe(self._graders.grade(answer, reference), self._loop).result()


def lane_of(reference: Reference, *, episode: bool = False) -> Lane:
    """Where answers to a problem with this reference are graded."""
    needs = needs_of(reference)
    if "judge" in needs:
        return Lane.JUDGES
    if episode or "runner" in needs:
        return Lane.SANDBOXES
    return Lane.INLINE if is_inline(reference) else Lane.PROCESSES


class RoutedGraders:
    """Inline kinds at once, kinds that need tools in threads, everything else in killable children.

    Judges and programs have threads of their own, so that neither waits for the other.

    Parts that need no tool are sent to the children by the thread that grades the whole.
    """

    def __init__(self, pool: GradingPool, tools: Tools) -> None:
        self._pool = pool
        self._starting = asyncio.Lock()
        self._started = False
        self._tools = tools
        self._threads = {
            lane: ThreadPoolExecutor(SPECS[lane].at_once, thread_name_prefix=lane.value)
            for lane in (Lane.JUDGES, Lane.SANDBOXES)
        }

    async def grade(self, answer: Answer, reference: Reference | Mapping[str, Any]) -> Verdict:
        """Grade one answer. Raises UnknownKindError or ValidationError for a malformed reference."""
        typed = reference if isinstance(reference, Reference) else parse_reference(reference)
        lane = lane_of(typed)
        if lane is Lane.INLINE:
            return grade(answer, typed)
        if threads := self._threads.get(lane):
            loop = asyncio.get_running_loop()
            tools = replace(self._tools, confined=_Inner(self, loop))
            # The thread knows whose budget it uses, as asyncio.to_thread would have it.
            context = contextvars.copy_context()
            return await loop.run_in_executor(threads, context.run, grade, answer, typed, tools)
        await self._start()
        return await self._pool.grade(answer, typed)

    async def _start(self) -> None:
        # At the first answer that needs them, so that a worker of a quiz has no children.
        async with self._starting:
            if not self._started:
                await self._pool.start()
                self._started = True

    async def close(self) -> None:
        """End the children and the threads."""
        await self._pool.close()
        for threads in self._threads.values():
            threads.shutdown(wait=False, cancel_futures=True)
