"""JSON of reviews."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from api.core.schemas import Model
from grading.judging.calibration import CriterionReport


class Claim(Model):
    """Ask for the next answer of a benchmark."""

    benchmark: Annotated[str, StringConstraints(max_length=64)]


class Sheet(Model):
    """What a reviewer sees: problem, answer, reference solution and rubric; never the model's name."""

    statement: str
    choices: list[dict[str, str]]
    answer: str
    solution: str
    gold: str
    reason: str
    rubric: dict[str, Any]


class ReviewTask(Model):
    """A claimed review; it is yours until `until`."""

    id: str
    until: datetime
    sheet: Sheet


class Claimed(Model):
    """The next review, or none."""

    task: ReviewTask | None


class Vote(Model):
    """Credits (0, 0.5 or 1) by criterion id, a comment, and the seconds it took."""

    credits: Annotated[dict[str, float], Field(max_length=50)]
    comment: Annotated[str, StringConstraints(max_length=4000)] = ""
    seconds: Annotated[float, Field(ge=0, le=86400)] = 0.0


class VoteResult(Model):
    """Where the review stands after the vote: with as many as are needed it is settled, or a third is called, soon."""

    points: float
    total: float
    votes: int
    votes_needed: int


class CriterionMeasured(CriterionReport):
    """Judge against people on one criterion: rows of `confusion` are people's credits 0, 0.5, 1, columns the judge's.

    `kappa` is Cohen's with linear weights; `alpha_people` is Krippendorff's among the people; `drift_after` is the
    number of reviews after which the drift alarm was raised, if it was.
    """


class JudgeMeasured(Model):
    """One judge on whole answers (at least half of the points is a yes) and on each criterion."""

    judge: str
    n: int
    yes_yes: int
    yes_no: int
    no_no: int
    no_yes: int
    sensitivity: float
    specificity: float
    weak: bool
    criteria: list[CriterionMeasured]


class CalibrationReport(Model):
    """How far a benchmark's judges can be believed, and how many answers still wait for that."""

    benchmark: str
    waiting: int
    judges: list[JudgeMeasured]


class QueueState(Model):
    """How many answers wait, and how far you are."""

    benchmark: str
    waiting: int
    settled: int
    yours: int
    disagreements: int
    median_seconds: float | None


class ReviewerPublic(Model):
    """Somebody who reviews a benchmark by name. Members of its organisation may review without being named."""

    email: str


class ReviewerPage(Model):
    benchmark: str
    items: list[ReviewerPublic]
