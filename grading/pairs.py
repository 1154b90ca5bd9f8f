"""Grades a file of `{gold, pred, kind?, options?, expected?}` lines on all cores."""

import argparse
import asyncio
import json
import os
import sys
import time
from collections import deque
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from typing import Any

from grading.answer import Answer
from grading.kinds.math import MathReference
from grading.pool import GradingPool
from grading.registry import parse_reference
from grading.report import Row, summary
from grading.verdict import Outcome

SET_BY_THE_PAIR = {"kind", "value"}
SHAPES = {"set", "set of tuples", "tuple", "vector", "interval"}


def reference_of(pair: dict[str, Any]) -> dict[str, Any]:
    """The reference that a labelled pair describes: its options in this package's words."""
    options = pair.get("options") or {}
    if options.get("type") == "mc":
        return {"kind": "multiple_choice", "value": pair["gold"], "choices": options.get("choices", list("ABCD"))}
    reference: dict[str, Any] = {"kind": "math", "value": pair["gold"]}
    known = MathReference.model_fields.keys() - SET_BY_THE_PAIR
    reference.update({name: options[name] for name in known if name in options})
    if options.get("type") in SHAPES:
        reference["shape"] = options["type"]
    if "precision_abs" in options:
        reference["abs_tol"] = _tolerances(options["precision_abs"])
    if options.get("vars"):
        reference["variables"] = dict.fromkeys(options["vars"], "")
    return reference


def _tolerances(value: Any) -> Any:
    return [float(item) for item in value] if isinstance(value, list) else float(value)


async def grade_pair(pool: GradingPool, line: str) -> dict[str, Any]:
    """Grade one line; the milliseconds are those of the grade alone, measured in its process."""
    try:
        pair = json.loads(line)
        answer, reference = Answer(text=_text(pair["pred"])), parse_reference(reference_of(pair))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        why = f"the line is no pair with a gold, a pred and known options: {type(error).__name__}"
        return {
            "id": None,
            "kind": "",
            "expected": None,
            "ms": 0.0,
            "outcome": "unscored",
            "score": None,
            "reason": why,
        }
    verdict, spent = await pool.grade_timed(answer, reference)
    return {
        "id": pair.get("id"), "kind": pair.get("kind", ""), "expected": pair.get("expected"), "ms": round(spent, 3),
        "outcome": str(verdict.outcome), "score": verdict.score, "reason": verdict.reason[:300],
    }  # fmt: skip


def _text(value: Any) -> str:
    """An answer's text; lone surrogates become the sign that no reader accepts."""
    return str(value).encode("utf-8", "replace").decode()


async def graded(lines: Iterable[str], workers: int) -> AsyncIterator[dict[str, Any]]:
    """Verdicts in the order of the lines, from `workers` processes."""
    async with GradingPool(workers) as pool:
        waiting: deque[asyncio.Task[dict[str, Any]]] = deque()
        for line in lines:
            waiting.append(asyncio.create_task(grade_pair(pool, line)))
            if len(waiting) >= 4 * workers:
                yield await waiting.popleft()
        while waiting:
            yield await waiting.popleft()


def main(arguments: list[str]) -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m grading", description=__doc__)
    parser.add_argument("file", type=Path, help="JSON lines with gold and pred")
    parser.add_argument("--summary", action="store_true", help="end with a table by kind and one JSON object")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    chosen = parser.parse_args(arguments)
    return asyncio.run(_run(chosen.file, chosen.workers, summarise=chosen.summary))


async def _run(file: Path, workers: int, *, summarise: bool) -> int:
    started = time.perf_counter()
    rows: list[Row] = []
    with file.open(encoding="utf-8") as lines:
        async for row in graded((line for line in lines if line.strip()), workers):
            sys.stdout.write(json.dumps(row, ensure_ascii=True) + "\n")
            rows.append(Row(row["kind"], row["expected"], row["score"], Outcome(row["outcome"]), row["ms"]))
    if summarise:
        sys.stdout.write(summary(rows, time.perf_counter() - started) + "\n")
    return 0
