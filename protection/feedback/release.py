"""What goes into a decision (verdicts and the state of an organisation) and what comes out (a feedback release)."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


class Part(StrEnum):
    """The two parts of a hidden split."""

    FEEDBACK = "feedback"
    RANKING = "ranking"


@dataclass(frozen=True)
class FeedbackRelease:
    """All that ever leaves a hidden split of one decision.

    `new` is False for every refusal, whatever its reason; `band` is the score band that stands after it (None: below
    the floor so far); `left` is how many decisions of this kind the organisation has left this year; `scheduled` is
    when it may be read.
    """

    part: Part
    new: bool
    band: int | None
    left: int
    scheduled: datetime | None = None


@dataclass(frozen=True)
class GroupBand:
    """The score band of one group of items, for owners alone: its ends as scores; both None below the floor."""

    group: str
    items: int
    from_score: float | None
    to_score: float | None


@dataclass(frozen=True, eq=False)
class Verdicts:
    """Scores in [0, 1] of one part's items, in a fixed order; blank and unparseable ones are 0 and not `answered`.

    `weights` sum to 1. `seed` is that of the sign-flip test (`partition.flip_seed`), so that the same answers are
    always decided alike.
    """

    scores: Floats
    weights: Floats
    answered: Mask
    seed: int = 0

    def __post_init__(self) -> None:
        if not self.scores.size:
            raise ValueError("a part without items has no score")
        if not self.scores.shape == self.weights.shape == self.answered.shape:
            raise ValueError("scores, weights and answered have one value for each item of the part")
        if not bool(((self.scores >= 0.0) & (self.scores <= 1.0)).all()):
            raise ValueError("item scores are between 0 and 1")
        if abs(float(self.weights.sum()) - 1.0) > 1e-6 or float(self.weights.min()) < 0.0:
            raise ValueError("the weights of a part's items are not negative and sum to 1")

    @classmethod
    def plain(cls, scores: NDArray[np.generic], answered: Mask | None = None, seed: int = 0) -> "Verdicts":
        """Verdicts of a plain mean; everything was answered unless `answered` says otherwise."""
        values = np.asarray(scores, dtype=np.float64)
        everything = np.ones(values.size, dtype=np.bool_)
        return cls(
            values, np.full(values.size, 1.0 / max(1, values.size)), everything if answered is None else answered, seed
        )

    @property
    def score(self) -> float:
        """The weighted mean; blanks count 0."""
        return float((self.scores * self.weights).sum())


@dataclass(frozen=True)
class PartState:
    """What one organisation has learnt of one part: decisions used this year, its band, its best run, bits told."""

    used: int = 0
    band: int | None = None
    best: tuple[float, ...] | None = None
    bits: float = 0.0


@dataclass(frozen=True)
class OrganisationState:
    """The state of one verified organisation on one split, over all releases of it. Secret: `best` holds verdicts."""

    feedback: PartState = field(default_factory=PartState)
    ranking: PartState = field(default_factory=PartState)

    @property
    def bits(self) -> float:
        """Bits told of both parts together."""
        return self.feedback.bits + self.ranking.bits

    def next_year(self) -> "OrganisationState":
        """The same with all decisions of a year before it; bands and bests stay."""
        return OrganisationState(replace(self.feedback, used=0), replace(self.ranking, used=0))
