"""Grades the references inside a reference (parts of a composite, what is tried before a judge)."""

from collections.abc import Mapping
from typing import Any

from grading import registry
from grading.answer import Answer
from grading.judging.sheets import needs_tools
from grading.tools import Tools
from grading.verdict import Verdict


def grade_inner(answer: Answer, reference: Mapping[str, Any], tools: Tools) -> Verdict:
    """Grade a part: in the confined place if there is one, unless the part itself needs a tool."""
    if tools.confined is None or needs_tools(reference):
        return registry.grade(answer, reference, tools)
    return tools.confined.grade(answer, reference)
