"""What hidden splits release, of a submission and by which rules."""

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


class SplitRules(Received):
    """How a hidden split speaks, and how worn it is; `policy` is `scores` or `sealed`.

    `wear`: bits released of the feedback part over the bits its golds hold; `attack_gain`: what the strongest simulated
    attack gains on the board, as a score, if all organisations were one hand.
    """

    policy: str
    decisions_per_year: int = 0
    rankings_per_year: int = 0
    band_width: float | None = None
    next_release: datetime | None = None
    organisations: int = 0
    feedback_bits: float = 0.0
    ranking_bits: float = 0.0
    wear: float = 0.0
    presumed_public: bool = False
    attack_gain: float = 0.0
    accepted_leaks: tuple[str, ...] = ()
