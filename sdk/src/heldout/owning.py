"""What an owner has done on a benchmark and learns of it. `Client.owned(slug)` is the way in."""

from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from heldout._records import Received

JobWatch = Callable[["OwnerJob"], None]


class Release(Received):
    """A release. `corrects`: the version of which it only mends golds, whose entries and agreements it carries."""

    version: str
    digest: str
    published_at: datetime
    current: bool
    corrects: str | None = None


class ReleasePage(Received):
    """The releases of a benchmark, newest first."""

    benchmark: str
    items: tuple[Release, ...] = ()


class ItemChange(Received):
    """A problem that was added or removed, or changed: in which public `fields`, and whether its gold did."""

    name: str
    split: str
    change: Literal["added", "removed", "changed"]
    fields: tuple[str, ...] = ()
    gold_changed: bool
    old: str | None = None
    new: str | None = None


class ReleaseDiff(Received):
    """What changed between two releases; `terms` names what did of card, licence, scoring, agreement and splits."""

    job: Literal["diff"] = "diff"
    old: str
    new: str
    corrects: bool
    terms: tuple[str, ...] = ()
    items: tuple[ItemChange, ...] = ()
    left_out: int = 0


class PackExport(Received):
    """An exported release; the references of hidden splits are not in it."""

    job: Literal["export"] = "export"
    version: str
    name: str
    size: int
    problems: int
    without_reference: int


class Retired(Received):
    """The release that a retirement made."""

    job: Literal["retire"] = "retire"
    version: str
    problems: int


class Deleted(Received):
    """What went with a deleted benchmark."""

    job: Literal["delete"] = "delete"
    releases: int
    problems: int
    submissions: int
    entries: int


class EntryMove(Received):
    """A submission that a regrading would move: scores in [0, 1], before and after."""

    submission: str
    organisation: str
    model: str
    split: str
    before: float
    after: float
    answers_changed: int


class ItemMove(Received):
    """A problem on which verdicts would change: how many for the better, how many for the worse."""

    name: str
    split: str
    better: int
    worse: int


class RegradePreview(Received):
    """What a regrading under the current release's golds would change."""

    job: Literal["regrade_preview"] = "regrade_preview"
    version: str
    submissions: int
    entries: tuple[EntryMove, ...] = ()
    items: tuple[ItemMove, ...] = ()


class WrongAnswer(Received):
    """An answer that was not accepted, in how many submissions, and in how many of the strongest."""

    text: str
    count: int
    strong: int


class ItemMeasured(Received):
    """How submissions do on one problem; `suspected`: many strong ones agree on the same rejected answer."""

    name: str
    subject: str
    type: str
    answered: int
    right: float | None = None
    discrimination: float | None = None
    seconds: float | None = None
    judge_disagrees: float | None = None
    wrong: tuple[WrongAnswer, ...] = ()
    suspicion: float
    suspected: bool


class ItemStatistics(Received):
    """The items of a split, suspected wrong golds first, then the hardest."""

    job: Literal["items"] = "items"
    version: str
    split: str
    submissions: int
    strong: int
    items: tuple[ItemMeasured, ...] = ()


class ItemStatisticsPage(Received):
    """The newest statistics of a split's items, and when they were measured."""

    benchmark: str
    measured_at: datetime
    statistics: ItemStatistics


class PresetCost(Received):
    """A preset of feedback with what it tells in a year, and what the strongest simulated attack makes of it.

    `organisations` are in one hand. `golds_learnt` of the problems that decisions speak of, `points_gained` on the
    board (points of 100), each with its standard error. `current`: the split has this preset.
    """

    preset: str
    decisions: int
    rankings: int
    band_width: float | None = None
    organisations: int
    golds_learnt: float
    golds_error: float
    points_gained: float
    points_error: float
    current: bool


class PresetCosts(Received):
    """What each preset would cost a split; `simulated` of its `problems` were played, `trials` times each."""

    job: Literal["presets"] = "presets"
    version: str
    split: str
    problems: int
    simulated: int
    trials: int
    preset: str
    items: tuple[PresetCost, ...] = ()


class RubricsDrafted(Received):
    """Of the `listed` problems that have a rubric or could have one, those `drafted`; `faults` say why others not."""

    job: Literal["draft_rubrics"] = "draft_rubrics"
    version: str
    listed: int
    drafted: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


class RubricsPublished(Received):
    """The release that has the approved rubrics, and for which problems."""

    job: Literal["publish_rubrics"] = "publish_rubrics"
    version: str
    problems: tuple[str, ...] = ()


JobResult = Annotated[
    ReleaseDiff
    | PackExport
    | Retired
    | RegradePreview
    | ItemStatistics
    | PresetCosts
    | RubricsDrafted
    | RubricsPublished
    | Deleted,
    Field(discriminator="job"),
]


class OwnerJob(Received):
    """Something that a worker does for the owner. `state`: queued, running, done, failed (`failure` says why)."""

    id: str
    benchmark: str
    job: str
    arguments: dict[str, Any] = Field(default_factory=dict)
    state: str
    done: int = 0
    total: int = 0
    failure: str = ""
    created_at: datetime
    finished_at: datetime | None = None
    result: JobResult | None = None

    @property
    def ended(self) -> bool:
        """Whether there is nothing more to wait for."""
        return self.state in ("done", "failed")


class Mover(Received):
    """An entry whose score on the board moved; `before` and `after` hold score, low and high as shown there."""

    submission: str
    organisation: str
    model: str
    before: dict[str, float]
    after: dict[str, float]


class Regrade(Received):
    """A regrading: why, how far, and whose score moved."""

    id: str
    reason: str
    total: int
    done: int
    created_at: datetime
    finished_at: datetime | None = None
    movers: tuple[Mover, ...] = ()


class RegradePage(Received):
    """The regradings of a benchmark, newest first."""

    benchmark: str
    items: tuple[Regrade, ...] = ()


class RegradeBegun(Received):
    """A regrading that was begun."""

    id: str


class Reviewer(Received):
    """Somebody who grades a benchmark's queue by name."""

    email: str


class ReviewerPage(Received):
    """Who grades a benchmark's queue by name."""

    benchmark: str
    items: tuple[Reviewer, ...] = ()


class CriterionMeasured(Received):
    """Judge against people on one criterion: rows of `confusion` are people's credits (0, 0.5, 1), columns its own."""

    criterion: str
    n: int
    confusion: tuple[tuple[int, ...], ...] = ()
    agreement: float
    agreement_low: float
    agreement_high: float
    kappa: float | None = None
    pearson: float | None = None
    alpha_people: float | None = None
    drift_after: int | None = None


class AnswerMeasured(Received):
    """One answer that people and a judge scored in [0, 1], with their credits by criterion; people's are the middle."""

    review: str
    problem: str
    people: float
    judge: float
    people_credits: dict[str, float] = Field(default_factory=dict)
    judge_credits: dict[str, float] = Field(default_factory=dict)


class JudgeMeasured(Received):
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
    pearson: float | None = None
    kappa: float | None = None
    criteria: tuple[CriterionMeasured, ...] = ()
    answers: tuple[AnswerMeasured, ...] = ()


class Calibration(Received):
    """How far a benchmark's judges can be believed, and how many answers still wait for that."""

    benchmark: str
    waiting: int
    judges: tuple[JudgeMeasured, ...] = ()


class RubricSummary(Received):
    """A problem that has a rubric or could have one. `state`: missing, drafted, approved, published."""

    id: str
    problem: str
    split: str
    kind: str
    state: str
    model: str = ""
    approved_by: str | None = None
    revision: int
    changed_at: datetime


class RubricPage(Received):
    """The problems of a benchmark's current release with their rubrics."""

    benchmark: str
    items: tuple[RubricSummary, ...] = ()


class Criterion(Received):
    """One thing to look for; `full`, `half` and `none` say what each credit looks like."""

    id: str
    text: str
    points: float
    full: str = ""
    half: str = ""
    none: str = ""
    requires: tuple[str, ...] = ()
    alternative: str | None = None


class RubricText(RubricSummary):
    """A rubric beside its problem and solution. `faults`: why it cannot be approved as it is."""

    benchmark: str
    statement: str
    solution: str
    total: float
    criteria: tuple[Criterion, ...] = ()
    faults: tuple[str, ...] = ()


class Dispute(Received):
    """A dispute of a problem's gold.

    `problem`: the id under which who raised it knows the problem; `name`: what its pack calls it, for the owner alone.
    `state`: open, accepted, rejected; `answer` is the owner's.
    """

    id: str
    benchmark: str
    split: str
    version: str
    state: str
    created_at: datetime
    decided_at: datetime | None = None
    problem: str | None = None
    name: str | None = None
    organisation: str
    reason: str
    answer: str


class DisputePage(Received):
    """Disputes that your organisation raised, or that are on your benchmark; newest first."""

    items: tuple[Dispute, ...] = ()
