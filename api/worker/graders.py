"""Where a grade is computed: by kind, in the quickest place that is safe for it."""

import asyncio
from typing import Any, Protocol

from grading import Answer, Tools, Verdict, grade
from grading.judging.sheets import needs_tools
from grading.pool import GradingPool

# Neither searches nor calculates: graded where they are.
INLINE = frozenset({"multiple_choice", "exact"})


class Graders(Protocol):
    """Grades one answer under limits. A grade that was stopped is `unscored` with the reason, never wrong."""

    async def grade(self, answer: Answer, reference: dict[str, Any]) -> Verdict: ...

    async def close(self) -> None: ...


class ThreadGraders:
    """Grades in threads of this process: for kinds that need tools, or that cannot run away."""

    def __init__(self, tools: Tools | None = None) -> None:
        self._tools = tools or Tools()

    async def grade(self, answer: Answer, reference: dict[str, Any]) -> Verdict:
        return await asyncio.to_thread(grade, answer, reference, self._tools)

    async def close(self) -> None:
        """Nothing to end."""


class RoutedGraders:
    """Plain kinds inline, kinds that need tools in threads, everything else in killable children."""

    def __init__(self, pool: GradingPool, tools: Tools) -> None:
        self._pool = pool
        self._starting = asyncio.Lock()
        self._started = False
        self._threads = ThreadGraders(tools)

    async def grade(self, answer: Answer, reference: dict[str, Any]) -> Verdict:
        kind = reference.get("kind")
        if kind in INLINE:
            return grade(answer, reference)
        if needs_tools(reference):
            return await self._threads.grade(answer, reference)
        await self._start()
        return await self._pool.grade(answer, reference)

    async def _start(self) -> None:
        # At the first answer that needs them, so that a worker of a quiz has no children.
        async with self._starting:
            if not self._started:
                await self._pool.start()
                self._started = True

    async def close(self) -> None:
        """End the children."""
        await self._pool.close()
