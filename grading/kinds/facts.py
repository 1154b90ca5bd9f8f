"""`facts`: what has to hold in a world at the end of an episode, whichever things it holds of."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, Self

from pydantic import Field, RootModel, model_validator

from grading.answer import Answer
from grading.evidence import read
from grading.reference import Reference
from grading.registry import grader
from grading.tools import Tools
from grading.verdict import Verdict

Pattern = Annotated[tuple[str, ...], Field(min_length=1, max_length=10)]
Rows = Sequence[tuple[str, ...]]
MOST_TRIES = 1_000_000


class FactsReference(Reference):
    """Every pattern of `goal` must hold together: a predicate and its arguments, `?x` stands for anything, the same in
    all patterns; the two names of each pair of `distinct` stand for different things.

    Evidence: `{predicate: [[argument]]}`, everything that holds at the end; a predicate that is not listed holds of
    nothing.
    """

    kind: Literal["facts"] = "facts"
    goal: Annotated[tuple[Pattern, ...], Field(min_length=1, max_length=40)]
    distinct: tuple[tuple[str, str], ...] = ()
    evidence: str = "facts"

    @model_validator(mode="after")
    def _names_its_variables(self) -> Self:
        known = {term for pattern in self.goal for term in pattern[1:]}
        if unknown := [term for pair in self.distinct for term in pair if term not in known]:
            raise ValueError(f"'distinct' names {unknown[0]!r}, which is not in 'goal'")
        return self


class FactsEvidence(RootModel[dict[str, list[tuple[str, ...]]]]):
    """Rows of arguments by predicate."""


@grader(FactsReference, version="1")
def facts(answer: Answer, reference: FactsReference, tools: Tools) -> Verdict:
    """Correct exactly when some choice of things for the variables makes every pattern hold."""
    del tools
    seen = read(answer, reference.evidence, FactsEvidence)
    if isinstance(seen, Verdict):
        return seen
    search = _Search(seen.root, reference.distinct)
    met = search.met(sorted(reference.goal, key=lambda pattern: len(seen.root.get(pattern[0], ()))), {})
    if met is None:
        return Verdict.unscored(f"the goal leaves more than {MOST_TRIES} choices to try")
    return Verdict.correct("all that was asked for holds") if met else Verdict.incorrect("what was asked for is not so")


class _Search:
    """A search for a choice, which gives up after so many tries."""

    def __init__(self, facts: Mapping[str, Rows], distinct: Sequence[tuple[str, str]]) -> None:
        self._held, self._distinct, self._tries = facts, distinct, 0

    def met(self, goal: Sequence[tuple[str, ...]], chosen: Mapping[str, str]) -> bool | None:
        """Whether a choice beyond `chosen` meets `goal`; None when there are too many to try."""
        if any(a in chosen and chosen[a] == chosen.get(b) for a, b in self._distinct):
            return False
        if not goal:
            return True
        predicate, *terms = goal[0]
        for row in self._held.get(predicate, ()):
            self._tries += 1
            if self._tries > MOST_TRIES:
                return None
            found = _chosen(terms, row, chosen)
            met = found is not None and self.met(goal[1:], found)
            if met or met is None:
                return met
        return False


def _chosen(terms: Sequence[str], row: tuple[str, ...], chosen: Mapping[str, str]) -> dict[str, str] | None:
    if len(terms) != len(row):
        return None
    found = dict(chosen)
    for term, value in zip(terms, row, strict=True):
        if (found.setdefault(term, value) if term.startswith("?") else term) != value:
            return None
    return found
