"""One response against one gold."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
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

    @classmethod
    def unscored(cls, reason: str) -> "Graded":
        """No verdict on the response, and why: the gold cannot be read, a limit was passed."""
        return cls(None, str(Outcome.UNSCORED), reason)


Gold = str | int | float | Fraction
"""A gold as it is written, or a number."""
_LABEL = re.compile(r"\(?([A-Za-z])[).:]?")


def reference_of(
    gold: Gold, kind: str = "math", choices: Sequence[str] = (), options: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The reference of a gold. With `choices` (the texts, in order) `gold` is the right one's label or text.

    Raises ValueError for a gold that is none of the choices.
    """
    if choices:
        labels = [chr(ord("A") + number) for number in range(len(choices))]
        label = _label(str(gold).strip(), labels, choices)
        return {"kind": "multiple_choice", "value": label, "choices": labels, "texts": list(choices)}
    return {"kind": kind, "value": str(gold), **(options or {})}


def _label(gold: str, labels: Sequence[str], choices: Sequence[str]) -> str:
    """`b`, `(B)` or the text of a choice as its label."""
    same = [label for label, text in zip(labels, choices, strict=True) if text.strip() == gold]
    if len(same) == 1:
        return same[0]
    named = _LABEL.fullmatch(gold)
    if named is not None and named[1].upper() in labels:
        return named[1].upper()
    alike = [label for label, text in zip(labels, choices, strict=True) if text.strip().casefold() == gold.casefold()]
    if len(alike) == 1:
        return alike[0]
    raise ValueError(f"the gold {gold!r} is neither a label ({', '.join(labels)}) nor the text of one choice")


def answer_of(response: str, question: str = "") -> Answer:
    """A response, and what was asked where it is known."""
    return Answer(text=response, context={"statement": question} if question else {})


def grade(
    response: str, gold: Gold, *, kind: str = "math", choices: Sequence[str] = (), question: str = "", **options: Any
) -> Graded:
    """Grade the response of a model, whole or bare.

    `gold` is a text or a number; with `choices` the right one's label (`B`, `b`, `(B)`) or text. `kind`: math (the
    shape of the gold is inferred), numeric, symbolic, set, interval, exact. `question`, where it is known, helps to
    find which value of a response without a mark is its answer. `options` are those of Heldout's reference
    kinds, such as `rel_tol=0.01` or `ordered=True`. Raises ValueError (pydantic's ValidationError is one) for a gold or
    an option that cannot be; whatever the response is, nothing is raised. Hostile responses may take their time:
    `grade_batch` bounds each.
    """
    return Graded.of(grade_answer(answer_of(response, question), reference_of(gold, kind, choices, options), Tools()))
