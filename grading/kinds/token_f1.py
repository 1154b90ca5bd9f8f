"""`token_f1`: overlap of words with the best of several gold answers (SQuAD)."""

from typing import Annotated, Literal

from pydantic import Field

from grading.answer import Answer
from grading.matching.overlap import token_f1 as f1
from grading.reference import Reference
from grading.registry import grader
from grading.tools import Tools
from grading.verdict import Verdict


class TokenF1Reference(Reference):
    """Accepted answers; below `threshold` the score is 0."""

    kind: Literal["token_f1"] = "token_f1"
    golds: Annotated[tuple[str, ...], Field(min_length=1)]
    threshold: Annotated[float, Field(ge=0, le=1)] = 0.0

    def gold_text(self) -> str:
        """The first of the accepted answers."""
        return self.golds[0]


@grader(TokenF1Reference, version="1")
def token_f1(answer: Answer, reference: TokenF1Reference, _tools: Tools) -> Verdict:
    """Score by the best F1 over the golds."""
    if answer.text is None:
        return Verdict.unparseable("there is no text")
    score = max(f1(answer.text[:50_000], gold) for gold in reference.golds)
    return Verdict.graded(score if score >= reference.threshold else 0.0, f"token F1 {score:.3f}", f1=score)
