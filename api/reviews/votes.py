"""What reviewers say, sealed: the web role seals a vote and cannot open it; the worker opens the votes and settles."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from pydantic import TypeAdapter

from api.core.crypto import IntakeSeal, seal, unseal, unseal_intake

# Scores agree when they are this close; two halves of one criterion are a disagreement.
AGREE = 0.05
MOST_VOTES = 3


@dataclass(frozen=True)
class GivenVote:
    """One person's credits by criterion, the score in [0, 1] that they make, and a remark."""

    credits: dict[str, float]
    score: float
    comment: str


_VOTE = TypeAdapter(GivenVote)


@dataclass(frozen=True)
class StoredVote:
    """A vote as it is kept."""

    review_id: UUID
    user_id: UUID
    sealed: bytes

    def opened(self, key: bytes) -> GivenVote:
        """What was said. Raises SealError for a changed row."""
        return _VOTE.validate_json(unseal_intake(key, self.sealed, vote_binding(self.review_id, self.user_id)))


def seal_vote(public: bytes, review_id: UUID, user_id: UUID, vote: GivenVote) -> bytes:
    """A vote as it is stored, under the public half of the worker's key."""
    return IntakeSeal(public).seal(_VOTE.dump_json(vote), vote_binding(review_id, user_id))


def settled_score(votes: Sequence[GivenVote]) -> float | None:
    """What the votes settle on: the mean of two that agree, the median of three; None: a third is called."""
    scores = [vote.score for vote in votes]
    if len(scores) >= MOST_VOTES or (len(scores) == 2 and max(scores) - min(scores) <= AGREE):
        return statistics.median(scores)
    return None


def score_binding(review_id: UUID) -> str:
    """What it is bound to."""
    return f"review.score:{review_id}:1"


def seal_score(key: bytes, review_id: UUID, score: float) -> bytes:
    """A review's score as it is stored."""
    return seal(key, repr(score).encode(), score_binding(review_id))


def open_score(key: bytes, review_id: UUID, sealed: bytes) -> float:
    """A stored score. Raises SealError for a changed row."""
    return float(unseal(key, sealed, score_binding(review_id)))


def vote_binding(review_id: UUID, user_id: UUID) -> str:
    """What it is bound to."""
    return f"review_vote:{review_id}:{user_id}:1"
