"""Whether tasks on sites may be admitted: `python -m tools.check_web PACK --at-once 1 8 --runs 3 --clicker 4`.

A task is admitted when on untouched sites the empty answer fails, "N/A" fails unless that is right, and an answer that
lists all candidates fails; when its oracle passes; and when what the oracles of the other tasks of its template leave
and say fails. `--clicker N` also lets somebody play N times who clicks at random.

Tasks that start alike (see `web_starts`) are judged on one untouched end, on the ends that their own oracles left, and
on one random play: what is seen there does not depend on the task, and each task's reference grades it by itself.

Rows are printed and written to `--results` as they come; `--resume` goes on where a run was stopped. The last line is
one JSON object; exit status 1 for a fault.
"""

import argparse
import asyncio
import json
import random
import re
import sys
import time
import zlib
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from api.admission import policies, simulation
from api.admission.judge import judge_episode
from api.admission.player import Policy
from api.admission.simulation import Simulation
from envs import registry
from envs.base import Action, Observation
from packs.pack import Pack
from packs.problem import ReferenceLine
from packs.read import read_pack
from tools.web_results import Results, Row
from tools.web_starts import Play, SharedStart, plays, shared_starts, siblings

CLICKS = 30
CLICKABLE = re.compile(r"^\t*\[(\d+)\] (link|button|checkbox|radio|combobox|textbox|searchbox) ", re.MULTILINE)
Scores = dict[str, float | None]


@dataclass
class Checked:
    """What became of one task: the score of each check (None where it could not be scored), and what was expected."""

    id: str
    expected: dict[str, float]
    scores: Scores = field(default_factory=dict)

    @property
    def faults(self) -> list[str]:
        """Checks that did not come out as they should."""
        return [name for name, score in self.expected.items() if self.scores.get(name) != score]


@dataclass(frozen=True)
class Job:
    """One episode, and the tasks that it says something of. `part` names it within a run."""

    part: str
    ids: tuple[str, ...]
    work: Callable[[], Awaitable[dict[str, Scores]]]


def notes(line: ReferenceLine) -> dict[str, Any]:
    """What the generator noted of a task: `unachievable`, and `everything`, an answer that lists all candidates."""
    return dict(json.loads(line.solution))


def answers(line: ReferenceLine) -> dict[str, str]:
    """What is said on untouched sites."""
    everything = notes(line)["everything"]
    return {"empty": "", "N/A": "N/A"} | ({"everything": everything} if everything else {})


def expected_scores(pack: Pack, line: ReferenceLine) -> dict[str, float]:
    """The scores with which a task is admitted."""
    scores = dict.fromkeys(answers(line), 0.0) | {"oracle": 1.0}
    if notes(line)["unachievable"]:
        scores["N/A"] = 1.0
    return scores | ({"sibling": 0.0} if siblings(pack, line) else {})


def seed(name: str) -> int:
    """A session's seed: another for each task, as the service gives it."""
    return zlib.crc32(name.encode())


async def untouched(start: SharedStart) -> dict[str, Scores]:
    """What the answers of those who do nothing are worth, by task."""
    (left,) = await simulation.score_answers(start.line(start.lines[0]), [""], seed=seed(start.lines[0].id))
    return {
        line.id: {name: await _score(line, left, text) for name, text in answers(line).items()} for line in start.lines
    }


async def played(pack: Pack, play: Play) -> dict[str, Scores]:
    """What an oracle's end is worth to its own task and, at best, to the other tasks of its template."""
    left = await simulation.simulate_episode(play.start.line(play.who), policies.gold(play.who), seed=seed(play.who.id))
    others = [await _score(other, left, left.answer) for other in siblings(pack, play.who) if other in play.start.lines]
    scores: dict[str, Scores] = {}
    if play.own:
        scores[play.who.id] = {"oracle": await _score(play.who, left, left.answer)}
    if others:
        scores.setdefault(play.about, {})["sibling"] = (
            None if None in others else max(filter(None, others), default=0.0)
        )
    return scores


async def clicked(start: SharedStart, number: int) -> dict[str, Scores]:
    """What somebody earns who clicks at random on pages shown as text, by task."""
    name = f"{start.lines[0].id} {number}"
    line = start.line(start.lines[0], as_text=True)
    left = await simulation.simulate_episode(line, clicker(name), seed=seed(name))
    return {line.id: {f"clicker {number}": await _score(line, left, left.answer)} for line in start.lines}


async def _score(line: ReferenceLine, left: Simulation, text: str | None) -> float | None:
    if left.error:
        return None
    return (await judge_episode(line.reference, left.finish, text, left.evidence)).score


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


def jobs(pack: Pack, ids: set[str]) -> Iterator[Job]:
    """The episodes that admit these tasks."""
    for start in shared_starts(pack):
        chosen = start.only(ids)
        if chosen.lines:
            yield Job("untouched", tuple(line.id for line in chosen.lines), partial(untouched, chosen))
    for play in plays(pack):
        if play.about in ids:
            yield Job(f"oracle of {play.who.id}", (play.about,), partial(played, pack, play))


def clicks(pack: Pack, ids: set[str], times: int) -> Iterator[Job]:
    """The random plays."""
    for start in shared_starts(pack):
        chosen = start.only(ids)
        for number in range(times if chosen.lines else 0):
            yield Job(f"clicker {number}", tuple(line.id for line in chosen.lines), partial(clicked, chosen, number))


def counts(pack: Pack) -> dict[str, Any]:
    """How many tasks a pack has: in all, by template, by category, that cannot be done, on several sites, by site."""
    specs = [line.episode.spec for line in pack.references if line.episode]
    on = [spec["sites"] for spec in specs if isinstance(spec["sites"], list)]
    return {
        "tasks": len(pack.problems),
        "templates": len({problem.group for problem in pack.problems}),
        "categories": Counter(problem.subject for problem in pack.problems),
        "unachievable": sum(notes(line)["unachievable"] for line in pack.references),
        "several_sites": sum(len(names) > 1 for names in on),
        "sites": Counter(str(name) for names in on for name in names),
    }


async def check(pack: Pack, line: ReferenceLine) -> Checked:
    """All checks of one task: what it scores, and what it should."""
    checked = Checked(line.id, expected_scores(pack, line))
    for job in jobs(pack, {line.id}):
        checked.scores |= (await job.work()).get(line.id, {})
    return checked


async def run(results: Results, name: str, todo: Sequence[Job], at_once: int) -> None:
    """Do what no row has yet, `at_once` episodes at a time."""
    slots = asyncio.Semaphore(at_once)

    async def one(job: Job) -> None:
        async with slots:
            begun = time.monotonic()
            scores_by_task = await job.work()
            for task, scores in scores_by_task.items():
                row = Row(name, job.part, task, scores, round(time.monotonic() - begun, 1))
                results.add(row)
                print(row.line())
            sys.stdout.flush()

    await asyncio.gather(*(one(job) for job in todo if not results.has(name, job.part, job.ids)))


async def runs(pack: Pack, ids: set[str], given: argparse.Namespace) -> dict[str, Any]:
    """Every run, and whether they agree."""
    results = Results.open(given.results, pack, resume=given.resume)
    names = [(f"run {number + 1} at {at_once}", at_once) for at_once in given.at_once for number in range(given.runs)]
    begun = time.monotonic()
    try:
        for name, at_once in names:
            await run(results, name, list(jobs(pack, ids)), at_once)
        await run(results, "clicker", list(clicks(pack, ids, given.clicker)), max(given.at_once))
    finally:
        await registry.close()
    faults: dict[str, list[str]] = defaultdict(list)
    for line in pack.references:
        for name, _ in names if line.id in ids else ():
            checked = Checked(line.id, expected_scores(pack, line), results.scores(name).get(line.id, {}))
            faults[line.id] += [f"{fault} in {name}" for fault in checked.faults]
    random_plays = results.scores("clicker")
    return {
        "tasks": len(ids),
        "runs": len(names),
        "checks": sum(len(expected_scores(pack, line)) for line in pack.references if line.id in ids) * len(names),
        "identical": all(results.scores(name) == results.scores(names[0][0]) for name, _ in names),
        "faults": {task: found for task, found in faults.items() if found},
        "clicker": {
            task: passed for task, scores in random_plays.items() if (passed := [k for k in scores if scores[k]])
        },
        "clicker_judged": sum(score is not None for scores in random_plays.values() for score in scores.values()),
        "clicker_unscored": sum(score is None for scores in random_plays.values() for score in scores.values()),
        "seconds": round(time.monotonic() - begun),
    }


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Admission checks of a pack of tasks on sites.")
    parser.add_argument("pack", type=Path)
    parser.add_argument("--at-once", type=int, nargs="+", default=[1])
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--clicker", type=int, default=0, metavar="N", help="random plays of each start")
    parser.add_argument("--only", default="", help="a part of the ids")
    parser.add_argument("--results", type=Path, help="a file of rows, one a task and episode")
    parser.add_argument("--resume", action="store_true", help="do not repeat what the file has on unchanged tasks")
    parser.add_argument("--counts", action="store_true", help="only say how many tasks there are of what")
    given = parser.parse_args()
    pack = read_pack(given.pack, registry)
    if given.counts:
        print(json.dumps(counts(pack)))
        return
    summary = asyncio.run(runs(pack, {line.id for line in pack.references if given.only in line.id}, given))
    print(json.dumps(summary))
    raise SystemExit(bool(summary["faults"]) or not summary["identical"])


if __name__ == "__main__":
    main()
