"""A pool of grading processes for asynchronous callers."""

import asyncio
import json
import os
import sys
from collections.abc import Mapping
from typing import Any, Self

from grading.answer import Answer
from grading.pool.limits import Limits
from grading.reference import Reference
from grading.registry import parse_reference, stamped
from grading.verdict import Verdict

_LINE = 64 << 20
_START_SECONDS = 120.0


class PoolClosedError(RuntimeError):
    """The pool was closed, or its processes cannot be started."""


class _Worker:
    """One child process; `process` is None until it has been started."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.process: asyncio.subprocess.Process | None = None
        self.grades = 0

    async def start(self) -> None:
        """Start the child and wait until it has confined itself."""
        environment = {name: os.environ[name] for name in ("PATH", "PYTHONPATH", "LANG") if name in os.environ}
        self.process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            f"{__package__}.child",
            json.dumps(self.limits.as_dict()),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=environment | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
            limit=_LINE,
        )
        self.grades = 0
        if await asyncio.wait_for(self._line(), _START_SECONDS) != "ready":
            await self.stop()
            raise PoolClosedError("a grading process did not start")

    def _pipes(self) -> tuple[asyncio.StreamWriter, asyncio.StreamReader]:
        process = self.process
        if process is None or process.stdin is None or process.stdout is None:
            raise ConnectionError("the grading process was stopped")
        return process.stdin, process.stdout

    async def _line(self) -> str:
        return (await self._pipes()[1].readline()).decode().strip()

    async def ask(self, request: str) -> dict[str, Any]:
        """One exchange. Raises TimeoutError past the wall limit, EOFError where the child died."""
        self._pipes()[0].write(request.encode() + b"\n")
        self.grades += 1
        line = await asyncio.wait_for(self._line(), self.limits.wall_seconds)
        if not line:
            raise EOFError
        reply: dict[str, Any] = json.loads(line)
        return reply

    @property
    def fit(self) -> bool:
        """Whether the child can take another request."""
        return self.process is not None and self.process.returncode is None and self.grades < self.limits.recycle_after

    async def stop(self) -> None:
        """Kill the child and wait for its end."""
        if self.process is None:
            return
        if self.process.returncode is None:
            try:
                self.process.kill()
            except ProcessLookupError:
                self.process = None
                return
        await self.process.wait()
        self.process = None


class GradingPool:
    """`workers` processes, each grading one answer at a time. Use as an asynchronous context manager."""

    def __init__(self, workers: int | None = None, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self._count = workers or os.cpu_count() or 1
        self._idle: asyncio.Queue[_Worker] = asyncio.Queue()
        self._all: list[_Worker] = []
        self._open = False

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *details: object) -> None:
        await self.close()

    async def start(self) -> None:
        """Start every process; returns when all are ready."""
        self._all = [_Worker(self.limits) for _ in range(self._count)]
        await asyncio.gather(*(worker.start() for worker in self._all))
        for worker in self._all:
            self._idle.put_nowait(worker)
        self._open = True

    async def close(self) -> None:
        """Kill every process. Grades under way end as unscored."""
        self._open = False
        await asyncio.gather(*(worker.stop() for worker in self._all))

    async def grade(self, answer: Answer, reference: Reference | Mapping[str, Any]) -> Verdict:
        """Grade one answer; `unscored` with a reason where the process was stopped.

        Raises UnknownKindError or ValidationError for a malformed reference, PoolClosedError after `close`.
        """
        verdict, _ = await self.grade_timed(answer, reference)
        return verdict

    async def grade_timed(self, answer: Answer, reference: Reference | Mapping[str, Any]) -> tuple[Verdict, float]:
        """The verdict, and the milliseconds spent in the process (wall limit where it was killed)."""
        typed = reference if isinstance(reference, Reference) else parse_reference(reference)
        request = json.dumps(
            {"answer": answer.model_dump(mode="json"), "reference": typed.model_dump(mode="json")}, ensure_ascii=True
        )
        reply = await self._exchange(request)
        if "verdict" in reply:
            return Verdict.model_validate(reply["verdict"]), float(reply["ms"])
        return stamped(Verdict.unscored(reply["fault"]), typed), float(reply["ms"])

    async def _exchange(self, request: str) -> dict[str, Any]:
        if not self._open:
            raise PoolClosedError("the pool is not open")
        worker = await self._idle.get()
        try:
            if not worker.fit:
                await worker.stop()
                await worker.start()
            return await self._asked(worker, request)
        finally:
            self._idle.put_nowait(worker)

    async def _asked(self, worker: _Worker, request: str) -> dict[str, Any]:
        """One exchange; a child that is late or dead is killed and replaced at its next turn."""
        try:
            reply = await worker.ask(request)
        except TimeoutError:
            await worker.stop()
            spent = self.limits.wall_seconds
            return {"fault": f"the grader was stopped after {spent:g} s", "ms": spent * 1000}
        except (EOFError, ConnectionError):
            await worker.stop()
            return {"fault": "the grading process ended before it answered", "ms": 0.0}
        except BaseException:
            await worker.stop()
            raise
        if "fault" in reply:
            await worker.stop()
        return reply
