"""Does hostile input make the grading pool grow? `make pool-memory` (COUNT=): resident memory as it is graded.

Answers that nest, tower, repeat and explode, each many times in another dress, and the published hostile pairs where
they are at hand. One line a tenth of the way; the last line is one JSON object. Memory is that of this process and of
each child, in MB; a child that was killed and replaced starts anew.
"""

import argparse
import asyncio
import itertools
import json
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil

from grading import Answer, Verdict
from grading.pair_lines import reference_of
from grading.pool import GradingPool

REFERENCE = {"kind": "math", "value": r"\frac{x^2}{2} + \sqrt{2}"}


def hostile(number: int) -> str:
    """An answer that asks for more than it is worth."""
    kinds = (
        "(" * (50 + number % 400) + "x" + ")" * (50 + number % 400),
        "^".join(str(9 + number % 7) for _ in range(2 + number % 30)),
        f"{number % 90 + 10}!" + "!" * (number % 9),
        r"\sum_{k=1}^{" + str(10 ** (number % 12)) + r"} \frac{1}{k^" + str(number % 9 + 1) + "+x}",
        "x+" * (number % 1500) + "x",
        r"\frac{1}{" * (number % 60) + "x" + "}" * (number % 60),
        r"\int_0^{" + str(number) + r"} e^{e^{e^{t}}} dt",
        f"{'9' * (number % 3000 + 1)}",
        r"\begin{pmatrix}" + "&".join(f"x^{{{place % 40}}}" for place in range(number % 300)) + r"\end{pmatrix}",
    )
    return kinds[number % len(kinds)]


def questions(folder: Path) -> Iterator[tuple[Answer, dict[str, Any]]]:
    """Hostile answers without end."""
    path = folder / "math" / "pairs_open" / "adversarial.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []
    published = itertools.cycle([(Answer(text=str(row["pred"])), reference_of(row)) for row in rows])
    for number in itertools.count():
        yield Answer(text=hostile(number)), REFERENCE
        if rows:
            yield next(published)


def resident(pool: GradingPool) -> tuple[float, list[float]]:
    """MB of this process, and of each child that lives."""
    children = [
        round(psutil.Process(worker.process.pid).memory_info().rss / 1e6, 1)
        for worker in pool._all
        if worker.process is not None and worker.process.returncode is None
    ]
    return round(psutil.Process().memory_info().rss / 1e6, 1), children


async def measure(count: int, workers: int, folder: Path) -> dict[str, Any]:
    """Grade `count` answers, at most two for each worker at once."""
    outcomes: Counter[str] = Counter()
    source = questions(folder)
    seen: list[dict[str, Any]] = []
    async with GradingPool(workers) as pool:
        slots = asyncio.Semaphore(2 * workers)

        async def one(answer: Answer, reference: dict[str, Any]) -> Verdict:
            async with slots:
                return await pool.grade(answer, reference)

        for part in range(11):
            start = time.perf_counter()
            if part:
                asked = [one(*next(source)) for _ in range(count // 10)]
                outcomes.update(verdict.outcome.value for verdict in await asyncio.gather(*asked))
            own, children = resident(pool)
            seen.append({"graded": part * (count // 10), "parent": own, "children": children})
            print(
                f"{seen[-1]['graded']:8} graded: parent {own} MB, children {children} MB "
                f"({time.perf_counter() - start:.1f} s)",
                flush=True,
            )
    # The first part loads what is loaded on first use; growth is counted from there.
    growth = seen[-1]["parent"] - seen[1]["parent"]
    largest = max(child for row in seen for child in row["children"])
    return {
        "answers": count // 10 * 10,
        "outcomes": dict(outcomes),
        "parent_start_mb": seen[1]["parent"],
        "parent_end_mb": seen[-1]["parent"],
        "parent_growth_mb": round(growth, 1),
        "largest_child_mb": largest,
        "children_start_mb": seen[1]["children"],
        "children_end_mb": seen[-1]["children"],
    }


def main() -> None:
    """Print the table and the summary."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    chosen = parser.parse_args()
    print(json.dumps(asyncio.run(measure(chosen.count, chosen.workers, chosen.data))))


if __name__ == "__main__":
    main()
