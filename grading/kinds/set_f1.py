"""`set_f1`: a set of values against the gold set (AgentBench's knowledge graph)."""

import json
from typing import Literal

from pydantic import JsonValue

from grading.answer import Answer
from grading.evidence import look
from grading.matching.overlap import set_f1 as f1
from grading.matching.tokens import fold
from grading.reference import Reference
from grading.registry import grader
from grading.tools import Tools
from grading.verdict import Verdict


class SetF1Reference(Reference):
    """The gold values and the metric: `f1`, or `exact` (the sets are equal).

    The answer is the evidence named `evidence` (a list, or `{"values": [...]}`) where one is named, else `Answer.data`
    as a list, else a JSON list or one value a line in `Answer.text`. Values are compared as text without case.
    """

    kind: Literal["set_f1"] = "set_f1"
    values: tuple[str, ...]
    metric: Literal["f1", "exact"] = "f1"
    evidence: str | None = None

    def gold_text(self) -> str | None:
        """The values as a JSON list; None where they are looked for in evidence."""
        return None if self.evidence else json.dumps(self.values, ensure_ascii=False)


@grader(SetF1Reference, version="1")
def set_f1(answer: Answer, reference: SetF1Reference, _tools: Tools) -> Verdict:
    """Score by the overlap of two sets; an empty set agrees with an empty gold only.

    The detail has the figures that AgentBench gives beside its main one, each for this answer: `f1`, `exact` (match)
    and `executable` (whether there is any value)."""
    found = _given(answer, reference)
    if isinstance(found, Verdict):
        return found
    given, gold = {fold(value) for value in found}, {fold(value) for value in reference.values}
    overlap, exact = f1(given, gold), float(given == gold)
    score = exact if reference.metric == "exact" else overlap
    reason = f"{len(given & gold)} of {len(gold)} values, {len(given - gold)} others"
    return Verdict.graded(score, reason, f1=overlap, exact=exact, executable=float(bool(given)))


def _given(answer: Answer, reference: SetF1Reference) -> list[str] | Verdict:
    value: JsonValue = answer.data
    if reference.evidence is not None:
        evidence = look(answer, reference.evidence)
        if isinstance(evidence, Verdict):
            return evidence
        value = [] if evidence.error is not None else evidence.value
        value = value.get("values") if isinstance(value, dict) else value
    elif value is None and answer.text is not None:
        value = _from_text(answer.text)
    if not isinstance(value, list) or any(isinstance(item, list | dict) for item in value):
        return Verdict.unparseable("the answer is no list of values")
    return [str(item) for item in value]


def _from_text(text: str) -> JsonValue:
    try:
        parsed: JsonValue = json.loads(text)
    except (ValueError, RecursionError):
        parsed = None
    return parsed if isinstance(parsed, list) else [line.strip() for line in text.splitlines() if line.strip()]
