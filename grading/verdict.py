"""What a grader says about one answer."""

from enum import StrEnum
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, model_validator

WAITS = "waits for a person"
"""What the reason says of an answer that people decide by design, and not for a fault of ours."""


class Outcome(StrEnum):
    """How an answer stands against its reference. `UNSCORED` is never a zero: it waits for a judge or a person."""

    CORRECT = "correct"
    INCORRECT = "incorrect"
    PARTIAL = "partial"
    UNPARSEABLE = "unparseable"
    UNSCORED = "unscored"


class Verdict(BaseModel):
    """Score in [0, 1] (None only when unscored), outcome, one sentence of reason, and who decided.

    `grader` and `version` name the code, `reference_digest` the gold, so that a fixed grader can regrade history
    and show who moved. `detail` is plain JSON for people who look closer; it may hold gold and is shown only
    where the split's feedback policy shows gold.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    score: float | None = Field(default=None, ge=0.0, le=1.0)
    outcome: Outcome
    reason: str
    grader: str = ""
    version: str = ""
    reference_digest: str = ""
    detail: dict[str, JsonValue] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _score_matches_outcome(self) -> Self:
        if (self.score is None) != (self.outcome is Outcome.UNSCORED):
            raise ValueError("score is None exactly when the outcome is 'unscored'")
        return self

    @property
    def left_to_people(self) -> bool:
        """Whether it is unscored because people are to decide, and not by a fault."""
        return self.outcome is Outcome.UNSCORED and WAITS in self.reason

    @classmethod
    def correct(cls, reason: str, **detail: JsonValue) -> Self:
        """Full credit."""
        return cls(score=1.0, outcome=Outcome.CORRECT, reason=reason, detail=detail)

    @classmethod
    def incorrect(cls, reason: str, **detail: JsonValue) -> Self:
        """No credit: the answer was understood and is wrong."""
        return cls(score=0.0, outcome=Outcome.INCORRECT, reason=reason, detail=detail)

    @classmethod
    def unparseable(cls, reason: str, **detail: JsonValue) -> Self:
        """No credit: no answer of the asked form was found."""
        return cls(score=0.0, outcome=Outcome.UNPARSEABLE, reason=reason, detail=detail)

    @classmethod
    def unscored(cls, reason: str, **detail: JsonValue) -> Self:
        """No decision: the evidence is not enough, or the grader was stopped; a judge or a person goes on."""
        return cls(score=None, outcome=Outcome.UNSCORED, reason=reason, detail=detail)

    @classmethod
    def graded(cls, score: float, reason: str, **detail: JsonValue) -> Self:
        """Credit of `score` in [0, 1], with the outcome that belongs to it."""
        outcome = Outcome.CORRECT if score >= 1 else Outcome.INCORRECT if score <= 0 else Outcome.PARTIAL
        return cls(score=min(1.0, max(0.0, score)), outcome=outcome, reason=reason, detail=detail)
