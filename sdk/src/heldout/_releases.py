"""What was released of a submission to a hidden split."""

from datetime import datetime

from heldout._records import Received


class ScoreBand(Received):
    """A score band of one part of a split: its middle as `score`, its ends, and the 95 % interval that it allows."""

    band: int
    score: float
    from_score: float
    to_score: float
    low: float
    high: float


class SubmissionFeedback(Received):
    """What was released of a submission to a hidden split.

    `outcome` is `waiting` until `decided_at`, then `queued` (decided on the feedback part), `stored` (the same answers
    were decided before), `incomplete`, `silent` (your organisation is not verified), `spent` (no decision was left),
    `ranking_only` (there is no feedback part) or `failed`. `new_best` is False for every refusal; `stands` is your
    organisation's band on the feedback part. `selected` and `ranked` are about the scheduled releases.
    """

    outcome: str
    decided_at: datetime | None = None
    new_best: bool | None = None
    stands: ScoreBand | None = None
    decisions_left: int | None = None
    selected: bool = False
    ranked: bool = False
    ranked_new_best: bool | None = None
