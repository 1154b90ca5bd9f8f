"""`fuzzy`: a text answer against reference answers, in WebArena's classic and in the strict mode."""

from typing import Literal

from pydantic import JsonValue

from grading.answer import Answer
from grading.registry import Reference, grader
from grading.tools import Tools
from grading.verdict import Verdict
from grading.webarena import strings
from grading.webarena.defects import Defect
from grading.webarena.strings import ReferenceAnswers

Mode = Literal["classic", "strict"]


class FuzzyReference(Reference):
    """`answers` as in WebArena's files. In the classic mode the defects listed in `fixed` are mended."""

    kind: Literal["fuzzy"] = "fuzzy"
    answers: ReferenceAnswers
    mode: Mode = "strict"
    fixed: frozenset[Defect] = frozenset()


def answer_text(answer: Answer) -> str | None:
    """The answer as one text: its text, or its structured value when that is one."""
    data: JsonValue = answer.data
    if answer.text is not None:
        return answer.text
    return str(data) if isinstance(data, str | int | float) and not isinstance(data, bool) else None


@grader(FuzzyReference, version="1")
def fuzzy(answer: Answer, reference: FuzzyReference, tools: Tools) -> Verdict:
    """Correct when every reference answer is met; waits for a judge where only a judge can tell."""
    text = answer_text(answer)
    if text is None:
        return Verdict.unparseable("no answer was given")
    if reference.mode == "strict":
        return strings.strict(text, reference.answers, tools.judge)
    return strings.classic(text, reference.answers, reference.fixed, tools.judge)
