"""Mind2Web's published steps, as AgentBench's web browsing track plays them, as a pack.

The data are JSON files with lists of tasks: `annotation_id`, `website`, `confirmed_task`, `action_reprs` and `actions`
with `action_uid`, `operation`, `cleaned_html`, `pos_candidates` and `neg_candidates`. One step is one problem.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from envs.web_browsing.dom import Page
from envs.web_browsing.draft import Step, drafted, pool
from envs.web_browsing.importers.upstream import read_prompt
from envs.web_browsing.ranking import TOP, ranked
from envs.web_browsing.spec import WebBrowsingSpec, Words
from packs import cards
from packs.benchmark import Benchmark
from packs.draft import DraftPack, Mode, Soundness, known_mode
from packs.files import json_rows
from packs.problem import Problem, ReferenceLine
from packs.report import Report

RECALLS = (1, 5, TOP, 20, 50)
Scores = dict[str, dict[str, float]]


class Candidate(BaseModel):
    """An element that somebody used, or did not; `rank` where the data have one (0 is the likeliest)."""

    model_config = ConfigDict(extra="ignore")

    backend_node_id: str
    rank: int | None = None


class Operation(BaseModel):
    """What was done with it."""

    model_config = ConfigDict(extra="ignore")

    op: str = Field(pattern="^(CLICK|SELECT|TYPE)$")
    value: str = ""


class Taken(BaseModel):
    """One step of a task."""

    model_config = ConfigDict(extra="ignore")

    action_uid: str
    operation: Operation
    cleaned_html: str
    pos_candidates: list[Candidate]
    neg_candidates: list[Candidate]


class Annotated(BaseModel):
    """A task. Its steps are read one by one, so that a broken one spoils no other."""

    model_config = ConfigDict(extra="ignore")

    annotation_id: str
    website: str
    confirmed_task: str
    action_reprs: list[str]
    actions: list[dict[str, Any]]


@dataclass(frozen=True)
class _Form:
    """How steps become problems."""

    mode: Mode
    seed: int
    top: int
    scores: Scores
    words: Words | None
    shots: tuple[str, ...]


def read(
    source: Path,
    *,
    mode: Mode = "fixed",
    seed: int = 0,
    limit: int | None = None,
    top: int = TOP,
    scores: str = "",
    upstream: str = "",
) -> DraftPack:
    """The steps of `source`: a file of tasks, or a folder of such files. `limit` takes the first steps alone.

    Candidates are the first `top` by the ranks in the data, or by `scores`, a JSON file `{"TASK_STEP": {"ELEMENT":
    score}}` (also under the key "scores"), or else by our own scorer. `upstream` is a checkout of AgentBench v0.2, or
    its prompt, whose words are then shown in place of ours. `seed` draws the order of candidates.

    Raises FileNotFoundError, and ValueError for another mode and for files that are not of these forms.
    """
    known_mode(mode)
    words, shots = read_prompt(Path(upstream)) if upstream else (None, ())
    form = _Form(mode, seed, top, _scores(Path(scores)) if scores else {}, words, shots)
    report = Report(source.name)
    problems: list[Problem] = []
    references: list[ReferenceLine] = []
    ranks: list[int | None] = []
    taken_ids: set[str] = set()
    for task, number in islice(_steps(source, report), limit):
        report.read += 1
        id_ = _id(task, number, taken_ids)
        try:
            taken = Taken.model_validate(task.actions[number])
            order = _order(task, taken, number, form.scores)
            ranks.append(next((rank for rank, one in enumerate(order) if one in _ids(taken.pos_candidates)), None))
            problem, line = _problem(id_, task, taken, number, order[:top], form)
        except ValidationError as error:
            report.exclude(id_, "format", f"{error.errors()[0]['loc']}: {error.errors()[0]['msg']}")
            continue
        except ValueError as error:
            report.exclude(id_, "format", str(error)[:300])
            continue
        if not line.oracle:
            cause = "no right element is among the candidates that are asked about"
            if mode == "fixed":
                report.exclude(id_, "not asked", cause)
                continue
            report.mark(id_, "not asked", f"{cause}: as published it scores 0")
        problems.append(problem)
        references.append(line)
    sound = Soundness(exclude=True, seed=seed, times=1, ids={line.id for line in references if line.oracle})
    note = _recall(ranks, ranked_here=not form.scores)
    card = partial(_benchmark, mode)
    return DraftPack(report, problems, references, card=card, soundness=sound, notes=lambda kept: [note, *_sites(kept)])


def _steps(source: Path, report: Report) -> Iterator[tuple[Annotated, int]]:
    """The steps of all tasks; a task of another form counts as one that is left out."""
    files = sorted([*source.glob("*.json"), *source.glob("*.jsonl")]) if source.is_dir() else [source]
    if not files:
        raise FileNotFoundError(f"no JSON file of tasks in {source}")
    for file in files:
        listed = json_rows(file)
        if not any(isinstance(task, dict) and "actions" in task for task in listed):
            raise ValueError(f"{file.name} holds no list of Mind2Web's tasks")
        for place, found in enumerate(listed):
            try:
                task = Annotated.model_validate(found)
            except ValidationError as error:
                report.read += 1
                cause = f"{error.errors()[0]['loc']}: {error.errors()[0]['msg']}"
                report.exclude(f"{file.stem} task {place}"[:128], "format", cause)
                continue
            yield from ((task, number) for number in range(len(task.actions)))


def _scores(file: Path) -> Scores:
    found = json.loads(file.read_text("utf-8"))
    found = found.get("scores", found) if isinstance(found, dict) else None
    if not isinstance(found, dict) or not all(isinstance(one, dict) for one in found.values()):
        raise ValueError(f'{file.name} is not of the form {{"TASK_STEP": {{"ELEMENT": score}}}}')
    return {step: {element: float(score) for element, score in one.items()} for step, one in found.items()}


def _name(task: Annotated) -> str:
    kept = "".join(char if char.isascii() and (char.isalnum() or char in "._-") else "-" for char in task.annotation_id)
    return kept.lstrip("._-")[:100] or "task"


def _id(task: Annotated, number: int, taken: set[str]) -> str:
    id_ = f"{_name(task)}-{number:02d}"
    id_ = id_ if id_ not in taken else f"{id_}-{len(taken)}"
    taken.add(id_)
    return id_


def _ids(candidates: Sequence[Candidate]) -> list[str]:
    return list(dict.fromkeys(one.backend_node_id for one in candidates))


def _order(task: Annotated, taken: Taken, number: int, scores: Scores) -> list[str]:
    """All candidates of a step, the likeliest first. Raises ValueError for one without a score."""
    both = [*taken.pos_candidates, *taken.neg_candidates]
    if scores:
        step = scores.get(f"{task.annotation_id}_{taken.action_uid}", {})
        if missing := [one for one in _ids(both) if one not in step]:
            raise ValueError(f"the scores have none for {len(missing)} candidates")
        return sorted(_ids(both), key=lambda one: -step[one])
    known = {one.backend_node_id: one.rank for one in both if one.rank is not None}
    if len(known) == len(_ids(both)):
        return sorted(known, key=lambda one: known[one])
    page = Page(taken.cleaned_html)
    return ranked([page.node(one) for one in sorted(_ids(both))], task.confirmed_task, task.action_reprs[:number])


def _problem(
    id_: str, task: Annotated, taken: Taken, number: int, first: Sequence[str], form: _Form
) -> tuple[Problem, ReferenceLine]:
    right = tuple(one for one in first if one in _ids(taken.pos_candidates))
    # As published nothing is asked where nothing could be right.
    asked = first if right else ()
    step = Step(
        task=task.confirmed_task,
        previous=tuple(task.action_reprs[:number]),
        page=taken.cleaned_html,
        right=right,
        operation=taken.operation.op,
        value=taken.operation.value,
    )
    spec = WebBrowsingSpec(
        task=step.task,
        previous=step.previous,
        page=Page(step.page).slim(asked) if asked else "<html/>",
        candidates=pool(asked, f"{form.seed} {id_}"),
        protocol=form.mode,
        turns=len(asked) + 8,
        words=form.words,
        shots=form.shots,
    )
    return drafted(id_, "dev", task.website or "other", _name(task), spec, step)


def _recall(ranks: Sequence[int | None], *, ranked_here: bool) -> str:
    whose = "the ranks of the data or our own scorer" if ranked_here else "the scores given"
    shares = ", ".join(
        f"{sum(rank is not None and rank < k for rank in ranks) / max(1, len(ranks)):.3f} at {k}" for k in RECALLS
    )
    return f"recall of a right element by {whose}: {shares}"


def _sites(kept: Sequence[Problem]) -> list[str]:
    counts = sorted(Counter(problem.subject for problem in kept).items())
    return ["kept by site: " + ", ".join(f"{name} {count}" for name, count in counts)]


def _benchmark(mode: Mode, problems: Sequence[Problem]) -> Benchmark:
    return cards.published(
        "agentbench-wb",
        mode,
        problems,
        title="web browsing",
        licence="CC-BY-4.0",
        summary="Which element of a page is used next, and how.",
        card=_CARD.format(count=len(problems), mode=mode),
        source="https://github.com/OSU-NLP-Group/Mind2Web",
    )


_CARD = """\
{count} steps of Mind2Web (Deng et al., NeurIPS 2023, arXiv:2306.06070), as AgentBench's web browsing track plays them
(Liu et al., ICLR 2024, arXiv:2308.03688), mode "{mode}".

Each asks for the next element of a page, five candidates at a time, and for what is done with it. The score is step
success: the right element with the right operation and value. Public since 2023: good for practice and for comparing
with published results, not as a hidden test.
"""
