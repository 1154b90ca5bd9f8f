"""`bleu`: sentence BLEU against one or more references, for tasks whose publication scores by it."""

from typing import Annotated, Literal

from pydantic import Field

from grading.answer import Answer
from grading.matching.bleu import sentence_bleu
from grading.reference import Reference
from grading.registry import grader
from grading.tools import Tools
from grading.verdict import Verdict


class BleuReference(Reference):
    """Reference texts."""

    kind: Literal["bleu"] = "bleu"
    references: Annotated[tuple[str, ...], Field(min_length=1)]

    def gold_text(self) -> str:
        """The first of the reference texts."""
        return self.references[0]


@grader(BleuReference, version="1")
def bleu(answer: Answer, reference: BleuReference, _tools: Tools) -> Verdict:
    """Score by sentence BLEU as sacreBLEU computes it."""
    if answer.text is None:
        return Verdict.unparseable("there is no text")
    score = sentence_bleu(answer.text, reference.references)
    return Verdict.graded(score, f"BLEU {100 * score:.1f}", bleu=score)
