"""Many responses, in processes of their own with a limit each: for training loops and large runs."""

import asyncio
import os
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from grading import Answer, Reference, parse_reference
from grading.pool import GradingPool, Limits
from heldout_grading.single import Graded, reference_of

Pair = tuple[str, str] | Mapping[str, Any]


def grade_batch(pairs: Iterable[Pair], *, processes: int | None = None, timeout: float = 0.7) -> list[Graded]:
    """Grade (response, gold) pairs, or mappings with the arguments of `grade`, on `processes` processes (default: all).

    `timeout` is seconds of processor time for one pair; past it the pair is "unscored" with the reason, and no other
    suffers. Results are in the order given. Works inside a running event loop too.
    """
    limits = Limits(cpu_seconds=timeout, wall_seconds=max(10.0, 10 * timeout))
    prepared = [_prepared(pair) for pair in pairs]
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, _grade_all(prepared, processes or os.cpu_count() or 1, limits)).result()


def _prepared(pair: Pair) -> tuple[Answer, Reference]:
    if not isinstance(pair, Mapping):
        response, gold = pair
        return Answer(text=response), parse_reference(reference_of(gold))
    given = dict(pair)
    response, gold = given.pop("response"), given.pop("gold")
    kind, choices = given.pop("kind", "math"), given.pop("choices", ())
    return Answer(text=response), parse_reference(reference_of(gold, kind, choices, given))


async def _grade_all(prepared: list[tuple[Answer, Reference]], processes: int, limits: Limits) -> list[Graded]:
    async with GradingPool(processes, limits) as pool:
        slots = asyncio.Semaphore(4 * processes)

        async def one(answer: Answer, reference: Reference) -> Graded:
            async with slots:
                return Graded.of(await pool.grade(answer, reference))

        return list(await asyncio.gather(*(one(answer, reference) for answer, reference in prepared)))
