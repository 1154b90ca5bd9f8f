"""JSON of the audit."""

from datetime import datetime
from typing import Annotated, Self

from pydantic import Field, StringConstraints, model_validator

from api.core.schemas import Model

MAX_TEXT = 5_000_000
MAX_PAIRS = 50_000


class LeakedPair(Model):
    """A leaked problem: its text, choices included, and its answer if it came with one."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=100_000)]
    answer: Annotated[str, StringConstraints(max_length=10_000)] | None = None


class LeakCreate(Model):
    """What to trace: exactly one of a leaked `text`, a list of `pairs`, or a `submission` to this benchmark."""

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


class LedgerRow(Model):
    """One problem served: to whom, when, from where, in which variant. `seal` is its hash in the chain."""

    id: int
    organisation: str
    key: str
    problem: str
    split: str
    variant: str
    channel: str
    address: str
    served_at: datetime
    seal: str | None


class LedgerPage(Model):
    benchmark: str
    items: list[LedgerRow]
    next: str | None


class LedgerCheck(Model):
    """Whether the hash chain holds. `broken` is the first row that does not fit; keep `head` in another place."""

    holds: bool
    rows: int
    head: str
    broken: int | None = None
    unsealed: int = 0


class ScrapingFlag(Model):
    pattern: str
    subject: str
    count: int
    note: str


class ScrapingReport(Model):
    benchmark: str
    served: int
    flags: list[ScrapingFlag]
    lifts: list["LiftPublic"] = Field(default_factory=list)


class LiftPublic(Model):
    """An organisation that is not slowed down, by whose decision and why."""

    organisation: str
    lifted_by: str
    reason: str
    created_at: datetime


class LiftCreate(Model):
    """Let this organisation (its short name) read at any pace."""

    organisation: Annotated[str, StringConstraints(min_length=1, max_length=64)]
    reason: Annotated[str, StringConstraints(max_length=1000, strip_whitespace=True)] = ""


class DeclarationCreate(Model):
    """The run to come: its model as it will be submitted, and the commit hash given as the model's `version`."""

    split: Annotated[str, StringConstraints(min_length=1, max_length=64)]
    model: Annotated[str, StringConstraints(min_length=1, max_length=200, strip_whitespace=True)]
    commit: Annotated[str, StringConstraints(min_length=7, max_length=200, pattern=r"^[0-9A-Za-z:._-]+$")]


class DeclarationPublic(Model):
    benchmark: str
    split: str
    model: str
    commit: str
    declared_at: datetime


class Mover(Model):
    """An entry whose score on the leaderboard moved; `before` and `after` hold score, low and high as told there."""

    submission: str
    organisation: str
    model: str
    before: dict[str, float]
    after: dict[str, float]


class RegradePublic(Model):
    """One regrading: why, how far, and who moved by how much."""

    id: str
    reason: str
    total: int
    done: int
    created_at: datetime
    finished_at: datetime | None
    movers: list[Mover]


class RegradePage(Model):
    benchmark: str
    items: list[RegradePublic]


class FeedbackPublic(Model):
    """What an organisation has learnt of a split: attempts, releases, bits in all, and what is left for everybody.

    `shared` says that the organisation is not verified: the numbers are those of all such organisations together.
    """

    benchmark: str
    split: str
    feedback: str
    attempts: int
    releases: int
    released: float | None
    bits: float
    budget_left: int | None
    shared: bool
