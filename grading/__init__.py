"""Pure grading: `grade(answer, reference, tools) -> Verdict`. No I/O, no clock, no unseeded randomness."""

from grading.answer import Answer, Evidence
from grading.registry import grade, grader, kinds, parse_reference
from grading.tools import Tools
from grading.verdict import Outcome, Verdict

__all__ = ["Answer", "Evidence", "Outcome", "Tools", "Verdict", "grade", "grader", "kinds", "parse_reference"]
