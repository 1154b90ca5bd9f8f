"""JSON of the leaderboard."""

from datetime import datetime
from typing import Any

from api.core.schemas import Model
from api.submissions.schemas import Interval, ModelInfo


class EntryPublic(Model):
    """One row. `rank` counts the better scores, so equal scores share it.

    Where a judge decided answers, `score` is corrected for its errors as far as people measured them; `correction` has
    the raw score and the numbers behind it, and `judge_weak` says that the score should not be relied on yet.
    `adjusted` is the score less the expected luck of the best of `attempts` runs; `declared` marks a run whose model
    and commit were named in advance; `contamination` is the test of exposed against held-back items, if there is one.
    """

    rank: int
    submission: str
    model: ModelInfo
    organisation: str
    score: float
    interval: Interval
    coverage: float
    attempts: int
    adjusted: float
    verified: bool
    declared: bool = False
    contamination: dict[str, Any] | None = None
    judge_weak: bool = False
    correction: dict[str, Any] | None = None
    hidden: bool = False
    created_at: datetime
    breakdown: dict[str, Any]
    usage: dict[str, Any]


class LeaderboardPage(Model):
    benchmark: str
    version: str
    split: str
    feedback: str
    count: int
    items: list[EntryPublic]
    next: str | None


class OverallPart(Model):
    """One part of a combination. `published` says whether its benchmark is here."""

    name: str
    benchmark: str
    split: str
    average: float
    published: bool


class PartScore(Model):
    """A model's score in one part, in [0, 1]; None where it has no entry, which counts 0."""

    name: str
    score: float | None


class OverallRow(Model):
    """One organisation's model over all parts; `played` counts those with an entry."""

    rank: int
    organisation: str
    model: str
    score: float
    interval: Interval
    played: int
    parts: list[PartScore]


class OverallPage(Model):
    """A combined leaderboard: the mean over all parts of 100 x score / average."""

    name: str
    title: str
    source: str
    parts: list[OverallPart]
    items: list[OverallRow]


class OverallListed(Model):
    name: str
    title: str


class EntryChange(Model):
    """What an owner may change of an entry."""

    hidden: bool | None = None
    verified: bool | None = None
