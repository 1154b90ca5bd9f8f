"""Reading evidence: what is missing or broken by our own fault leaves an episode unscored, never wrong."""

from typing import TypeVar

from pydantic import BaseModel, ValidationError

from grading.answer import Answer, Evidence
from grading.verdict import Verdict

M = TypeVar("M", bound=BaseModel)


def look(answer: Answer, name: str) -> Evidence | Verdict:
    """The evidence called `name`, or the unscored verdict that its absence means."""
    seen = answer.evidence_of(name)
    if seen is None:
        return Verdict.unscored(f"no evidence called '{name}' was taken")
    if seen.fault:
        return Verdict.unscored(
            f"the probe '{name}' failed by a fault of the service: {seen.error or 'no reason given'}"
        )
    return seen


def read(answer: Answer, name: str, shape: type[M]) -> M | Verdict:
    """The evidence called `name` as `shape`. Other shapes are a fault of the environment, so unscored."""
    seen = look(answer, name)
    if isinstance(seen, Verdict):
        return seen
    if seen.error is not None:
        return Verdict.incorrect(f"the probe '{name}' found nothing to judge: {seen.error}")
    try:
        return shape.model_validate(seen.value)
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors()[0]["loc"])
        return Verdict.unscored(f"the evidence '{name}' is malformed at '{where}': {error.errors()[0]['msg']}")
