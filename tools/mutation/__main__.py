"""The command line: `python -m tools.mutation`; the last line is one JSON object."""

import argparse
import fnmatch
import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from grading.statistics.intervals import wilson
from tools.mutation.faults import Fault, faults_of
from tools.mutation.trial import HANGS, IMPOSSIBLE, KILLED, Trial, counted

ROOT = Path(__file__).parents[2]
SOURCES = ("language", "equivalence", "kinds", "matching", "state", "statistics", "forms", "judging", "webarena")
OPTIONS = ("-q", "-m", "not slow", "-p", "no:xdist", "-p", "no:cacheprovider")
UNSEEN = ("tests/unit/grading/test_grading_pool.py",)
"""Its graders run in other processes, which have no fault."""
GOAL = 0.9


def modules_of(patterns: str, since: str) -> list[Path]:
    """Modules that some pattern of the comma-separated list fits, less those that one after `!` fits."""
    listed = [pattern.strip() for pattern in patterns.split(",") if pattern.strip()]
    wanted = [pattern for pattern in listed if not pattern.startswith("!")] or ["*"]
    unwanted = [pattern[1:] for pattern in listed if pattern.startswith("!")]
    found = [file for folder in SOURCES for file in sorted((ROOT / "grading" / folder).rglob("*.py"))]
    if since:
        command = ["git", "diff", "--name-only", since, "--", "grading"]
        changed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
        found = [file for file in found if str(file.relative_to(ROOT)) in changed]
    named = {file: ".".join(file.relative_to(ROOT).with_suffix("").parts) for file in found}
    return [
        file
        for file, name in named.items()
        if file.stem not in ("__init__", "simulation")
        and any(fnmatch.fnmatch(name, pattern) for pattern in wanted)
        and not any(fnmatch.fnmatch(name, pattern) for pattern in unwanted)
    ]


def tried(faults: list[Fault], tests: list[str], workers: int, seconds: float, minutes: float) -> dict[int, str]:
    """What became of each fault, by its place in the list. Raises RuntimeError where the tests cannot be run."""
    trial = Trial(faults, ROOT / "grading", workers, seconds, minutes)
    left_out = [f"--ignore={file}" for file in UNSEEN]
    code = pytest.main([*OPTIONS, *left_out, *tests], plugins=[trial])
    if not trial.outcomes:
        raise RuntimeError(f"pytest ended with {code} before any fault was tried")
    return trial.outcomes


def main() -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=600, help="how many faults, 0 for all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--modules", default="*", help="patterns of modules' names, by commas; with `!` left out")
    parser.add_argument("--since", default="", help="only modules that changed since this commit")
    parser.add_argument("--tests", nargs="*", default=["tests/unit/grading"], help="files or folders of tests")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=120.0, help="processor time of tests for a fault, at most")
    parser.add_argument("--minutes", type=float, default=0.0, help="begin no trial after so long, 0 for no end")
    chosen = parser.parse_args()
    every = [fault for file in modules_of(chosen.modules, chosen.since) for fault in faults_of(file)]
    faults = random.Random(chosen.seed).sample(every, min(chosen.sample or len(every), len(every)))
    outcomes = tried(faults, chosen.tests, chosen.workers, chosen.seconds, chosen.minutes)
    counts = dict(counted(outcomes))
    total = len(outcomes) - counts.get(IMPOSSIBLE, 0)
    noticed = counts.get(KILLED, 0) + counts.get(HANGS, 0)
    interval = wilson(noticed, total)
    result = {
        "faults": len(every),
        "tried": total,
        **counts,
        "score": round(noticed / total, 4),
        "wilson_95": [round(interval.low, 4), round(interval.high, 4)],
    }
    sys.stdout.write(json.dumps(result) + "\n")
    return 0 if noticed >= GOAL * total else 1


if __name__ == "__main__":
    sys.exit(main())
