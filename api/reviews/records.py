"""What the queue of reviews holds, as its readers know it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID


@dataclass(frozen=True)
class ClaimedReview:
    """A review that a reviewer holds until `lease_until`, with its sealed sheet."""

    id: UUID
    sheet: bytes
    lease_until: datetime
    purpose: str
    votes_needed: int


@dataclass(frozen=True)
class OpenReview:
    """A review as its reviewers know it: who holds it, and its sealed sheet until it is settled."""

    id: UUID
    benchmark_id: UUID
    sheet: bytes | None
    lease_user: UUID | None
    settled_at: datetime | None


@dataclass(frozen=True)
class CountedVote:
    """Where a review stands after a vote: with as many as are needed, the worker settles it or calls a third."""

    votes: int
    votes_needed: int


@dataclass(frozen=True)
class QueueProgress:
    """How many answers wait and are settled, how many called a third vote, and one reviewer's own votes.

    `for_you`: of the waiting ones those that the reviewer may claim now.
    """

    waiting: int
    calibration: int
    for_you: int
    settled: int
    disagreements: int
    yours: int
    median_seconds: float | None


@dataclass(frozen=True)
class ReviewableItem:
    """An answer that people may look at, with the public side of its problem and what its grader said."""

    problem_id: UUID
    benchmark_id: UUID
    answer: str | None
    reason: str | None
    statement: str
    choices: list[dict[str, str]]
    images: list[dict[str, str]]
    variation: dict[str, Any] | None

    @property
    def id(self) -> UUID:
        """The problem's."""
        return self.problem_id


@dataclass(frozen=True)
class JudgedItem(ReviewableItem):
    """An answer that a judge decided; `asked`: people were asked, and their score is `person` once they settled."""

    score: float
    judge: str
    person: float | None
    asked: bool


@dataclass(frozen=True)
class ReviewedPair:
    """What people and a judge (`model`) said of one answer: scores in [0, 1], the judge's credits by criterion."""

    id: UUID
    problem_id: UUID
    problem: str
    person: float
    judge: float
    model: str | None
    credits: dict[str, float] | None


@dataclass(frozen=True)
class Ballot:
    """One person's credits by criterion."""

    review_id: UUID
    credits: dict[str, float]


@dataclass(frozen=True)
class VotedReview:
    """A review that is not settled, locked, and how many votes it takes."""

    id: UUID
    benchmark_id: UUID
    votes_needed: int


@dataclass(frozen=True)
class CalibratedReview:
    """What people settled on for a judge's sake: of which submission and benchmark."""

    submission_id: UUID
    benchmark_id: UUID


@dataclass(frozen=True)
class AppliedReview:
    """A settled review whose score is on its way to its item."""

    submission_id: UUID
    problem_id: UUID
    score: float
    purpose: str
