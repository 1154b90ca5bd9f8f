"""Where a grade is computed."""

import asyncio
from typing import Any, Protocol

from grading import Answer, Tools, Verdict, grade


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
