"""JSON of leak traces."""

from datetime import datetime
from typing import Annotated, Self

from pydantic import ConfigDict, Field, StringConstraints, model_validator

from api.core.schemas import Model, one_of

MAX_TEXT = 5_000_000
MAX_PAIRS = 50_000


class LeakedPair(Model):
    """A leaked problem: its text, choices included, and its answer if it came with one."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=100_000)]
    answer: Annotated[str, StringConstraints(max_length=10_000)] | None = None


class LeakCreate(Model):
    """What to trace: exactly one of a leaked `text`, a list of `pairs`, or a `submission` to this benchmark."""

    model_config = ConfigDict(json_schema_extra=one_of("text", "pairs", "submission"))

    text: Annotated[str, StringConstraints(min_length=1, max_length=MAX_TEXT)] | None = None
    pairs: Annotated[list[LeakedPair], Field(min_length=1, max_length=MAX_PAIRS)] | None = None
    submission: Annotated[str, StringConstraints(max_length=64)] | None = None

    @model_validator(mode="after")
    def _one_of_three(self) -> Self:
        given = [value for value in (self.text, self.pairs, self.submission) if value is not None]
        if len(given) != 1:
            raise ValueError("give exactly one of 'text', 'pairs' and 'submission'")
        return self


class SuspectPublic(Model):
    """An organisation and the evidence against it.

    `evidence` is the base-10 logarithm of its e-value; `bound` the chance, at most, that anybody innocent among all
    candidates reaches it.
    """

    organisation: str
    evidence: float
    matched: int
    bound: float
    named: bool


class EchoPublic(Model):
    """Answers of a submission that are right for this organisation's copy and wrong for the submitter's own."""

    organisation: str
    hits: int
    items: int
    expected: float
    p: float


class LeakReport(Model):
    """Who is named, in a sentence and in numbers. `named` is empty when the evidence is too weak to accuse anyone."""

    summary: str
    named: list[str]
    positions: int
    candidates: int
    alpha: float
    suspects: list[SuspectPublic]
    echoes: list[EchoPublic] = Field(default_factory=list)
    canaries: list[str] = Field(default_factory=list)


class LeakTracePublic(Model):
    """`report` is there when `state` is `done`."""

    id: str
    benchmark: str
    state: str
    created_at: datetime
    report: LeakReport | None = None
