"""Runs the corpus: `make corpus SEED=7 COUNT=5000`; without a seed, every kept one (`seeds.txt`), for a nightly job."""

import argparse
import json
import sys
from pathlib import Path

from tests.unit.grading.corpus.composing import cases
from tests.unit.grading.corpus.golds import BUILT_IN, published
from tests.unit.grading.corpus.tally import tallied

SEEDS = [int(line) for line in (Path(__file__).parent / "seeds.txt").read_text(encoding="utf-8").split()]


def main() -> int:
    """Prints the tables of each seed; with `--failures`, that many cases as lines of labelled pairs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, action="append", help="may be given several times")
    parser.add_argument("--count", type=int, default=5000, help="cases of each seed")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--failures", type=int, default=0)
    chosen = parser.parse_args()
    problems = chosen.data / "math" / "problems"
    golds = list(BUILT_IN)
    if problems.is_dir():
        more = list(published(problems))
        golds = golds * max(1, len(more) // (2 * len(golds))) + more
    else:
        sys.stdout.write(f"no problem sets at {problems}: the built-in golds only\n")
    for seed in chosen.seed or SEEDS:
        tally = tallied(cases(golds, seed, chosen.count))
        sys.stdout.write(f"seed {seed}, {chosen.count} cases, {len(set(map(str, golds)))} golds\n")
        sys.stdout.write("".join(f"{line}\n" for line in tally.lines()))
        for case, reason in tally.failures[: chosen.failures]:
            line = case.pair() | {"dresses": case.dresses, "reason": reason}
            sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
