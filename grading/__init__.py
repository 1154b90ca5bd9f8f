"""Pure grading: `grade(answer, reference, tools) -> Verdict`. No I/O, no clock, no unseeded randomness."""

from grading.answer import Answer, Evidence
from grading.inner import NestedReference
from grading.reference import Reference
from grading.registry import grade, grader, parse_reference
from grading.tools import Tools
from grading.verdict import Outcome, Verdict

__all__ = [
    "Answer",
    "Evidence",
    "NestedReference",
    "Outcome",
    "Reference",
    "Tools",
    "Verdict",
    "grade",
    "grader",
    "parse_reference",
]
