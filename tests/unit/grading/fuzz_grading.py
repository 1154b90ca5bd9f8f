"""Grades mutated answers by the hundred thousand: `python -m tests.unit.grading.fuzz_grading --count 100000`.

Nothing may raise, no grade may take longer than its limit, and memory may not grow.
"""

import argparse
import json
import os
import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import psutil

from grading import Answer, Outcome, grade
from grading.kinds.math import FAULT

LIMIT_S = 0.7
"""Processor time of one grade: the pool's limit."""
MAX_GROWN_MIB = 64
SEEDS = [
    r"\frac{1}{2}",
    r"x^2+2x+1",
    r"\sqrt{\frac{2GM}{R}}",
    r"\{1,2,3\}",
    r"(-\infty,1]\cup[2,\infty)",
    "y=2x+3",
    "3.2 km/h",
    r"\begin{pmatrix}1&2\\3&4\end{pmatrix}",
    r"\int_0^1 x^2 dx",
    r"\sum_{k=1}^n k",
    r"O(n\log n)",
    r"x=k\pi, k\in\mathbb{Z}",
    r"\begin{cases}x&x>0\\-x&x\le0\end{cases}",
    r"\frac{dy}{dx}=ky",
    "5 or 6",
    r"\pm\sqrt3",
    "2:3",
    r"45^\circ",
    "1,024.5",
    r"e^{i\theta}",
    r"\text{odd}",
    "ANSWER: 12",
    r"We get \boxed{7}.",
    r"a_1+a_2+\cdots+a_n",
    r"\binom{n}{k}",
    "x>2 and x<5",
    r"\frac{1}{\sqrt2}(|0\rangle+|1\rangle)",
    r"x\equiv 3\pmod 7",
    "1 h 30 min",
    "twenty-one",
    r"\mathrm{SO_4^{2-}}",
    r"\vec a\times\vec b",
    r"\{x\in\mathbb R: x^2<4\}",
    "0.1666...",
    "$2 million",
    "25 °C",
]
PIECES = [
    *r"{}()[]^_\,;:=<>|!&%$'*+-/.~ ",
    "\\\\",
    "\\frac",
    "\\sqrt",
    "\\left(",
    "\\right)",
    "\\text{",
    "9^9^9",
    "!!",
    "\u200b",
    "π",
    "0",
]


def mutated(rng: random.Random) -> str:
    """A seed with a few insertions, deletions, repetitions and swaps, sometimes two seeds joined."""
    text = rng.choice(SEEDS)
    if rng.random() < 0.3:
        text += rng.choice(["", " ", ", ", "+", "^"]) + rng.choice(SEEDS)
    for _ in range(rng.randrange(1, 6)):
        place = rng.randrange(len(text) + 1)
        kind = rng.randrange(4)
        if kind == 0:
            text = text[:place] + rng.choice(PIECES) + text[place:]
        elif kind == 1:
            text = text[:place] + text[place + rng.randrange(1, 4) :]
        elif kind == 2:
            text = text[:place] + text[place : place + 6] * rng.randrange(2, 30) + text[place:]
        else:
            text = text[:place] + text[place:][::-1]
    return text


def run(seed: int, count: int) -> dict[str, Any]:
    """Grade `count` mutants; what was seen."""
    rng = random.Random(seed)
    slowest, where, unscored, over, raised = 0.0, "", 0, 0, 0
    resident = [rss()]
    for number in range(count):
        gold, text = rng.choice(SEEDS), mutated(rng)
        started = time.process_time()
        verdict = grade(Answer(text=text), {"kind": "math", "value": gold})
        if verdict.reason.startswith(FAULT):
            raised += 1
            sys.stderr.write(f"{verdict.reason} for {gold!r} <- {text!r}\n")
        spent = time.process_time() - started
        unscored += verdict.outcome is Outcome.UNSCORED
        if spent > slowest:
            slowest, where = spent, f"{gold} <- {text}"
        over += spent > LIMIT_S
        if number in (min(2000, count // 4), count // 2):
            resident.append(rss())
    resident.append(rss())
    sys.stderr.write(f"slowest of seed {seed}: {slowest:.3f} s for {where!r}\n")
    return {
        "count": count,
        "slowest_s": slowest,
        "over": over,
        "raised": raised,
        "unscored": unscored,
        "rss_mib": resident,
    }


def rss() -> float:
    """Resident memory of this process in MiB."""
    return round(psutil.Process().memory_info().rss / 2**20, 1)


def main() -> int:
    """All cores; exit status 1 where a bound was passed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    workers = os.cpu_count() or 1
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        seen = list(pool.map(run, range(chosen.seed, chosen.seed + workers), [chosen.count // workers] * workers))
    found = {
        "n": int(sum(part["count"] for part in seen)),
        "slowest_s": round(max(part["slowest_s"] for part in seen), 3),
        "raised": int(sum(part["raised"] for part in seen)),
        "over_limit": int(sum(part["over"] for part in seen)),
        "unscored": int(sum(part["unscored"] for part in seen)),
        "rss_mib_start_warm_middle_end": [part["rss_mib"] for part in seen],
        "grown_mib": round(max(part["rss_mib"][-1] - part["rss_mib"][1] for part in seen), 1),
    }
    sys.stdout.write(json.dumps(found) + "\n")
    return int(found["over_limit"] > 0 or found["raised"] > 0 or found["grown_mib"] > MAX_GROWN_MIB)


if __name__ == "__main__":
    sys.exit(main())
