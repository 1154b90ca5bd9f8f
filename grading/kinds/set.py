"""A set or list of answers, without order."""

from typing import Literal

from grading.answer import Answer
from grading.kinds.math import MathOptions, judge_text
from grading.registry import grader
from grading.tools import Tools
from grading.verdict import Verdict


class SetReference(MathOptions):
    """A set or list of answers, without order."""

    kind: Literal["set"] = "set"
    shape: Literal["", "number", "set", "set of tuples", "tuple", "vector", "interval"] = "set"


@grader(SetReference, version="1")
def grade_set(answer: Answer, reference: SetReference, tools: Tools) -> Verdict:
    """Correct when the answer means the gold; unscored where the evidence is not enough."""
    del tools
    return judge_text(answer, reference)
