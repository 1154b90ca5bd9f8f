"""`rubric`: points for criteria, given by a judge or by people."""

from typing import Literal

from grading.answer import Answer
from grading.judging.rubrics import Rubric
from grading.registry import Reference, grader
from grading.tools import Tools
from grading.verdict import Verdict

WAITS = "waits for a person"


class RubricReference(Reference):
    """A rubric, with the reference solution that judges and reviewers see beside it."""

    kind: Literal["rubric"] = "rubric"
    rubric: Rubric
    solution: str = ""
    question: str = ""


@grader(RubricReference, version="1")
def rubric(answer: Answer, _reference: RubricReference, _tools: Tools) -> Verdict:
    """Score by the rubric; without a judge the answer waits for a person."""
    if not (answer.text or "").strip():
        return Verdict.unparseable("the answer is empty")
    return Verdict.unscored(WAITS)
