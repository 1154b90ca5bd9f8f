"""Scores over several benchmarks, as AgentBench's paper combines them: the service says which, and how each counts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from heldout._records import Received
from heldout.models import Interval


class OverallPart(Received):
    """A split in a combination. `average` is what its score is divided by, in per cent; `published`: it is offered."""

    name: str
    benchmark: str
    split: str
    average: float
    published: bool


class PartScore(Received):
    """A model's score in one part, in [0, 1]; None where it has no entry, which counts 0."""

    name: str
    score: float | None


class OverallRow(Received):
    """One organisation's model over all parts; `played` counts those with an entry."""

    rank: int
    organisation: str
    organisation_verified: bool
    model: str
    score: float
    interval: Interval
    played: int
    parts: tuple[PartScore, ...]


class OverallBoard(Received):
    """A combined leaderboard: the mean over all `parts` of 100 x score / average."""

    name: str
    title: str
    source: str
    parts: tuple[OverallPart, ...]
    items: tuple[OverallRow, ...]


@dataclass(frozen=True)
class Scored:
    """A score and its 95 % interval, in [0, 1]."""

    score: float
    low: float
    high: float


@dataclass(frozen=True)
class Combined:
    """A combined score and its 95 % interval; an average model has about 1. `played` counts the parts with a score."""

    score: float
    low: float
    high: float
    played: int


def combine(parts: Sequence[OverallPart], scores: Mapping[str, Scored]) -> Combined:
    """The overall score: a part without one in `scores` (by the part's name) counts 0, and is never averaged away.

    The interval is that of a sum of independent scores, each interval as wide as its score is unsure.
    """
    known = [(part.average / 100, scores[part.name]) for part in parts if part.name in scores]
    score = sum(found.score / weight for weight, found in known) / len(parts)
    widths = ((max(0.0, found.high - found.low) / 2 / weight) ** 2 for weight, found in known)
    half = sum(widths) ** 0.5 / len(parts)
    return Combined(score, max(0.0, score - half), score + half, len(known))
