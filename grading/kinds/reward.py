"""`reward`: what an environment paid for an episode, between what it pays for the worst and for the best."""

import math
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from grading.answer import Answer
from grading.evidence import read
from grading.reference import Reference
from grading.registry import grader
from grading.tools import Tools
from grading.verdict import Verdict

_Finite = Annotated[float, Field(allow_inf_nan=False)]


class Paid(BaseModel):
    """Evidence: the rewards of all steps together, and that of the last one, if it had one."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    total: _Finite
    last: _Finite | None = None


class RewardReference(Reference):
    """The share of the way from `worst` to `best`, at least 0 and at most 1; `of` says which reward counts.

    Evidence (default "reward"): `{"total": float, "last": float | null}`. A last step without a reward counts as worst.
    """

    kind: Literal["reward"] = "reward"
    best: _Finite = 1.0
    worst: _Finite = 0.0
    of: Literal["total", "last"] = "total"
    evidence: str = "reward"

    @model_validator(mode="after")
    def _apart(self) -> Self:
        if not math.isfinite(self.best - self.worst) or self.best == self.worst:
            raise ValueError("'best' and 'worst' must differ, and by a finite number")
        return self


@grader(RewardReference, version="1")
def reward(answer: Answer, reference: RewardReference, _tools: Tools) -> Verdict:
    """The share of the way from the worst reward to the best."""
    paid = read(answer, reference.evidence, Paid)
    if isinstance(paid, Verdict):
        return paid
    value = paid.total if reference.of == "total" else paid.last
    if value is None:
        return Verdict.graded(0.0, "the last step had no reward")
    share = (value - reference.worst) / (reference.best - reference.worst)
    if share >= 1:
        return Verdict.correct(f"a reward of {value:g}")
    return Verdict.graded(max(0.0, share), f"a reward of {value:g}")
