"""`fuzzy`: a text answer against reference answers, in WebArena's classic and in the strict mode."""

from typing import Literal

from pydantic import JsonValue

from grading.answer import Answer
from grading.reference import Need, Reference
from grading.registry import grader
from grading.tools import Tools
from grading.verdict import Verdict
from grading.webarena import strings
from grading.webarena.defects import Defect
from grading.webarena.matching import ALTERNATIVES
from grading.webarena.strings import UNACHIEVABLE, ReferenceAnswers

Mode = Literal["classic", "strict"]


class FuzzyReference(Reference):
    """`answers` as in WebArena's files. The classic mode corrects the defects listed in `fixed`."""

    kind: Literal["fuzzy"] = "fuzzy"
    answers: ReferenceAnswers
    mode: Mode = "strict"
    fixed: frozenset[Defect] = frozenset()

    def gold_text(self) -> str | None:
        """The first of the exact answers, where nothing else is asked."""
        exact = self.answers.exact_match
        alone = self.answers.must_include is None and self.answers.fuzzy_match is None
        return exact.split(ALTERNATIVES)[0] if exact is not None and alone else None


def _needs(reference: FuzzyReference) -> set[Need]:
    """Only meaning is a judge's matter; that there is no answer is one in the classic mode."""
    meaning = reference.answers.fuzzy_match
    return {"judge"} if meaning and (meaning != UNACHIEVABLE or reference.mode == "classic") else set()


def answer_text(answer: Answer) -> str | None:
    """The answer as one text: its text, or its structured value when that is one."""
    data: JsonValue = answer.data
    if answer.text is not None:
        return answer.text
    return str(data) if isinstance(data, str | int | float) and not isinstance(data, bool) else None


@grader(FuzzyReference, version="2", needs=_needs)
def fuzzy(answer: Answer, reference: FuzzyReference, tools: Tools) -> Verdict:
    """Correct when every reference answer is met; waits for a judge where only a judge can tell."""
    text = answer_text(answer)
    if text is None:
        return Verdict.unparseable("no answer was given")
    if reference.mode == "strict":
        return strings.strict(text, reference.answers, tools.judge)
    return strings.classic(text, reference.answers, reference.fixed, tools.judge)
