"""`rubric`: points for criteria, given by a judge or by people."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import Field, JsonValue, model_validator

from grading.answer import Answer
from grading.inner import NestedReference, grade_inner
from grading.judging.rubric_judge import judge_rubric
from grading.judging.rubrics import Credit, Rubric
from grading.judging.votes import MAX_VOTES
from grading.reference import Reference, walk
from grading.registry import grader
from grading.tools import Tools
from grading.verdict import WAITS, Verdict


class RubricReference(Reference):
    """A rubric, with the question and the reference solution that judges and reviewers see beside it.

    Without a `rubric` there is a `solution` that one is drafted from; nothing is scored until it is approved.

    `votes` a judge casts (odd, so that it can have a majority) and the `seed` that shuffles the criteria. A rubric
    drafted by a model has `draft` true until a person has checked it; nothing is scored by a draft.

    `first` is a reference of the final answer (`numeric`, `symbolic`, ...): an answer that is right by it has full
    marks and nobody is asked; any other gets the points of the rubric for its solution. Where it is wrong by `first`
    and the judge would give every point, it waits for a person.
    """

    kind: Literal["rubric"] = "rubric"
    rubric: Rubric | None = None
    solution: str = ""
    question: str = ""
    votes: Annotated[int, Field(ge=1, le=MAX_VOTES)] = 3
    seed: int = 0
    draft: bool = False
    first: NestedReference | None = None

    @model_validator(mode="after")
    def _first_decides_alone(self) -> Self:
        if self.first is not None and any(isinstance(inner, RubricReference) for inner in walk(self.first)):
            raise ValueError("'first' grades the final answer, without a rubric of its own")
        return self

    @model_validator(mode="after")
    def _one_can_be_drafted(self) -> Self:
        if self.rubric is None and not self.solution:
            raise ValueError("write a 'rubric', or the 'solution' that one can be drafted from")
        return self

    @property
    def unapproved(self) -> bool:
        """Whether nobody has checked a rubric yet."""
        return self.draft or self.rubric is None

    def gold_text(self) -> str | None:
        """The final answer, where there is one."""
        return self.first.gold_text() if self.first else None

    def solution_text(self) -> str:
        """The reference solution."""
        return self.solution

    def sheet(self) -> Rubric:
        """The rubric as it is. Raises ValueError where there is none."""
        if self.rubric is None:
            raise ValueError("nobody has written the rubric yet")
        return self.rubric

    def sheet_credits(self, score: float | None, detail: Mapping[str, Any]) -> dict[str, Credit] | None:
        """The credits on which the judge's votes agree."""
        del score
        return dict(detail["credits"]) if detail.get("credits") else None


@grader(RubricReference, version="1", needs={"judge", "people"})
def rubric(answer: Answer, reference: RubricReference, tools: Tools) -> Verdict:
    """Full marks for a right final answer, where that is asked for; else the rubric's points. Without a judge, or where
    the judge is not sure, the answer waits for a person."""
    text = answer.text or ""
    if not text.strip():
        return Verdict.unparseable("the answer is empty")
    if reference.unapproved:
        return Verdict.unscored(f"{WAITS}: the rubric is a draft that nobody has checked")
    if reference.first is None:
        return _by_rubric(text, reference, tools)
    final = grade_inner(answer, reference.first, tools)
    if final.score == 1:
        return final
    told: dict[str, JsonValue] = {"final_answer": {"outcome": final.outcome.value, "reason": final.reason}}
    verdict = _by_rubric(text, reference, tools)
    if verdict.score == 1 and final.score is not None:
        reason = f"{WAITS}: every point by the judge, and the final answer is {final.outcome.value}"
        return Verdict.unscored(reason, **verdict.detail, **told)
    return verdict.model_copy(update={"detail": verdict.detail | told})


def _by_rubric(text: str, reference: RubricReference, tools: Tools) -> Verdict:
    if tools.judge is None:
        return Verdict.unscored(WAITS)
    return judge_rubric(
        tools.judge, reference.sheet(), reference.question, reference.solution, text, reference.votes, reference.seed
    )
