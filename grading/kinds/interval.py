"""An interval, a union of intervals, or inequalities that say the same."""

from typing import Literal

from grading.answer import Answer
from grading.kinds.math import MathOptions, judge_text
from grading.registry import grader
from grading.tools import Tools
from grading.verdict import Verdict


class IntervalReference(MathOptions):
    """An interval, a union of intervals, or inequalities that say the same."""

    kind: Literal["interval"] = "interval"
    shape: Literal["", "number", "set", "set of tuples", "tuple", "vector", "interval"] = "interval"


@grader(IntervalReference, version="1")
def grade_interval(answer: Answer, reference: IntervalReference, tools: Tools) -> Verdict:
    """Correct when the answer means the gold; unscored where the evidence is not enough."""
    del tools
    return judge_text(answer, reference)
