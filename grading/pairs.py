"""Grades a file of `{gold, pred, kind?, options?, expected?}` lines on all cores."""

import argparse
import json
import multiprocessing
import os
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from grading import Answer, Outcome, grade
from grading.report import Row, summary

SHAPES = {"set", "set of tuples", "tuple", "vector", "interval"}


def reference_of(pair: dict[str, Any]) -> dict[str, Any]:
    """The reference that a labelled pair describes: its options in this package's words."""
    options = pair.get("options") or {}
    if options.get("type") == "mc":
        return {"kind": "multiple_choice", "value": pair["gold"], "choices": options.get("choices", list("ABCD"))}
    reference: dict[str, Any] = {"kind": "math", "value": pair["gold"]}
    for name in ("rel_tol", "exact", "unit", "constants", "assume", "up_to", "partial_up_to", "form", "ordered"):
        if name in options:
            reference[name] = options[name]
    if options.get("type") in SHAPES:
        reference["shape"] = options["type"]
    if "precision_abs" in options:
        reference["abs_tol"] = _tolerances(options["precision_abs"])
    if options.get("vars"):
        reference["variables"] = dict.fromkeys(options["vars"], "")
    return reference


def _tolerances(value: Any) -> Any:
    return [float(item) for item in value] if isinstance(value, list) else float(value)


def grade_pair(line: str) -> dict[str, Any]:
    """Grade one line; milliseconds are measured around the grade alone."""
    pair = json.loads(line)
    started = time.perf_counter()
    verdict = grade(Answer(text=pair["pred"]), reference_of(pair))
    spent = (time.perf_counter() - started) * 1000
    return {
        "id": pair.get("id"), "kind": pair.get("kind", ""), "expected": pair.get("expected"), "ms": round(spent, 3),
        "outcome": str(verdict.outcome), "score": verdict.score, "reason": verdict.reason[:300],
    }  # fmt: skip


def warm_up() -> None:
    """Load what the first grade of a process would otherwise be charged for."""
    sample = {"kind": "math", "value": r"\sqrt{2} x^2 + \int_0^1 t dt + e^{i\pi x}", "rel_tol": 0.01}
    grade(Answer(text=r"1 + x^2 \sqrt{2} - \sin^2 y"), sample)
    grade(Answer(text="240 cm"), {"kind": "math", "value": "2.4", "unit": "m"})


def graded(lines: Iterable[str], workers: int) -> Iterator[dict[str, Any]]:
    """Verdicts in the order of the lines."""
    if workers <= 1:
        yield from map(grade_pair, lines)
        return
    with multiprocessing.get_context("fork").Pool(workers, initializer=warm_up) as pool:
        yield from pool.imap(grade_pair, lines, chunksize=8)


def main(arguments: list[str]) -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m grading", description=__doc__)
    parser.add_argument("file", type=Path, help="JSON lines with gold and pred")
    parser.add_argument("--summary", action="store_true", help="end with a table by kind and one JSON object")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    chosen = parser.parse_args(arguments)
    started = time.perf_counter()
    rows: list[Row] = []
    with chosen.file.open(encoding="utf-8") as lines:
        for row in graded((line for line in lines if line.strip()), chosen.workers):
            sys.stdout.write(json.dumps(row, ensure_ascii=True) + "\n")
            rows.append(Row(row["kind"], row["expected"], row["score"], Outcome(row["outcome"]), row["ms"]))
    if chosen.summary:
        sys.stdout.write(summary(rows, time.perf_counter() - started) + "\n")
    return 0
