"""One response against one gold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grading import Answer, Outcome, Tools, Verdict
from grading import grade as grade_answer


@dataclass(frozen=True)
class Graded:
    """`score` in [0, 1], None where it could not be decided (`outcome` says "unscored"); `reason` is a sentence."""

    score: float | None
    outcome: str
    reason: str

    @property
    def correct(self) -> bool:
        """Full marks."""
        return self.outcome == Outcome.CORRECT

    @classmethod
    def of(cls, verdict: Verdict) -> "Graded":
        """What is told of a verdict."""
        return cls(verdict.score, str(verdict.outcome), verdict.reason)


def reference_of(
    gold: str, kind: str = "math", choices: Sequence[str] = (), options: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The reference of a gold. With `choices` (the texts, in order) `gold` is the label of the right one: A, B, ..."""
    if choices:
        labels = [chr(ord("A") + number) for number in range(len(choices))]
        return {"kind": "multiple_choice", "value": gold, "choices": labels, "texts": list(choices)}
    return {"kind": kind, "value": gold, **(options or {})}


def grade(response: str, gold: str, *, kind: str = "math", choices: Sequence[str] = (), **options: Any) -> Graded:
    """Grade the response of a model, whole or bare.

    `kind`: math (the shape of the gold is inferred), numeric, symbolic, set, interval, exact. `options` are those of
    Heldout's reference kinds, such as `rel_tol=0.01` or `ordered=True`. Raises pydantic's ValidationError for a gold or
    an option that cannot be; whatever the response is, nothing is raised. Hostile responses may take their time:
    `grade_batch` bounds each.
    """
    return Graded.of(grade_answer(Answer(text=response), reference_of(gold, kind, choices, options), Tools()))
