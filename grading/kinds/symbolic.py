"""An expression, an equation or an inequality in symbols."""

from typing import Literal

from grading.answer import Answer
from grading.kinds.math import MathOptions, judge_text
from grading.registry import grader
from grading.tools import Tools
from grading.verdict import Verdict


class SymbolicReference(MathOptions):
    """An expression, an equation or an inequality in symbols."""

    kind: Literal["symbolic"] = "symbolic"
    shape: Literal["", "number", "set", "set of tuples", "tuple", "vector", "interval"] = ""


@grader(SymbolicReference, version="1")
def grade_symbolic(answer: Answer, reference: SymbolicReference, tools: Tools) -> Verdict:
    """Correct when the answer means the gold; unscored where the evidence is not enough."""
    del tools
    return judge_text(answer, reference)
