"""A number, with tolerance, significant figures and unit."""

from typing import Literal

from grading.answer import Answer
from grading.kinds.math import MathOptions, judge_text
from grading.registry import grader
from grading.tools import Tools
from grading.verdict import Verdict


class NumericReference(MathOptions):
    """A number, with tolerance, significant figures and unit."""

    kind: Literal["numeric"] = "numeric"
    shape: Literal["", "number", "set", "set of tuples", "tuple", "vector", "interval"] = "number"


@grader(NumericReference, version="1")
def grade_numeric(answer: Answer, reference: NumericReference, tools: Tools) -> Verdict:
    """Correct when the answer means the gold; unscored where the evidence is not enough."""
    del tools
    return judge_text(answer, reference)
