"""TurkingBench's numbers on this machine: oracle, doing nothing and guessing, by task and by split.

`make check-turkingbench SOURCE=folder OUT=docs/turkingbench-table.md` writes one line a task.
"""

import argparse
import asyncio
import contextlib
import random
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean
from typing import Any

from api.catalog.importers import turkingbench
from api.catalog.importers.report import Report
from api.catalog.importers.turkingbench_fields import Survey
from api.catalog.importers.turkingbench_read import Instance, Task, sample, tasks
from api.catalog.packs.format import ReferenceLine
from envs.base import Action, InfrastructureError, Probe, ToolCall
from envs.browser import chromium
from envs.browser.actions import parse
from envs.browser.errors import ActionFailed
from envs.browser.perform import perform
from envs.web_forms import create
from grading.answer import Answer, Evidence
from grading.forms import published
from grading.kinds.form import FormReference
from grading.registry import grade
from grading.verdict import Verdict
from tests.load import turkingbench_plain

AGREE = 1e-6
AT_ONCE = 4
VERBS = {"radio": "modify_radio", "checkbox": "modify_checkbox", "select": "modify_select", "range": "modify_range"}


@dataclass
class Row:
    """One task: the scores of its instances.

    `answers`: its answer columns; `fields`: the most of them that the published code counts in one instance (displayed
    at load, and not a free text that nobody filled); `renders`: there is one.
    """

    task: str
    split: str
    note: str = ""
    answers: int = 0
    fields: int = 0
    oracle: list[float] = field(default_factory=list)
    nothing: list[float] = field(default_factory=list)
    independent: list[float] = field(default_factory=list)
    guess: list[float] = field(default_factory=list)
    corrected: list[float] = field(default_factory=list)

    @property
    def renders(self) -> bool:
        """Whether any instance has a counted field at load."""
        return self.fields > 0


async def measure(source: Path, instances: int, seed: int, splits: tuple[str, ...] = ()) -> list[Row]:
    """Every task's numbers under the published scoring (and the oracle's under the corrected one).

    `splits` limits the tasks to some splits; empty is all.
    """
    chosen = [task for task in tasks(source) if not splits or task.split in splits]
    slots = asyncio.Semaphore(AT_ONCE)
    try:
        rows = await asyncio.gather(*(_row(task, instances, seed, slots) for task in chosen))
    finally:
        await chromium.shared().close()
    numbers = {task.name: [item.index for item in sample(task, instances, seed)] for task in chosen}
    counted = await turkingbench_plain.nothing_scores(source, numbers)
    for row in rows:
        row.independent = counted[row.task]
    return rows


async def _row(task: Task, instances: int, seed: int, slots: asyncio.Semaphore) -> Row:
    async with slots:
        try:
            row = await _played_task(task, sample(task, instances, seed))
        except InfrastructureError as error:
            print(f"again: {task.name}: {error}", file=sys.stderr, flush=True)
            row = await _played_task(task, sample(task, instances, seed))
    print(f"played: {task.name}", file=sys.stderr, flush=True)
    return row


async def _played_task(task: Task, chosen: list[Instance]) -> Row:
    row = Row(task.name, task.split, note="" if task.instances else "no batch.csv")
    for instance in chosen:
        row.answers = len(instance.answers)
        await _measure(row, task, instance)
    return row


async def _measure(row: Row, task: Task, instance: Instance) -> None:
    survey = await turkingbench.survey(task, instance)
    built = turkingbench.judged(task, instance, survey, "published", Report(task.name))
    if built is None or isinstance(survey, str):
        row.nothing.append(0.0)
        row.oracle.append(0.0)
        row.note = row.note or (survey if isinstance(survey, str) else "no answered field on the page at load")
        return
    line = built[1]
    evidence = (Evidence(name=turkingbench.FORM, value=survey.evidence),)
    nothing = grade(Answer(evidence=evidence), line.reference)
    row.fields = max(row.fields, sum(map(published.counts, FormReference.model_validate(line.reference).fields)))
    row.nothing.append(nothing.score or 0.0)
    row.guess.append((await _played(line, _guesses(line, survey))).score or 0.0)
    played = await _played(line, [Action.model_validate(act) for act in line.oracle])
    row.oracle.append(played.score or 0.0)
    row.corrected.append(float(str(played.detail.get("corrected", 0.0))))


def _answered(line: ReferenceLine, survey: Survey) -> Iterable[dict[str, Any]]:
    found = survey.fields()
    return (found[item["name"]] for item in line.reference["fields"] if item["name"] in found)


async def _played(line: ReferenceLine, acts: list[Action]) -> Verdict:
    """The actions done without looking in between, which costs most of an episode's time, and graded."""
    world = create()
    try:
        await world.reset(dict(line.episode.spec) if line.episode else {}, 0)
        for act in acts:
            with contextlib.suppress(ActionFailed):
                await perform(world.session, parse(act))
        seen = (await world.probe([Probe(name=turkingbench.FORM, kind=turkingbench.FORM)]))[0]
    finally:
        await world.close()
    return grade(Answer(evidence=(Evidence.model_validate(seen.model_dump()),)), line.reference)


def _guesses(line: ReferenceLine, survey: Survey) -> list[Action]:
    """A participant who picks at random: an option of each field, or one word of nothing in particular."""
    rng = random.Random(line.id)
    return [Action(tool=_guess(item, rng)) for item in _answered(line, survey) if item["reachable"]]


def _guess(item: dict[str, Any], rng: random.Random) -> ToolCall:
    options, kind = [str(option) for option in item["options"]], item["type"]
    if kind == "checkbox":
        value = "|".join(option for option in options if rng.random() < 0.5)
    elif kind == "range":
        value = str(rng.randint(int(item["min"]), max(int(item["min"]), int(item["max"]))))
    else:
        value = rng.choice(options) if options else "something"
    return ToolCall(name=VERBS.get(kind, "modify_text"), arguments={"name": item["name"], "value": value})


def told(rows: list[Row]) -> list[str]:
    """The summary by split, and each task on which the two do-nothing calculations differ."""
    lines = ["split  tasks  shown  oracle  nothing  independent  random  oracle-corrected"]
    for split in ("easy", "hard", "subjective", "train", "all"):
        part = [row for row in rows if split in (row.split, "all") and row.nothing]
        shown = [row for row in part if row.renders]
        scores = [_mean(getattr(row, name) for row in shown) for name in ("oracle", "nothing", "independent", "guess")]
        last = _mean(row.corrected for row in shown)
        lines.append(
            "  ".join([f"{split:10}", str(len(part)), str(len(shown)), *(f"{s:.4f}" for s in [*scores, last])])
        )
    for row in rows:
        if row.nothing and abs(mean(row.nothing) - mean(row.independent)) > AGREE:
            lines.append(f"differs: {row.task}: {mean(row.nothing):.4f} and {mean(row.independent):.4f}")
        if row.renders and mean(row.oracle) < 0.99:
            lines.append(f"oracle: {row.task}: {mean(row.oracle):.4f} {row.note}")
    hidden = [row.task for row in rows if row.nothing and not row.renders]
    lines.append(f"no answered field displayed at load: {len(hidden)}: {', '.join(hidden)}")
    lines.append(f"without answers: {', '.join(row.task for row in rows if not row.nothing)}")
    return lines


def _mean(values: Iterable[list[float]]) -> float:
    means = [mean(value) for value in values if value]
    return mean(means) if means else 0.0


def table(rows: list[Row]) -> str:
    """A Markdown table with one line a task; a score is a mean over the task's instances."""
    names = ("oracle", "nothing", "independent", "guess", "corrected")
    heads = ("task", "split", "instances", "fields", "renders", "oracle", "do-nothing", "independent", "random")
    lines = [_line([*heads, "oracle, corrected", "note"]), _line(["---"] * 2 + ["---:"] * 8 + ["---"])]
    for row in rows:
        scores = [f"{mean(getattr(row, name)):.3f}" if getattr(row, name) else "" for name in names]
        fields = f"{row.fields} of {row.answers}" if row.answers else ""
        shown = "yes" if row.renders else "no"
        lines.append(_line([row.task, row.split, str(len(row.nothing)), fields, shown, *scores, row.note]))
    return "\n".join(lines) + "\n"


def _line(cells: list[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Oracle and do-nothing scores of TurkingBench, by split.")
    parser.add_argument("source", type=Path)
    parser.add_argument("--out", type=Path, help="file for the table by task")
    parser.add_argument("--instances", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--splits", nargs="*", default=[], help="only these: train, easy, hard, subjective")
    given = parser.parse_args()
    rows = asyncio.run(measure(given.source, given.instances, given.seed, tuple(given.splits)))
    if given.out:
        given.out.write_text(table(rows), encoding="utf-8")
    print("\n".join(told(rows)))


if __name__ == "__main__":
    main()
