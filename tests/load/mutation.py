"""Seeds faults into the graders' core and counts those that the tests notice, over all of them or a random sample.

`make mutation` (`SAMPLE=600 SEED=1`, `MODULES="grading.state*"` for a part). The last line is one JSON object.
"""

import argparse
import fnmatch
import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from grading.statistics.intervals import wilson

ROOT = Path(__file__).parents[2]
MADE = ROOT / "mutants"
BATCH = 40
NOTICED = frozenset({"killed", "timeout", "segfault"})
STATUS = {
    0: "survived", 1: "killed", 3: "killed", 5: "no tests", 33: "no tests", 24: "timeout", -24: "timeout",
    36: "timeout", 152: "timeout", 255: "timeout", -9: "segfault", -11: "segfault",
}  # fmt: skip
"""mutmut's exit code for a fault to what became of it."""


def mutmut(*names: str, workers: int) -> int:
    """Let mutmut make the faulty copies, if they are not there, and try the named ones."""
    command = [sys.executable, "-W", "ignore", "-m", "mutmut", "run", "--max-children", str(workers), *names]
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if done.returncode:
        sys.stderr.write(done.stdout[-4000:])
    return done.returncode


def outcomes() -> dict[str, int | None]:
    """Every fault's name with its exit code, None where it has not been tried."""
    found: dict[str, int | None] = {}
    for file in sorted(MADE.rglob("*.py.meta")):
        found.update(json.loads(file.read_text(encoding="utf-8"))["exit_code_by_key"])
    return found


def batches(names: list[str]) -> Iterator[list[str]]:
    """Names in parts, so that what is done is kept when the run is ended early."""
    for start in range(0, len(names), BATCH):
        yield names[start : start + BATCH]


def summary(names: list[str], seeded: int) -> dict[str, object]:
    """How many of the tried faults were noticed, with the interval for all of them."""
    codes = outcomes()
    tried = Counter(STATUS.get(codes[name], "suspicious") for name in names if codes.get(name) is not None)
    total, noticed = sum(tried.values()), sum(tried[status] for status in NOTICED)
    interval = wilson(noticed, total) if total else None
    return {
        "seeded": seeded, "tried": total, "killed": tried["killed"], "survived": tried["survived"],
        "timeout": tried["timeout"], "no_tests": tried["no tests"],
        "score": round(noticed / total, 4) if total else 0.0,
        "wilson_95": [round(interval.low, 4), round(interval.high, 4)] if interval else None,
    }  # fmt: skip


def main() -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=600, help="how many faults, 0 for all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--modules", default="*", help="pattern of the faults' names")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=0.0, help="begin no new batch after this long, 0 for no end")
    chosen = parser.parse_args()
    # A small module first: mutmut makes all faulty copies and learns which test runs which function.
    if mutmut("grading.statistics.repeated.*", workers=chosen.workers):
        return 1
    everything = sorted(name for name in outcomes() if fnmatch.fnmatch(name, chosen.modules))
    wanted = chosen.sample or len(everything)
    names = sorted(random.Random(chosen.seed).sample(everything, min(wanted, len(everything))))
    random.Random(chosen.seed).shuffle(names)
    ends = os.times().elapsed + 60 * chosen.minutes if chosen.minutes else float("inf")
    for part in batches(names):
        if os.times().elapsed > ends:
            break
        mutmut(*part, workers=chosen.workers)
        sys.stdout.write(json.dumps(summary(names, len(everything))) + "\n")
        sys.stdout.flush()
    codes = outcomes()
    for name in sorted(names):
        if codes.get(name) is not None and STATUS.get(codes[name] or 0, "") in ("survived", "no tests"):
            sys.stdout.write(f"survived: {name}\n")
    result = summary(names, len(everything))
    sys.stdout.write(json.dumps(result) + "\n")
    return 0 if float(str(result["score"])) >= 0.9 else 1


if __name__ == "__main__":
    sys.exit(main())
