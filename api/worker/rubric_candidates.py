"""Which problems have a rubric or could have one, and how an approved rubric becomes part of a reference."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from api.core.errors import ConflictError
from api.rubrics.models import RubricState
from api.rubrics.schemas import RubricDocument
from packs.pack import Pack
from packs.problem import Problem, ReferenceLine

FINAL_ANSWERS = frozenset({"math", "numeric", "symbolic", "set", "interval"})
"""Kinds of a final answer, whose worked solutions a rubric can give partial credit."""


class RubricOutdatedError(ConflictError):
    code = "rubric_outdated"
    title = "A problem has changed since its rubric was approved"


@dataclass(frozen=True)
class Candidate:
    """A problem that has a rubric or could have one; `settled`: its rubric is there, and no draft."""

    name: str
    split: str
    kind: str
    document: RubricDocument
    settled: bool

    @property
    def state(self) -> RubricState:
        """Its state where nobody works on it."""
        if self.settled:
            return RubricState.PUBLISHED
        return RubricState.MISSING if self.document.rubric is None else RubricState.DRAFTED

    @property
    def wanting(self) -> bool:
        """Whether nothing grades it before somebody has approved a rubric."""
        return self.kind == "rubric" and not self.settled


def candidate(problem: Problem, line: ReferenceLine) -> Candidate | None:
    """A problem with a rubric, or with a final answer and a worked solution; None of any other."""
    reference: Mapping[str, Any] = line.reference
    kind = str(reference.get("kind"))
    solution = str(reference.get("solution") or "") or line.solution
    # What varies has another gold for each organisation, and one solution.
    could = kind in FINAL_ANSWERS and line.variation is None and bool(solution)
    if kind != "rubric" and not could:
        return None
    statement = str(reference.get("question") or "") or problem.statement
    rubric = reference.get("rubric")
    document = RubricDocument(statement=statement, solution=solution, rubric=rubric)
    return Candidate(problem.id, problem.split, kind, document, rubric is not None and not reference.get("draft"))


def candidates(problems: Iterable[Problem], references: Iterable[ReferenceLine]) -> list[Candidate]:
    """Those of a pack's or a release's problems, in their order."""
    lines = {line.id: line for line in references}
    return [one for problem in problems if (one := candidate(problem, lines[problem.id]))]


def fitting(pack: Pack, documents: Mapping[str, RubricDocument]) -> set[str]:
    """Names of the rubrics whose problem and solution stand in the pack as they were when the rubric was written."""
    now = {one.name: one.document for one in candidates(pack.problems, pack.references)}
    return {
        name
        for name, document in documents.items()
        if name in now and (now[name].statement, now[name].solution) == (document.statement, document.solution)
    }


def with_rubrics(pack: Pack, documents: Mapping[str, RubricDocument]) -> Pack:
    """The pack, its references with these rubrics. Raises RubricOutdatedError."""
    if outdated := sorted(documents.keys() - fitting(pack, documents)):
        raise RubricOutdatedError(f"{', '.join(outdated)}: the job 'draft_rubrics' looks at what is there now")
    lines = {line.id: line for line in pack.references}
    for name, document in documents.items():
        lines[name] = _graded_by(lines[name], document)
    return replace(pack, references=tuple(lines.values()))


def _graded_by(line: ReferenceLine, document: RubricDocument) -> ReferenceLine:
    """The line with the rubric; of a final answer, that decides full marks and the rubric partial credit."""
    reference: dict[str, Any] = {name: value for name, value in line.reference.items() if name != "draft"}
    if reference["kind"] != "rubric":
        reference = {
            "kind": "rubric",
            "first": reference,
            "question": document.statement,
            "solution": document.solution,
        }
    return line.model_copy(update={"reference": reference | {"rubric": document.rubric}})
