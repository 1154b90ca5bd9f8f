"""Many responses, in processes of their own with a limit each: for training loops and large runs."""

import asyncio
import os
import threading
from collections.abc import Coroutine, Iterable, Mapping
from concurrent.futures import Future
from typing import Any, Self, TypeVar

from grading import Answer, Reference, parse_reference
from grading.pool import GradingPool, Limits
from heldout_grading.single import Gold, Graded, answer_of, reference_of

T = TypeVar("T")
Pair = tuple[str, Gold] | Mapping[str, Any]
_UNFIT = (ValueError, KeyError, TypeError)


class BatchGrader:
    """Grading processes that are kept between calls, for training loops; a context manager.

    `timeout` is seconds of processor time for one pair; past it the pair is "unscored" with the reason, and no other
    suffers, though the process that was stopped is started anew. Starting takes about half a second a process.
    """

    def __init__(self, *, processes: int | None = None, timeout: float = 0.7) -> None:
        count = processes or os.cpu_count() or 1
        self._pool = GradingPool(count, Limits(cpu_seconds=timeout, wall_seconds=max(10.0, 10 * timeout)))
        self._slots = asyncio.Semaphore(4 * count)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="heldout-grading", daemon=True)
        self._thread.start()
        try:
            self._run(self._pool.start()).result()
        except BaseException:
            self.close()
            raise

    def grade(self, pairs: Iterable[Pair]) -> list[Graded]:
        """Grade (response, gold) pairs, or mappings with the arguments of `grade`, in the order given.

        A pair whose gold or options cannot be is "unscored" with the reason, and ends nothing. From any thread, also
        inside a running event loop.
        """
        return self._run(self._all([_prepared(pair) for pair in pairs])).result()

    def close(self) -> None:
        """End the processes."""
        if self._loop.is_closed():
            return
        self._run(self._pool.close()).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *details: object) -> None:
        self.close()

    def _run(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def _all(self, prepared: list[tuple[Answer, Reference] | Graded]) -> list[Graded]:
        return list(await asyncio.gather(*(self._one(each) for each in prepared)))

    async def _one(self, prepared: tuple[Answer, Reference] | Graded) -> Graded:
        if isinstance(prepared, Graded):
            return prepared
        async with self._slots:
            return Graded.of(await self._pool.grade(*prepared))


def grade_batch(pairs: Iterable[Pair], *, processes: int | None = None, timeout: float = 0.7) -> list[Graded]:
    """Grade pairs once, in `processes` processes (default: as many as the machine has) that end with the call.

    As `BatchGrader.grade`, which keeps them between calls.
    """
    with BatchGrader(processes=processes, timeout=timeout) as grader:
        return grader.grade(pairs)


def _prepared(pair: Pair) -> tuple[Answer, Reference] | Graded:
    """What the processes are given; a verdict of its own for a pair that cannot be graded."""
    try:
        if not isinstance(pair, Mapping):
            response, gold = pair
            return Answer(text=response), parse_reference(reference_of(gold))
        given = dict(pair)
        response, gold = given.pop("response"), given.pop("gold")
        kind, choices, question = given.pop("kind", "math"), given.pop("choices", ()), given.pop("question", "")
        return answer_of(response, question), parse_reference(reference_of(gold, kind, choices, given))
    except _UNFIT as error:
        return Graded.unscored(f"the pair cannot be graded: {_told(error)}")


def _told(error: Exception) -> str:
    return f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else " ".join(str(error).split())[:300]
