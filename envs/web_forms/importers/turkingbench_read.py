"""TurkingBench's folders: templates, annotators' rows, splits, and a seeded choice of instances."""

import csv
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ANSWER = "Answer."
SPLITS = {"easy": "evaluation_tasks_easy", "hard": "evaluation_tasks_hard", "subjective": "subjective_evaluation_tasks"}
TRAIN = "train"
LONGEST_CELL = 50_000_000


@dataclass(frozen=True)
class Instance:
    """One distinct input of a task, and every annotator's answers to it, field by field (empty cells as "")."""

    task: str
    split: str
    index: int
    inputs: dict[str, str]
    answers: dict[str, tuple[str, ...]]

    @property
    def id(self) -> str:
        """A name made of the task's name and the instance's place in it."""
        return f"{slug(self.task)}-{self.index:04d}"


@dataclass(frozen=True)
class Task:
    """A folder: its template and its instances; none when the folder has no answers."""

    name: str
    split: str
    template: str
    instances: tuple[Instance, ...]


def slug(name: str) -> str:
    """A task's name as an identifier."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:100]


def tasks(source: Path) -> Iterator[Task]:
    """Every task of a checkout or a copy of its `tasks` and `splits`, by name. Raises FileNotFoundError."""
    folder = source / "tasks"
    if not folder.is_dir():
        raise FileNotFoundError(f"{source} has no folder 'tasks'; give the folder that holds TurkingBench's tasks")
    splits = _splits(source)
    for place in sorted(path for path in folder.iterdir() if (path / "template.html").is_file()):
        template = (place / "template.html").read_text(encoding="utf-8-sig", errors="replace")
        split = splits.get(place.name, TRAIN)
        rows = _rows(place / "batch.csv")
        yield Task(place.name, split, template, tuple(_instances(place.name, split, rows)))


def _splits(source: Path) -> dict[str, str]:
    folders = [folder for folder in (source / "splits", source / "data" / "splits") if folder.is_dir()]
    named: dict[str, str] = {}
    for split, file in SPLITS.items():
        for path in (folder / f"{file}.txt" for folder in folders):
            if path.is_file():
                named |= dict.fromkeys(filter(None, map(str.strip, path.read_text("utf-8").splitlines())), split)
    return named


def _rows(path: Path) -> list[dict[str, str]]:
    if not path.is_file():
        return []
    csv.field_size_limit(LONGEST_CELL)
    with path.open(encoding="utf-8-sig", newline="", errors="replace") as file:
        return [{key: value or "" for key, value in row.items() if key} for row in csv.DictReader(file)]


def _instances(task: str, split: str, rows: list[dict[str, str]]) -> Iterator[Instance]:
    together: dict[tuple[tuple[str, str], ...], list[dict[str, str]]] = {}
    for row in rows:
        inputs = tuple((name, value) for name, value in row.items() if not name.startswith(ANSWER))
        together.setdefault(inputs, []).append(row)
    for index, (inputs, same) in enumerate(together.items()):
        names = [name for name in same[0] if name.startswith(ANSWER)]
        answers = {name.removeprefix(ANSWER): tuple(row[name] for row in same) for name in names}
        yield Instance(task, split, index, dict(inputs), answers)


def sample(task: Task, count: int, seed: int) -> list[Instance]:
    """At most `count` instances of a task, the same for the same seed, in their order."""
    if len(task.instances) <= count:
        return list(task.instances)
    return sorted(random.Random(f"{seed}:{task.name}").sample(task.instances, count), key=lambda item: item.index)
