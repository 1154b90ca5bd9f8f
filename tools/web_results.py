"""The rows of admission checks in a file, so that a run that was stopped can go on."""

import hashlib
import json
from collections import defaultdict
from dataclasses import asdict, dataclass, field
from pathlib import Path

from packs.pack import Pack
from packs.problem import ReferenceLine


@dataclass(frozen=True)
class Row:
    """What one episode of a run (its `part`) showed of a task."""

    run: str
    part: str
    task: str
    scores: dict[str, float | None]
    seconds: float

    def line(self) -> str:
        """The row for people."""
        say = ", ".join(f"{name} {score}" for name, score in self.scores.items())
        return f"{self.run}: {self.task}: {say} ({self.part}, {self.seconds} s)"


@dataclass
class Results:
    """Rows by run and part. `digests` tell a task that has been changed since from the one that was judged."""

    file: Path | None
    digests: dict[str, str]
    rows: dict[tuple[str, str, str], Row] = field(default_factory=dict)

    @classmethod
    def open(cls, file: Path | None, pack: Pack, *, resume: bool) -> "Results":
        """Begin anew, or with the rows of `file` that still hold."""
        made = cls(file, digests(pack))
        if file and resume and file.exists():
            for text in file.read_text(encoding="utf-8").splitlines():
                row = json.loads(text)
                if row.pop("digest") == made.digests.get(row["task"]):
                    made._keep(Row(**row))
        elif file:
            file.write_text("", encoding="utf-8")
        return made

    def _keep(self, row: Row) -> None:
        self.rows[row.run, row.part, row.task] = row

    def add(self, row: Row) -> None:
        """Keep a row; one that could not be scored is not written, so that it is tried again."""
        self._keep(row)
        if self.file and None not in row.scores.values():
            text = json.dumps(asdict(row) | {"digest": self.digests[row.task]})
            with self.file.open("a", encoding="utf-8") as written:
                written.write(text + "\n")

    def has(self, run: str, part: str, tasks: tuple[str, ...]) -> bool:
        """Whether there is a row for everything that an episode would give."""
        return all((run, part, task) in self.rows for task in tasks)

    def scores(self, run: str) -> dict[str, dict[str, float | None]]:
        """The scores of a run by task, from all its parts."""
        scores: dict[str, dict[str, float | None]] = defaultdict(dict)
        for row in self.rows.values():
            if row.run == run:
                scores[row.task] |= row.scores
        return dict(scores)


def digests(pack: Pack) -> dict[str, str]:
    """By task: what it and the other tasks of its template are made of."""
    groups: dict[str | None, list[ReferenceLine]] = defaultdict(list)
    of = {problem.id: problem.group for problem in pack.problems}
    for line in pack.references:
        groups[of[line.id]].append(line)
    made = {
        group: hashlib.sha256("\n".join(line.model_dump_json() for line in lines).encode()).hexdigest()[:16]
        for group, lines in groups.items()
    }
    return {line.id: made[of[line.id]] for line in pack.references}
