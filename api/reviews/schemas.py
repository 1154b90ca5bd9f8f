"""JSON of reviews."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from api.core.schemas import NUMBER, Model
from grading.judging.calibration import CriterionReport


class Claim(Model):
    """Ask for the next answer of a benchmark."""

    benchmark: Annotated[str, StringConstraints(max_length=64)]


class SheetImage(Model):
    """A picture of the problem: `GET /v1/reviews/{review}/images/{number}`, from 0, while the review is yours."""

    path: str
    alt: str = ""


class Sheet(Model):
    """What a reviewer sees: problem, answer, reference solution and rubric; never the model's name."""

    statement: str
    choices: list[dict[str, str]]
    images: list[SheetImage] = Field(default_factory=list)
    answer: str
    solution: str
    gold: str
    reason: str
    rubric: dict[str, Any]


class ReviewTask(Model):
    """A claimed review; it is yours until `until`.

    `purpose`: `grade` decides the answer's score; `calibrate` measures the judge that decided it, and changes nothing
    of it. `third`: two people before you differ.
    """

    id: str
    until: datetime
    purpose: Literal["grade", "calibrate"]
    third: bool
    sheet: Sheet


class Claimed(Model):
    """The next review, or none."""

    task: ReviewTask | None


class Vote(Model):
    """Credits (0, 0.5 or 1) by criterion id, a comment, and the seconds it took."""

    credits: Annotated[dict[str, Annotated[float, NUMBER]], Field(max_length=50)]
    comment: Annotated[str, StringConstraints(max_length=4000)] = ""
    seconds: Annotated[float, Field(ge=0, le=86400), NUMBER] = 0.0


class VoteResult(Model):
    """Where the review stands after the vote: with as many as are needed it is settled, or a third is called, soon."""

    points: float
    total: float
    votes: int
    votes_needed: int


class CriterionMeasured(CriterionReport):
    """Judge against people on one criterion: rows of `confusion` are people's credits 0, 0.5, 1, columns the judge's.

    `kappa` is Cohen's with linear weights, `pearson` the correlation of the two credits; `alpha_people` is
    Krippendorff's among the people; `drift_after` is the number of reviews after which the drift alarm was raised.
    """


class AnswerMeasured(Model):
    """One answer that people and a judge scored in [0, 1], with their credits by criterion; people's are the middle."""

    review: str
    problem: str
    people: float
    judge: float
    people_credits: dict[str, float]
    judge_credits: dict[str, float]


class JudgeMeasured(Model):
    """One judge on whole answers (at least half of the points is a yes) and on each criterion.

    `pearson` correlates the scores of whole answers, `kappa` is Cohen's of yes and no; None where they do not vary.
    `answers` are the newest 5,000 that were measured, oldest first.
    """

    judge: str
    n: int
    yes_yes: int
    yes_no: int
    no_no: int
    no_yes: int
    sensitivity: float
    specificity: float
    weak: bool
    pearson: float | None = None
    kappa: float | None = None
    criteria: list[CriterionMeasured]
    answers: list[AnswerMeasured] = Field(default_factory=list)


class CalibrationReport(Model):
    """How far a benchmark's judges can be believed, and how many answers still wait for that."""

    benchmark: str
    waiting: int
    judges: list[JudgeMeasured]


class OwnAgreement(Model):
    """Your votes beside the others' on the same settled answers: `compared` pairs of votes, of which `agreed` were
    within 0.05; `difference` is the mean distance of the scores in [0, 1]."""

    compared: int
    agreed: int
    difference: float


class QueueState(Model):
    """How many answers wait, and how far you are; `calibration` of the waiting ones measure a judge, `for_you` of them
    can be claimed by you now.

    `agreement`: None until an answer that you voted on is settled.
    """

    benchmark: str
    waiting: int
    calibration: int
    for_you: int
    settled: int
    yours: int
    disagreements: int
    median_seconds: float | None
    agreement: OwnAgreement | None


class ReviewerPublic(Model):
    """Somebody who reviews a benchmark by name. Members of its organisation may review without being named."""

    email: str


class ReviewerPage(Model):
    benchmark: str
    items: list[ReviewerPublic]
