"""`judged`: equivalence of expression or meaning by a judge, only where the deterministic graders abstain."""

from typing import Annotated, Literal

from pydantic import Field, field_validator

from grading.answer import Answer
from grading.inner import NestedReference, grade_inner
from grading.judging.equivalence import Relation, judge_equivalence
from grading.judging.rubrics import Rubric
from grading.judging.sheets import equality
from grading.judging.votes import MAX_VOTES
from grading.matching import typed
from grading.reference import Reference, golds
from grading.registry import grader
from grading.tools import Tools
from grading.verdict import Verdict


class JudgedReference(Reference):
    """`gold` and the `relation` an answer must have to it. `first` is a reference graded before any judge is asked.

    Its decision stands; only when it abstains (unscored) is the judge asked. With `after` "not_correct" the judge also
    looks at what it refused: for graders that never abstain, such as `exact`. `half` gives 0.5 for nearly right.
    """

    gold_field = "gold"

    kind: Literal["judged"] = "judged"
    relation: Relation
    gold: Annotated[str, Field(min_length=1)]
    question: str = ""
    first: NestedReference | None = None
    after: Literal["abstained", "not_correct"] = "abstained"
    half: bool = False
    votes: Annotated[int, Field(ge=1, le=MAX_VOTES)] = 3
    seed: int = 0

    @field_validator("first")
    @classmethod
    def _is_no_judge(cls, value: Reference | None) -> Reference | None:
        if isinstance(value, JudgedReference):
            raise ValueError("'first' is a deterministic grader, not another judge")
        return value

    def sheet(self) -> Rubric:
        """Whether the answer says the same as the golds, with half credit where the judge may give it."""
        return equality(golds(self), half=self.half)


@grader(JudgedReference, version="1", needs={"judge"})
def judged(answer: Answer, reference: JudgedReference, tools: Tools) -> Verdict:
    """The deterministic verdict where there is one, else the judge's, else a person's."""
    text = answer.text or (answer.data if isinstance(answer.data, str) else "")
    if not text.strip():
        return Verdict.unparseable("the answer is empty")
    settled = _without_judge(answer, text, reference, tools)
    if settled is not None:
        return settled
    return judge_equivalence(
        tools.judge,
        reference.relation,
        reference.question,
        reference.gold,
        text,
        reference.votes,
        reference.seed,
        reference.half,
    )


def _without_judge(answer: Answer, text: str, reference: JudgedReference, tools: Tools) -> Verdict | None:
    if reference.first is None:
        same = reference.relation == "meaning" and typed.same(text, reference.gold) is True
        return Verdict.correct("the same value as the reference") if same else None
    verdict = grade_inner(answer, reference.first, tools)
    if verdict.score is None or (reference.after == "not_correct" and verdict.score < 1):
        return None
    return verdict
