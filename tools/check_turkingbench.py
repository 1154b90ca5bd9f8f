"""TurkingBench's numbers on this machine: oracle and doing nothing, by task and by split.

`make check-turkingbench SOURCE=folder OUT=docs/turkingbench-table.md` writes one line a task.
"""

import argparse
import asyncio
import contextlib
import math
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean
from typing import Any

from envs.base import Action, InfrastructureError, Probe, SpecError
from envs.browser import chromium
from envs.browser.actions import parse
from envs.browser.errors import ActionFailed
from envs.browser.perform import perform
from envs.web_forms.environment import WebForms
from envs.web_forms.importers import turkingbench
from envs.web_forms.importers.turkingbench_fields import Survey
from envs.web_forms.importers.turkingbench_read import TRAIN, Instance, Task, sample, tasks
from grading.answer import Answer, Evidence
from grading.forms import published
from grading.kinds.form import FormReference
from grading.registry import grade
from grading.verdict import Verdict
from packs.problem import ReferenceLine
from packs.report import Report

AGREE = 1e-6
AT_ONCE = 4
TITLE = (
    "# TurkingBench by task",
    "",
    "Written by `make check-turkingbench`; what the columns mean is said in [web-forms.md](web-forms.md).",
    "",
)


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
    corrected: list[float] = field(default_factory=list)

    @property
    def renders(self) -> bool:
        """Whether any instance has a counted field at load."""
        return self.fields > 0


async def measure(
    source: Path, instances: int, seed: int, splits: tuple[str, ...] = (), minutes: float = math.inf
) -> list[Row]:
    """Every task's numbers under the published scoring (and the oracle's under the corrected one).

    `splits` limits the tasks to some splits; empty is all. After `minutes` no further task is begun: those that were
    not reached are left out, the training split's first.
    """
    from tools import turkingbench_plain

    chosen = [task for task in tasks(source) if not splits or task.split in splits]
    chosen.sort(key=lambda task: (task.split == TRAIN, task.split, task.name))
    slots, end = asyncio.Semaphore(AT_ONCE), time.monotonic() + minutes * 60
    try:
        found = await asyncio.gather(*(_row(task, instances, seed, slots, end) for task in chosen))
    finally:
        await chromium.shared().close()
    rows = [row for row in found if row]
    reached = {row.task for row in rows}
    numbers = {
        task.name: [item.index for item in sample(task, instances, seed)] for task in chosen if task.name in reached
    }
    counted = await turkingbench_plain.nothing_scores(source, numbers)
    for row in rows:
        row.independent = counted[row.task]
    return rows


async def _row(task: Task, instances: int, seed: int, slots: asyncio.Semaphore, end: float) -> Row | None:
    async with slots:
        if time.monotonic() > end:
            print(f"not reached: {task.name}", file=sys.stderr, flush=True)
            return None
        try:
            row = await _played_task(task, sample(task, instances, seed))
        except InfrastructureError as error:
            print(f"again: {task.name}: {error}", file=sys.stderr, flush=True)
            row = await _played_task(task, sample(task, instances, seed))
        except SpecError as error:
            row = Row(task.name, task.split, note=str(error), oracle=[0.0], nothing=[0.0])
    print(f"played: {task.name}: {row.oracle} {row.nothing}", file=sys.stderr, flush=True)
    return row


async def _played_task(task: Task, chosen: list[Instance]) -> Row:
    row = Row(task.name, task.split, note="" if task.instances else "no batch.csv")
    for instance in chosen:
        row.answers = len(instance.answers)
        await _measure(row, task, instance)
    return row


async def _measure(row: Row, task: Task, instance: Instance) -> None:
    """The page as it is at load, then what the oracle makes of it, without the observations that cost most."""
    world = WebForms()
    try:
        world.spec, world.session = await world.start(turkingbench.spec(task, instance), 0)
        survey = Survey(await _left(world))
        built = turkingbench.judged(task, instance, survey, "published", Report(task.name))
        if built is None:
            row.nothing.append(0.0)
            row.oracle.append(0.0)
            row.note = "no counted field at load: everybody scores 0"
            return
        line = built[1]
        row.fields = max(row.fields, sum(map(published.counts, FormReference.model_validate(line.reference).fields)))
        row.nothing.append(_judged(line, survey.evidence).score or 0.0)
        for act in line.oracle:
            with contextlib.suppress(ActionFailed):
                await perform(world.session, parse(Action.model_validate(act)))
        played = _judged(line, await _left(world))
    finally:
        await world.close()
    row.oracle.append(played.score or 0.0)
    row.corrected.append(float(str(played.detail.get("corrected", 0.0))))


async def _left(world: WebForms) -> dict[str, Any]:
    seen = (await world.probe([Probe(name=turkingbench.FORM, type=turkingbench.FORM)]))[0]
    if not isinstance(seen.value, dict):
        raise InfrastructureError(seen.error or "the page could not be read")
    return seen.value


def _judged(line: ReferenceLine, left: dict[str, Any]) -> Verdict:
    return grade(Answer(evidence=(Evidence(name=turkingbench.FORM, value=left),)), line.reference)


def report_lines(rows: list[Row]) -> list[str]:
    """The summary by split, and each task on which the two do-nothing calculations differ."""
    lines = ["split  tasks  shown  oracle  nothing  independent  oracle-corrected"]
    for split in ("easy", "hard", "subjective", "train", "all"):
        part = [row for row in rows if split in (row.split, "all") and row.nothing]
        shown = [row for row in part if row.renders]
        scores = [_mean(getattr(row, name) for row in shown) for name in ("oracle", "nothing", "independent")]
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
    """A Markdown page: one line a task; a score is a mean over the task's instances."""
    names = ("oracle", "nothing", "independent", "corrected")
    heads = ("task", "split", "instances", "fields", "renders", "oracle", "do-nothing", "independent")
    lines = [*TITLE, _line([*heads, "oracle, corrected", "note"]), _line(["---"] * 2 + ["---:"] * 7 + ["---"])]
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
    parser.add_argument("--minutes", type=float, default=math.inf, help="begin no further task after so long")
    parser.add_argument("--splits", nargs="*", default=[], help="only these: train, easy, hard, subjective")
    given = parser.parse_args()
    rows = asyncio.run(measure(given.source, given.instances, given.seed, tuple(given.splits), given.minutes))
    if given.out:
        given.out.write_text(table(rows), encoding="utf-8")
    print("\n".join(report_lines(rows)))


if __name__ == "__main__":
    main()
