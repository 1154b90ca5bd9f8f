"""The suite again and again, each time in another order: which tests failed in some runs, and which in all.

    python -m tools.flakes --runs 10 [--seed 1] [pytest's arguments ...]

Files are shuffled, and tests within a file. Ends with code 1 where a test failed in some runs only: it depends on what
ran before it, on time or on luck. A seed gives the same order again.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from xml.etree import ElementTree

import pytest

_SEED = "HELDOUT_TEST_ORDER"
# pytest's codes for what ran to its end: all passed, some failed, none was there.
_ENDED = (0, 1, 5)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Shuffle, where pytest was given `-p tools.flakes`. Each process that shares the tests has the same order."""
    if seed := os.environ.get(_SEED):
        items[:] = shuffled(items, int(seed))


def shuffled(items: list[pytest.Item], seed: int) -> list[pytest.Item]:
    """Files in another order, and the tests in each; a file's tests stay together, as its fixtures expect."""
    chance, files = random.Random(seed), defaultdict(list)
    for item in items:
        files[item.path].append(item)
    groups = list(files.values())
    chance.shuffle(groups)
    for group in groups:
        chance.shuffle(group)
    return [item for group in groups for item in group]


def failed(report: Path) -> tuple[set[str], int]:
    """Of pytest's report in JUnit's form: the tests that failed or could not begin, and how many ran."""
    cases = list(ElementTree.parse(report).iter("testcase"))
    bad = {
        f"{case.get('classname')}::{case.get('name')}"
        for case in cases
        if case.find("failure") is not None or case.find("error") is not None
    }
    return bad, len(cases)


def unsteady(runs: list[set[str]]) -> dict[str, int]:
    """How often each test failed that failed in some of the runs, and not in all."""
    counts = Counter(name for found in runs for name in found)
    return {name: count for name, count in sorted(counts.items()) if count < len(runs)}


def _run(seed: int, arguments: list[str], folder: Path) -> tuple[set[str], int]:
    report = folder / f"{seed}.xml"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tools.flakes", f"--junit-xml={report}", *arguments]
    done = subprocess.run(command, env=os.environ | {_SEED: str(seed)}, stdout=sys.stderr, check=False)
    if done.returncode not in _ENDED or not report.exists():
        raise SystemExit(f"run {seed} did not come to its end (pytest's code {done.returncode})")
    return failed(report)


def main() -> int:
    """One line a run on standard output, the last one JSON; the tests' own output goes to standard error."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1, help="of the first run; the next has the next number")
    options, arguments = parser.parse_known_args()
    runs: list[set[str]] = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.seed, options.seed + options.runs):
            bad, count = _run(seed, arguments, Path(folder))
            runs.append(bad)
            print(f"seed {seed}: {len(bad)} of {count} failed {' '.join(sorted(bad))}", flush=True)
    flakes = unsteady(runs)
    always = sorted(set.intersection(*runs)) if runs else []
    print(json.dumps({"runs": len(runs), "flakes": flakes, "failed always": always}))
    return 1 if flakes else 0


if __name__ == "__main__":
    sys.exit(main())
