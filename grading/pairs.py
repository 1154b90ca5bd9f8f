"""Grades a file of `{gold, pred, question?, kind?, options?, expected?}` lines on all cores."""

import argparse
import asyncio
import json
import os
import sys
import time
from collections import deque
from collections.abc import AsyncIterator, Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from grading.pair_lines import Pair, pairs_of
from grading.pool import GradingPool
from grading.report import Row, summary
from grading.verdict import Outcome


async def grade_pair(pool: GradingPool, pair: Pair) -> dict[str, Any]:
    """Grade one line; the milliseconds are those of the grade alone, measured in its process."""
    row = {"line": pair.line, "id": pair.id, "kind": pair.kind, "expected": pair.expected}
    if pair.answer is None or pair.reference is None:
        why = f"line {pair.line}: {pair.problem}"
        return row | {"ms": 0.0, "outcome": "unscored", "score": None, "reason": why}
    verdict, spent = await pool.grade_timed(pair.answer, pair.reference)
    return row | {
        "ms": round(spent, 3),
        "outcome": str(verdict.outcome),
        "score": verdict.score,
        "reason": verdict.reason[:300],
    }


async def graded(pairs: Iterable[Pair], workers: int) -> AsyncIterator[dict[str, Any]]:
    """Verdicts in the order of the lines, from `workers` processes."""
    async with GradingPool(workers) as pool:
        waiting: deque[asyncio.Task[dict[str, Any]]] = deque()
        for pair in pairs:
            waiting.append(asyncio.create_task(grade_pair(pool, pair)))
            if len(waiting) >= 4 * workers:
                yield await waiting.popleft()
        while waiting:
            yield await waiting.popleft()


def main(arguments: list[str]) -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m grading", description=__doc__)
    parser.add_argument("file", help="JSON lines with gold and pred; - reads standard input")
    parser.add_argument("--summary", action="store_true", help="end with a table by kind and one JSON object")
    parser.add_argument("--workers", type=_positive, default=os.cpu_count() or 1)
    chosen = parser.parse_args(arguments)
    try:
        if chosen.file == "-":
            return asyncio.run(_run(sys.stdin.buffer, chosen.workers, summarise=chosen.summary))
        with Path(chosen.file).open("rb") as file:
            return asyncio.run(_run(file, chosen.workers, summarise=chosen.summary))
    except BrokenPipeError:
        # Whoever read our lines has gone; the interpreter must not flush into the closed pipe at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        sys.stderr.write(f"python -m grading: {chosen.file} cannot be read: {error.strerror}\n")
        return 2


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return number


async def _run(file: BinaryIO, workers: int, *, summarise: bool) -> int:
    started = time.perf_counter()
    rows: list[Row] = []
    noted: dict[str, list[int]] = {}
    async for row in graded(_noted(pairs_of(file), noted), workers):
        sys.stdout.write(json.dumps(row, ensure_ascii=True) + "\n")
        rows.append(Row(row["kind"], row["expected"], row["score"], Outcome(row["outcome"]), row["ms"]))
    if not rows:
        sys.stderr.write("no line holds a pair\n")
    for note, lines in noted.items():
        more = f" (and in {len(lines) - 1} more lines)" if len(lines) > 1 else ""
        sys.stderr.write(f"line {lines[0]}: {note}{more}\n")
    if summarise:
        sys.stdout.write(summary(rows, time.perf_counter() - started) + "\n")
    return 0


def _noted(pairs: Iterable[Pair], noted: dict[str, list[int]]) -> Iterator[Pair]:
    """The pairs, with what was passed over in them kept by its line."""
    for pair in pairs:
        for note in pair.notes:
            noted.setdefault(note, []).append(pair.line)
        yield pair
