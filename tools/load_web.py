"""The browser under load: oracles of a pack on sites, and tests, with busy loops beside them. No verdict may differ."""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from api.admission import policies, simulation
from envs import registry
from packs.problem import ReferenceLine
from packs.read import read_pack
from tools.web_starts import BUSY_SECONDS


@contextmanager
def busy(loops: int) -> Iterator[None]:
    """Processes that do nothing but use a processor."""
    running = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(loops)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


def patient(line: ReferenceLine) -> ReferenceLine:
    """A task with more time than a participant has: a busy machine is no reason to fail."""
    assert line.episode
    spec = line.episode.spec | {"timeout": BUSY_SECONDS}
    return line.model_copy(update={"episode": line.episode.model_copy(update={"spec": spec})})


async def oracles(pack: Path, count: int, at_once: int) -> dict[str, Any]:
    """Play the oracles of `count` tasks; every one of them is right."""
    read = read_pack(pack, registry)
    lines = [patient(line) for line in read.references if line.episode and line.episode.environment == "web_sites"]
    chosen = lines[:: max(1, len(lines) // count)][:count] if count else lines
    begun = time.monotonic()
    try:
        done = await simulation.simulate_episodes(chosen, policies.gold, at_once=at_once)
    finally:
        await registry.close()
    wrong = {one.id: one.error or one.verdict.reason for one in done if one.verdict.score != 1.0}
    return {"oracles": len(done), "right": len(done) - len(wrong), "wrong": wrong, "seconds": time.monotonic() - begun}


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Oracles and tests of the browser with busy loops beside them.")
    parser.add_argument("pack", type=Path)
    parser.add_argument("--loops", type=int, default=8)
    parser.add_argument("--oracles", type=int, default=100, help="so many, drawn evenly; 0 for all")
    parser.add_argument("--at-once", type=int, default=6)
    parser.add_argument("--tests", nargs="*", default=[], help="test files")
    parser.add_argument("--workers", type=int, default=2, help="so many tests at once, beside the oracles")
    given = parser.parse_args()
    with busy(given.loops):
        # One after the other they would take hours, and the machine would be less busy.
        line = [sys.executable, "-m", "pytest", "-q", "-n", str(given.workers), "--dist", "loadfile"]
        line += ["--timeout", "900", *given.tests]
        tests = subprocess.Popen(line) if given.tests else None
        found = asyncio.run(oracles(given.pack, given.oracles, given.at_once))
        print(json.dumps(found), flush=True)
        failed = tests.wait() if tests else 0
    found |= {"loops": given.loops, "load": os.getloadavg()[0], "tests": len(given.tests), "tests_failed": failed}
    print(json.dumps(found))
    raise SystemExit(bool(found["wrong"] or failed))


if __name__ == "__main__":
    main()
