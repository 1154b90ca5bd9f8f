"""`rubric`: points for criteria, given by a judge or by people."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from grading.answer import Answer
from grading.judging.rubric_judge import judge_rubric
from grading.judging.rubrics import Credit, Rubric
from grading.judging.votes import MAX_VOTES
from grading.reference import Reference
from grading.registry import grader
from grading.tools import Tools
from grading.verdict import Verdict

WAITS = "waits for a person"


class RubricReference(Reference):
    """A rubric, with the question and the reference solution that judges and reviewers see beside it.

    `votes` a judge casts (odd, so that it can have a majority) and the `seed` that shuffles the criteria. A rubric
    drafted by a model has `draft` true until a person has checked it; nothing is scored by a draft.
    """

    kind: Literal["rubric"] = "rubric"
    rubric: Rubric
    solution: str = ""
    question: str = ""
    votes: Annotated[int, Field(ge=1, le=MAX_VOTES)] = 3
    seed: int = 0
    draft: bool = False

    def solution_text(self) -> str:
        """The reference solution."""
        return self.solution

    def sheet(self) -> Rubric:
        """The rubric as it is."""
        return self.rubric

    def sheet_credits(self, score: float | None, detail: Mapping[str, Any]) -> dict[str, Credit] | None:
        """The credits on which the judge's votes agree."""
        del score
        return dict(detail["credits"]) if detail.get("credits") else None


@grader(RubricReference, version="1", needs={"judge", "people"})
def rubric(answer: Answer, reference: RubricReference, tools: Tools) -> Verdict:
    """Score by the rubric; without a judge, or where the judge is not sure, the answer waits for a person."""
    text = answer.text or ""
    if not text.strip():
        return Verdict.unparseable("the answer is empty")
    if reference.draft:
        return Verdict.unscored(f"{WAITS}: the rubric is a draft that nobody has checked")
    if tools.judge is None:
        return Verdict.unscored(WAITS)
    return judge_rubric(
        tools.judge, reference.rubric, reference.question, reference.solution, text, reference.votes, reference.seed
    )
