"""Reading evidence: what is missing or broken by our own fault leaves an episode unscored, never wrong."""

from typing import TypeVar

from pydantic import BaseModel, ValidationError

from grading.answer import Answer, Evidence
from grading.verdict import Verdict

M = TypeVar("M", bound=BaseModel)


def look(answer: Answer, name: str) -> Evidence | Verdict:
    """The evidence called `name`, or the unscored verdict that its absence means."""
    evidence = answer.evidence_of(name)
    if evidence is None:
        return Verdict.unscored(f"no evidence called '{name}' was taken")
    if evidence.fault:
        return Verdict.unscored(
            f"the probe '{name}' failed by a fault of the service: {evidence.error or 'no reason given'}"
        )
    return evidence


def read(answer: Answer, name: str, shape: type[M]) -> M | Verdict:
    """The evidence called `name` as `shape`. Other shapes are a fault of the environment, so unscored."""
    evidence = look(answer, name)
    if isinstance(evidence, Verdict):
        return evidence
    if evidence.error is not None:
        return Verdict.incorrect(f"the probe '{name}' found nothing to judge: {evidence.error}")
    try:
        return shape.model_validate(evidence.value)
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors()[0]["loc"])
        return Verdict.unscored(f"the evidence '{name}' is malformed at '{where}': {error.errors()[0]['msg']}")
