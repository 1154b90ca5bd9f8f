"""TurkingBench (Xu et al. 2024, arXiv:2403.11905) as a pack: its folders of `template.html` and `batch.csv`.

Each sampled instance is opened in Chromium once, to find and type its fields and to report what is wrong with it. Mode
"published" scores as the published code does and leaves out a page that shows no field this code counts, on which
everybody scores 0; mode "fixed" scores what was submitted, on the scale where doing nothing is 0, and keeps every page
that has an answered field. Where golds are played, "fixed" leaves out what its own consensus cannot pass.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from envs import registry
from envs.base import InfrastructureError, SpecError
from envs.base import Probe as Question
from envs.web_forms.importers.turkingbench_fields import Health, Survey, form_fields, health, oracle
from envs.web_forms.importers.turkingbench_perturb import perturbed
from envs.web_forms.importers.turkingbench_read import Instance, Task, sample, slug, tasks
from grading.forms import published
from packs.benchmark import Benchmark, Feedback, Scoring, SplitConfig, Visibility
from packs.draft import DraftPack, Mode, Soundness, known_mode
from packs.problem import Episode, Probe, Problem, ReferenceLine
from packs.report import Report

FORM = "form"
AT_ONCE = 4
STATEMENT = (
    "The page in the browser is a task for crowd workers. Do it: read the instructions, fill in every field of the form"
    " that the task asks for, and submit the form."
)
CARD = """Crowdsourcing pages with real inputs, as workers saw them (TurkingBench, Apache-2.0; the texts on them come
from many studies, some from third parties). The published answers are public: results measure ability and
contamination together. Pages are served inside the session; pictures that only the Internet has are grey."""


async def read(
    source: Path,
    *,
    mode: Mode = "published",
    instances: int = 3,
    seed: int = 0,
    perturb: int | None = None,
) -> DraftPack:
    """The tasks of `source`. `instances` are taken of each task at most, chosen by `seed`.

    With `perturb`, a seed, a private set: names are changed (see `turkingbench_perturb`), and an instance in which none
    can be is left out.
    An oracle that fails when it is played is left out in mode "fixed" and marked in "published". Raises
    FileNotFoundError for a folder that is none of TurkingBench's, InfrastructureError without Chromium.
    """
    known_mode(mode)
    report = Report(source.name)
    found = list(tasks(source))
    if perturb is not None:
        found = [kept for task in found if (kept := _private(task, perturb, report))]
    lines = await _lines(found, mode, instances, seed, report)
    return DraftPack(
        report,
        problems=[problem for problem, _ in lines],
        references=[line for _, line in lines],
        card=partial(benchmark, mode, private=perturb is not None),
        # A consensus of several answers does not always reach every one of them whole.
        soundness=Soundness(exclude=mode == "fixed", seed=seed, times=1, least=0.99, idle=False),
    )


def _private(task: Task, seed: int, report: Report) -> Task | None:
    made = [perturbed(task, instance, seed) for instance in task.instances]
    kept = tuple(instance for instance in made if instance is not None)
    if task.instances and not kept:
        report.exclude(task.name, "not perturbed", "no instance has a name that can be changed")
        return None
    return replace(task, instances=kept)


async def _lines(
    found: list[Task], mode: Mode, count: int, seed: int, report: Report
) -> list[tuple[Problem, ReferenceLine]]:
    chosen = [pair for task in found for pair in _chosen(task, count, seed, report)]
    surveys = await _gathered(survey(task, instance) for task, instance in chosen)
    made = [judged(task, instance, seen, mode, report) for (task, instance), seen in zip(chosen, surveys, strict=True)]
    return [line for line in made if line]


def _chosen(task: Task, count: int, seed: int, report: Report) -> list[tuple[Task, Instance]]:
    if not task.instances:
        report.exclude(task.name, "no answers", "the folder has no batch.csv, so there is nothing to grade by")
    chosen = sample(task, count, seed)
    report.read += max(1, len(chosen))
    return [(task, instance) for instance in chosen]


async def _gathered(work: Any) -> list[Any]:
    slots = asyncio.Semaphore(AT_ONCE)

    async def one(item: Any) -> Any:
        async with slots:
            return await item

    return list(await asyncio.gather(*(one(item) for item in work)))


async def survey(task: Task, instance: Instance) -> Survey | str:
    """The untouched page of an instance, or why it could not be opened. Raises InfrastructureError without Chromium."""
    world = registry.create("web_forms")
    try:
        await world.reset(spec(task, instance), 0)
        seen = (await world.probe([Question(name=FORM, type=FORM)]))[0]
    except SpecError as error:
        return str(error)
    finally:
        await world.close()
    if seen.fault:
        raise InfrastructureError(seen.error or "the page could not be read")
    return Survey(seen.value) if isinstance(seen.value, dict) else (seen.error or "the page could not be read")


def spec(task: Task, instance: Instance) -> dict[str, Any]:
    """The environment's specification of an instance."""
    return {"template": task.template, "inputs": instance.inputs, "title": instance.inputs.get("Title") or task.name}


def judged(
    task: Task, instance: Instance, survey: Survey | str, mode: Mode, report: Report
) -> tuple[Problem, ReferenceLine] | None:
    if isinstance(survey, str):
        report.exclude(instance.id, "not rendered", survey)
        return None
    fields = form_fields(instance, survey)
    found = health(instance, survey)
    _mark(instance, found, report)
    if not found.types:
        report.exclude(instance.id, "no field", "none of the answered fields is on the page at load")
        return None
    if mode == "published" and not any(published.counts(item) for item in fields):
        cause = "no field is displayed at load that the published code counts: everybody scores 0"
        report.exclude(instance.id, "nothing counted", cause)
        return None
    acts = oracle(fields, survey, mode)
    episode = Episode(
        environment="web_forms",
        spec=spec(task, instance),
        probes=(Probe(name=FORM, kind=FORM),),
        steps=min(500, max(30, 2 * len(acts))),
    )
    reference = {
        "kind": "form",
        "fields": [item.model_dump(mode="json", exclude_defaults=True) for item in fields],
        "scoring": "published" if mode == "published" else "corrected",
    }
    line = ReferenceLine(id=instance.id, reference=reference, episode=episode, oracle=tuple(acts))
    kind = Counter(found.types).most_common(1)[0][0]
    problem = Problem(
        id=instance.id,
        split=instance.split,
        type="web_form",
        subject=kind,
        statement=STATEMENT,
        group=slug(task.name),
        source=f"TurkingBench: {task.name}",
        episode=True,
    )
    return problem, line


def _mark(instance: Instance, found: Health, report: Report) -> None:
    for kind, names in (("answers without a field", found.missing), ("fields out of sight", found.unseen)):
        if names:
            more = f" and {len(names) - 5} more" if len(names) > 5 else ""
            report.mark(instance.id, kind, ", ".join(names[:5]) + more)
    if found.script_errors:
        report.mark(instance.id, "scripts failing", f"{found.script_errors} errors at load")
    if found.hosts:
        report.mark(instance.id, "libraries missing", ", ".join(found.hosts))
    if found.pictures:
        report.mark(instance.id, "pictures replaced", f"{found.pictures} remote images")


def benchmark(mode: Mode, problems: Sequence[Problem], *, private: bool = False) -> Benchmark:
    """The pack's card: the published splits, of which `train` shows its gold."""
    named = sorted({problem.split for problem in problems}) or ["train"]
    splits = {
        name: SplitConfig(visibility=Visibility.DEV, feedback=Feedback.FULL)
        if name == "train"
        else SplitConfig(visibility=Visibility.TEST, feedback=Feedback.AGGREGATE)
        for name in named
    }
    return Benchmark(
        slug=f"turkingbench-{mode}" + ("-private" if private else ""),
        title=f"TurkingBench ({mode} scoring)" + (", names changed" if private else ""),
        version="1.0.0",
        owner="imported",
        licence="Apache-2.0; texts on the pages under their authors' terms",
        summary="Crowdsourcing pages, filled in with a real browser",
        card=CARD,
        canary=f"heldout canary turkingbench-{mode} 3f1c7b52",
        source="github.com/JHU-CLSP/turking-bench",
        scoring=Scoring(scheme="macro", by="group"),
        splits=splits,
    )
