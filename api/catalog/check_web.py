"""Whether tasks on sites may be admitted: `python -m api.catalog.check_web PACK --at-once 1 8 --runs 3 --clicker`.

A task is admitted when on untouched sites the empty answer fails, "N/A" fails unless that is right, and an answer that
lists all candidates fails; when its oracle passes; and when the oracle of another task of its template fails.
`--clicker` also lets somebody play who clicks at random. The last line is one JSON object; exit status 1 for a fault.
"""

import argparse
import asyncio
import json
import random
import re
import sys
import time
import zlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from api.catalog import rehearse
from api.catalog.packs.format import ReferenceLine
from api.catalog.packs.pack import Pack
from api.catalog.packs.read import read_pack
from api.catalog.rehearse import Policy
from envs import registry
from envs.base import Action, Observation

CLICKS = 30
CLICKABLE = re.compile(r"^\t*\[(\d+)\] (link|button|checkbox|radio|combobox|textbox|searchbox) ", re.MULTILINE)


@dataclass(frozen=True)
class Checked:
    """What became of one task: the score of each check (None where it could not be scored), and the seconds."""

    id: str
    scores: dict[str, float | None]
    wanted: dict[str, float]
    seconds: float

    @property
    def faults(self) -> list[str]:
        """Checks that did not come out as they should."""
        return [name for name, wanted in self.wanted.items() if self.scores.get(name) != wanted]


def notes(line: ReferenceLine) -> dict[str, Any]:
    """What the generator noted of a task: `unachievable`, and `everything`, an answer that lists all candidates."""
    return dict(json.loads(line.solution))


def sibling(pack: Pack, line: ReferenceLine) -> ReferenceLine | None:
    """Another task of the same template with another right result."""
    groups = {problem.id: problem.group for problem in pack.problems}
    others = [one for one in pack.references if groups[one.id] == groups[line.id] and one.reference != line.reference]
    return next((one for one in others if one.oracle != line.oracle), None)


def seed(line: ReferenceLine) -> int:
    """A session's seed: another for each task, as the service gives it."""
    return zlib.crc32(line.id.encode())


async def check(pack: Pack, line: ReferenceLine) -> Checked:
    """All checks of one task, in three episodes: untouched, its oracle, a sibling's oracle."""
    begun = time.monotonic()
    noted, other = notes(line), sibling(pack, line)
    wanted = {"empty": 0.0, "N/A": 1.0 if noted["unachievable"] else 0.0}
    answers = {"empty": "", "N/A": "N/A"}
    if noted["everything"]:
        answers["everything"], wanted["everything"] = noted["everything"], 0.0
    claims = await rehearse.claim(line, list(answers.values()), seed=seed(line))
    scores = {name: result.verdict.score for name, result in zip(answers, claims, strict=False)}
    plays = {"oracle": line} | ({"sibling": other} if other else {})
    for name, who in plays.items():
        scores[name] = (await rehearse.rehearse(line, rehearse.gold(who), seed=seed(line))).verdict.score
        wanted[name] = 1.0 if name == "oracle" else 0.0
    return Checked(line.id, scores, wanted, time.monotonic() - begun)


def clicker(seed: str) -> Policy:
    """Somebody who clicks and types at random on what is shown, and says nothing."""
    draw = random.Random(seed)

    def act(seen: Observation, number: int) -> Action | None:
        if number >= CLICKS:
            return None
        found = CLICKABLE.findall(seen.text)
        if seen.data.get("dialog"):
            return Action(text="dialog [accept]")
        if not found or draw.random() < 0.1:
            return Action(text="go_back")
        element, role = draw.choice(found)
        if role in ("textbox", "searchbox"):
            word = draw.choice(re.findall(r"\w{3,12}", seen.text) or ["word"])
            return Action(text=f"type [{element}] [{word}] [{draw.randrange(2)}]")
        return Action(text=f"click [{element}]")

    return act


async def clicked(line: ReferenceLine) -> Checked:
    """A task played at random."""
    begun = time.monotonic()
    result = await rehearse.rehearse(line, clicker(line.id), seed=seed(line))
    return Checked(line.id, {"clicker": result.verdict.score}, {"clicker": 0.0}, time.monotonic() - begun)


async def run(pack: Pack, lines: Sequence[ReferenceLine], at_once: int, *, clicking: bool = False) -> list[Checked]:
    """Check tasks, `at_once` of them at a time."""
    slots = asyncio.Semaphore(at_once)

    async def one(line: ReferenceLine) -> Checked:
        async with slots:
            told = await (clicked(line) if clicking else check(pack, line))
        say = ", ".join(f"{name} {score}" for name, score in told.scores.items())
        print(f"{told.id}: {say} ({told.seconds:.1f} s){' FAULT ' + ','.join(told.faults) if told.faults else ''}")
        sys.stdout.flush()
        return told

    return list(await asyncio.gather(*map(one, lines)))


async def runs(pack: Pack, lines: Sequence[ReferenceLine], given: argparse.Namespace) -> dict[str, Any]:
    """Every run, and whether they agree."""
    verdicts: list[dict[str, Any]] = []
    faults: dict[str, list[str]] = defaultdict(list)
    begun = time.monotonic()
    try:
        for at_once in given.at_once:
            for _ in range(given.runs):
                told = await run(pack, lines, at_once)
                verdicts.append({one.id: one.scores for one in told})
                for one in told:
                    faults[one.id] += one.faults
        clicks = await run(pack, lines, max(given.at_once), clicking=True) if given.clicker else []
    finally:
        await registry.close()
    return {
        "tasks": len(lines),
        "runs": len(verdicts),
        "at_once": given.at_once,
        "identical": all(one == verdicts[0] for one in verdicts),
        "faults": {name: found for name, found in faults.items() if found},
        "clicker": {one.id: one.scores["clicker"] for one in clicks if one.scores["clicker"]},
        "seconds": round(time.monotonic() - begun),
    }


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Admission checks of a pack of tasks on sites.")
    parser.add_argument("pack", type=Path)
    parser.add_argument("--at-once", type=int, nargs="+", default=[1])
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--clicker", action="store_true")
    parser.add_argument("--only", default="", help="a part of the ids")
    given = parser.parse_args()
    pack = read_pack(given.pack)
    lines = [line for line in pack.references if given.only in line.id]
    told = asyncio.run(runs(pack, lines, given))
    print(json.dumps(told))
    raise SystemExit(bool(told["faults"]) or not told["identical"])


if __name__ == "__main__":
    main()
