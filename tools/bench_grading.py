"""Compares the grader with math-verify on the same labelled pairs in one run, in processor time of one core.

`python -m tools.bench_grading FILE.jsonl ... [--step N]`; needs the dependency group `bench`.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from math_verify import parse, verify

from grading import Answer, grade
from grading.pair_lines import reference_of
from grading.report import percentile

BLOCK = 10
"""Pairs that one grader takes before the other has its turn."""
DELIMITERS = ("$", "\\(", "\\[", "\\boxed")


def theirs(pair: dict[str, Any]) -> bool:
    """Math-verify in its kindest plain configuration: undelimited texts are put between dollars."""
    gold, given = (
        text if any(mark in text for mark in DELIMITERS) else f"${text}$" for text in (pair["gold"], pair["pred"])
    )
    return bool(verify(parse(gold), parse(given)))


def ours(pair: dict[str, Any]) -> bool:
    """This project's grader, under the options of the pair."""
    return grade(Answer(text=pair["pred"]), reference_of(pair)).score == 1


def times_of(pairs: list[dict[str, Any]], accepts: Callable[[dict[str, Any]], bool]) -> list[tuple[bool, float]]:
    """The verdict and the milliseconds of processor time of each pair."""
    found = []
    for pair in pairs:
        started = time.process_time()
        verdict = accepts(pair)
        found.append((verdict, (time.process_time() - started) * 1000))
    return found


def in_turn(pairs: list[dict[str, Any]]) -> dict[str, list[tuple[bool, float]]]:
    """What `times_of` finds for both graders, a block of pairs each in turn: load falls on both alike."""
    graders = {"ours": ours, "math_verify": theirs}
    found: dict[str, list[tuple[bool, float]]] = {name: [] for name in graders}
    for accepts in graders.values():
        accepts(pairs[0])
    for start in range(0, len(pairs), BLOCK):
        for name, accepts in graders.items():
            found[name] += times_of(pairs[start : start + BLOCK], accepts)
    return found


def summary(pairs: list[dict[str, Any]], found: list[tuple[bool, float]]) -> dict[str, float]:
    """Share right, wrong accepted, and milliseconds of processor time of one grader.

    `median_first_ms` is of the pairs whose gold was not seen before: both graders keep what they found out of a gold.
    """
    times = [spent for _, spent in found]
    first = {pair["gold"]: spent for pair, spent in zip(reversed(pairs), reversed(times), strict=True)}
    return {
        "right": round(sum(v == p["expected"] for p, (v, _) in zip(pairs, found, strict=True)) / len(pairs), 4),
        "false_positives": sum(v and not p["expected"] for p, (v, _) in zip(pairs, found, strict=True)),
        "median_ms": round(percentile(times, 0.5), 2),
        "median_first_ms": round(percentile(list(first.values()), 0.5), 2),
        "p99_ms": round(percentile(times, 0.99), 1),
        "pairs_per_s": round(1000 * len(pairs) / sum(times), 1),
    }


def main() -> int:
    """One JSON line for each file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--step", type=int, default=1, help="every how many-th pair")
    chosen = parser.parse_args()
    for file in chosen.files:
        pairs = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()[:: chosen.step]]
        both = {name: summary(pairs, found) for name, found in in_turn(pairs).items()}
        ratios = {
            name.replace("ms", "ratio"): round(both["math_verify"][name] / both["ours"][name], 1)
            for name in ("median_ms", "median_first_ms")
        }
        found = {"file": file.name, "n": len(pairs), **both, **ratios}
        sys.stdout.write(json.dumps(found) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
