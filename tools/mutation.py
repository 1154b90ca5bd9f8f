"""Seeds faults into the graders' core and counts those that the tests notice, over all of them or a random sample.

`make mutation` (`SAMPLE=600 SEED=1`, `MODULES="grading.state*,grading.kinds*"` for a part,
`MODULES="!grading.language*"` for all but a part). The last line is one JSON object.
"""

import argparse
import fnmatch
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from grading.statistics.intervals import wilson

ROOT = Path(__file__).parents[1]
MADE = ROOT / "mutants"
NOTICED = frozenset({"killed", "timeout", "segfault"})
STATUS = {
    0: "survived",
    1: "killed",
    3: "killed",
    5: "no tests",
    33: "no tests",
    24: "timeout",
    -24: "timeout",
    36: "timeout",
    152: "timeout",
    255: "timeout",
    -9: "segfault",
    -11: "segfault",
}
"""mutmut's exit code for a fault to what became of it."""


def mutmut(names: list[str], workers: int, minutes: float) -> bool:
    """Let mutmut make the faulty copies, if they are not there, and try the named ones; what it tried is kept.

    Returns whether it could work; being ended after `minutes` (0: never) is no failure.
    """
    command = [sys.executable, "-W", "ignore", "-m", "mutmut", "run", "--max-children", str(workers), *names]
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=output, stderr=subprocess.STDOUT, start_new_session=True
        )
        try:
            failed = process.wait(60 * minutes or None) != 0
        except (subprocess.TimeoutExpired, KeyboardInterrupt):
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            failed = False
        if failed:
            output.seek(0)
            sys.stderr.write(output.read()[-4000:])
    return not failed


def outcomes() -> dict[str, int | None]:
    """Every fault's name with its exit code, None where it has not been tried."""
    found: dict[str, int | None] = {}
    for file in sorted(MADE.rglob("*.py.meta")):
        found.update(json.loads(file.read_text(encoding="utf-8"))["exit_code_by_key"])
    return found


def summary(names: list[str], seeded: int) -> dict[str, object]:
    """How many of the tried faults were noticed, with the interval for all of them."""
    codes = outcomes()
    tried = Counter(STATUS.get(code, "suspicious") for name in names if (code := codes.get(name)) is not None)
    total, noticed = sum(tried.values()), sum(tried[status] for status in NOTICED)
    interval = wilson(noticed, total) if total else None
    return {
        "seeded": seeded,
        "tried": total,
        "killed": tried["killed"],
        "survived": tried["survived"],
        "timeout": tried["timeout"],
        "no_tests": tried["no tests"],
        "score": round(noticed / total, 4) if total else 0.0,
        "wilson_95": [round(interval.low, 4), round(interval.high, 4)] if interval else None,
    }


def chosen_of(names: list[str], patterns: str) -> list[str]:
    """The names that some pattern of the comma-separated list fits, less those that one after `!` fits."""
    listed = [pattern.strip() for pattern in patterns.split(",") if pattern.strip()]
    wanted = [pattern for pattern in listed if not pattern.startswith("!")] or ["*"]
    unwanted = [pattern[1:] for pattern in listed if pattern.startswith("!")]
    return [
        name
        for name in sorted(names)
        if any(fnmatch.fnmatch(name, pattern) for pattern in wanted)
        and not any(fnmatch.fnmatch(name, pattern) for pattern in unwanted)
    ]


def main() -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=600, help="how many faults, 0 for all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--modules", default="*", help="patterns of the faults' names, by commas; with `!` left out")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=0.0, help="end the trials after this long, 0 for no end")
    chosen = parser.parse_args()
    # A small module first: mutmut makes all faulty copies and learns which test runs which function.
    if not mutmut(["grading.statistics.drift.*"], chosen.workers, 0):
        return 1
    everything = chosen_of(list(outcomes()), chosen.modules)
    wanted = chosen.sample or len(everything)
    names = random.Random(chosen.seed).sample(everything, min(wanted, len(everything)))
    if not mutmut(names, chosen.workers, chosen.minutes):
        return 1
    codes = outcomes()
    for name in sorted(names):
        if codes.get(name) is not None and STATUS.get(codes[name] or 0, "") in ("survived", "no tests"):
            sys.stdout.write(f"survived: {name}\n")
    result = summary(names, len(everything))
    sys.stdout.write(json.dumps(result) + "\n")
    return 0 if float(str(result["score"])) >= 0.9 else 1


if __name__ == "__main__":
    sys.exit(main())
