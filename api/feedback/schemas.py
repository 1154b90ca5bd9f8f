"""JSON of feedback releases."""

from datetime import datetime

from api.core.schemas import Model


class BandPublic(Model):
    """A score band of one part of a split: its middle as `score`, its ends, and the 95 % interval that it allows."""

    band: int
    score: float
    from_score: float
    to_score: float
    low: float
    high: float


class SubmissionFeedback(Model):
    """What was released of a submission to a hidden split.

    `outcome`: `waiting` until `decided_at`, then `queued` (decided on the feedback part), `stored` (the same answers
    were decided before), `incomplete` (too few answers could be read), `silent` (the organisation is not verified),
    `spent` (no decision was left), `ranking_only` (there is no feedback part), `carried` (it goes on from an earlier
    release), `retired` (what decisions spoke of was published before it was decided) or `failed`. `new_best` is false
    for every refusal, whatever its reason; `stands` is the band of the organisation's best on the feedback part.
    `ranked`: the organisation was given a ranking release for this submission; `selected`: it is to be given one next
    time.
    """

    outcome: str
    decided_at: datetime
    new_best: bool | None = None
    stands: BandPublic | None = None
    decisions_left: int | None = None
    selected: bool = False
    ranked: bool = False
    ranked_new_best: bool | None = None


class SplitFeedbackPublic(Model):
    """What an organisation has learnt of a split this year, and what is left.

    `shared` says that the organisation is not verified: the numbers are those of all such organisations together.
    """

    benchmark: str
    split: str
    policy: str
    decisions: int
    decisions_left: int
    rankings: int
    rankings_left: int
    bits: float
    next_release: datetime | None
    shared: bool


class SplitRules(Model):
    """How a hidden split speaks, and how worn it is.

    `wear`: bits released of its feedback part over the bits its golds hold; from 1 on they are presumed public.
    `attack_gain`: what the strongest simulated attack gains on the board if all organisations were one hand, as a
    score. `accepted_leaks`: what the owner lets out beyond the defaults.
    """

    policy: str
    decisions_per_year: int
    rankings_per_year: int
    band_width: float | None
    next_release: datetime | None
    organisations: int
    feedback_bits: float
    ranking_bits: float
    wear: float
    presumed_public: bool
    attack_gain: float
    accepted_leaks: list[str]


class ReleaseListed(Model):
    """A release of the ranking part: made (`done`), or `called` for by the owner and made within seconds."""

    scheduled: datetime
    called: bool
    done: bool


class ReleaseSchedule(Model):
    """When a hidden split's ranking part speaks, for its owner, who may call for `calls_left` more releases this year.

    `next_release` is the next scheduled one; None where there is no ranking part. `items`: the newest, newest first.
    """

    benchmark: str
    split: str
    policy: str
    next_release: datetime | None
    calls: int
    calls_left: int
    items: list[ReleaseListed]


class ReleaseCalled(Model):
    """A release of the ranking part that the owner called for; it is made within seconds."""

    benchmark: str
    split: str
    scheduled: datetime
    calls_left: int
