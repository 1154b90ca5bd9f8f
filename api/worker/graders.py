"""Where a grade is computed: by kind, in the quickest place that is safe for it."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

from grading import Answer, Reference, Tools, Verdict, grade, parse_reference
from grading.pool import GradingPool
from grading.registry import is_inline, takes_tools


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


class RoutedGraders:
    """Inline kinds at once, kinds that need tools in threads, everything else in killable children.

    Parts that need no tool are sent to the children by the thread that grades the whole.
    """

    def __init__(self, pool: GradingPool, tools: Tools) -> None:
        self._pool = pool
        self._starting = asyncio.Lock()
        self._started = False
        self._tools = tools

    async def grade(self, answer: Answer, reference: Reference | Mapping[str, Any]) -> Verdict:
        """Grade one answer. Raises UnknownKindError or ValidationError for a malformed reference."""
        typed = reference if isinstance(reference, Reference) else parse_reference(reference)
        if is_inline(typed):
            return grade(answer, typed)
        if takes_tools(typed):
            tools = replace(self._tools, confined=_Inner(self, asyncio.get_running_loop()))
            return await asyncio.to_thread(grade, answer, typed, tools)
        await self._start()
        return await self._pool.grade(answer, typed)

    async def _start(self) -> None:
        # At the first answer that needs them, so that a worker of a quiz has no children.
        async with self._starting:
            if not self._started:
                await self._pool.start()
                self._started = True

    async def close(self) -> None:
        """End the children."""
        await self._pool.close()
