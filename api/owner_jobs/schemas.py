"""JSON of owners' jobs: what is asked, and what each gives."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from api.core.schemas import NUMBER, Flag, Model

Version = Annotated[str, Field(min_length=1, max_length=40)]
Name = Annotated[str, Field(min_length=1, max_length=64)]
ProblemName = Annotated[str, Field(min_length=1, max_length=128)]


class DiffAsk(Model):
    """What changed from release `old` to release `new`."""

    job: Literal["diff"]
    old: Version
    new: Version


class ExportAsk(Model):
    """A release as a pack, without the references of hidden splits; without `version` the current one."""

    job: Literal["export"]
    version: Version | None = None


class RetireAsk(Model):
    """Publish the feedback part of the hidden `split`, or `everything`, in the dev split `into` of a new release.

    `anyway`: though the ledger does not presume its golds public.
    """

    job: Literal["retire"]
    split: Name
    version: Version
    into: Name = "dev"
    everything: Flag = False
    anyway: Flag = False


class RegradePreviewAsk(Model):
    """Which scores a regrading would move. Nothing is changed, and nobody else sees it."""

    job: Literal["regrade_preview"]


class ItemsAsk(Model):
    """Measure the items of a split of the current release."""

    job: Literal["items"]
    split: Name


class PresetsAsk(Model):
    """What each preset of feedback would cost a split of this size, by simulated attacks. Nothing is changed."""

    job: Literal["presets"]
    split: Name


class DraftRubricsAsk(Model):
    """Look which problems of the current release have a rubric or could have one; the judge drafts those of `problems`.

    `pack`: an uploaded one that is checked, in the place of the release; the benchmark need not have any yet.
    Without `problems` it only looks. `total`: what the points of a draft sum to. `again`: also where there is a rubric
    already; what was approved has to be approved anew.
    """

    job: Literal["draft_rubrics"]
    pack: Annotated[str, Field(min_length=1, max_length=64)] | None = None
    problems: Annotated[list[ProblemName], Field(default_factory=list, max_length=500)]
    total: Annotated[float, Field(ge=0.5, le=1000), NUMBER] = 10.0
    again: Flag = False


class PublishRubricsAsk(Model):
    """Publish the current release with all approved rubrics as the release `version`."""

    job: Literal["publish_rubrics"]
    version: Annotated[str, Field(pattern=r"^[0-9]+\.[0-9]+\.[0-9]+$", max_length=40)]


class DeleteAsk(Model):
    """Delete the benchmark for good. `confirm` is its slug once more; `reason` is shown wherever it is asked for."""

    job: Literal["delete"]
    confirm: Name
    reason: Annotated[str, Field(min_length=10, max_length=1000)]


OwnerJobAsk = Annotated[
    DiffAsk
    | ExportAsk
    | RetireAsk
    | RegradePreviewAsk
    | ItemsAsk
    | PresetsAsk
    | DraftRubricsAsk
    | PublishRubricsAsk
    | DeleteAsk,
    Field(discriminator="job"),
]


class ItemChange(Model):
    """A problem that is in one of two releases, or differs between them.

    `change`: added, removed or changed; `fields` names what differs of the public side, `gold_changed` whether its
    reference does. `old` and `new` are its statements.
    """

    name: str
    split: str
    change: Literal["added", "removed", "changed"]
    fields: list[str]
    gold_changed: bool
    old: str | None
    new: str | None


class ReleaseDiff(Model):
    """What changed between two releases. `terms` names what differs of card, licence, scoring, agreement, splits.

    `corrects`: the newer one only mends golds, so its boards go on. At most 2,000 items are listed, `left_out` more
    differ.
    """

    job: Literal["diff"] = "diff"
    old: str
    new: str
    corrects: bool
    terms: list[str]
    items: list[ItemChange]
    left_out: int


class PackExport(Model):
    """A release as a pack: `GET /v1/jobs/{id}/file`. `without_reference`: problems whose golds are not in it."""

    job: Literal["export"] = "export"
    version: str
    name: str
    size: int
    problems: int
    without_reference: int


class Retired(Model):
    """The release that a retirement made."""

    job: Literal["retire"] = "retire"
    version: str
    problems: int


class EntryMove(Model):
    """A submission that a regrading would move: exact scores in [0, 1], before and after."""

    submission: str
    organisation: str
    model: str
    split: str
    before: float
    after: float
    answers_changed: int


class ItemMove(Model):
    """A problem on which verdicts would change: how many become better, how many worse."""

    name: str
    split: str
    better: int
    worse: int


class RegradePreview(Model):
    """What a regrading under the current release's golds would change; `submissions` were graded anew."""

    job: Literal["regrade_preview"] = "regrade_preview"
    version: str
    submissions: int
    entries: list[EntryMove]
    items: list[ItemMove]


class WrongAnswer(Model):
    """An answer that was not accepted, and in how many submissions; `strong`: in how many of the strongest."""

    text: str
    count: int
    strong: int


class ItemMeasured(Model):
    """How the submissions do on one problem.

    `right`: mean score in [0, 1]. `discrimination`: correlation of its score with the score of all other problems; None
    where either does not vary. `seconds`: median time for it. `judge_disagrees`: share of the answers that people and a
    judge both decided on which they differ by half the score or more. `suspicion`: share of the strongest submissions
    that agree on the same rejected answer; `suspected`: they are at least three, half of the strongest and more
    than got it right.
    """

    name: str
    subject: str
    type: str
    answered: int
    right: float | None
    discrimination: float | None
    seconds: float | None
    judge_disagrees: float | None
    wrong: list[WrongAnswer]
    suspicion: float
    suspected: bool


class ItemStatistics(Model):
    """The items of a split, suspected wrong golds first, then the hardest.

    Of each model of each organisation the newest graded submission counts, at most 500; `strong` of the
    `submissions` are the strongest quarter.
    """

    job: Literal["items"] = "items"
    version: str
    split: str
    submissions: int
    strong: int
    items: list[ItemMeasured]


class PresetCost(Model):
    """A preset with what it tells an organisation in a year, and what the strongest simulated attack makes of it.

    `organisations` are in one hand. `golds_learnt`: of the problems that decisions speak of; `points_gained`: on the
    board, in points of 100; each with its standard error. `current`: the split has this preset.
    """

    preset: str
    decisions: int
    rankings: int
    band_width: float | None
    organisations: int
    golds_learnt: float
    golds_error: float
    points_gained: float
    points_error: float
    current: bool


class PresetCosts(Model):
    """What each preset would cost the split. `simulated` of its `problems` were played, `trials` times each."""

    job: Literal["presets"] = "presets"
    version: str
    split: str
    problems: int
    simulated: int
    trials: int
    preset: str
    items: list[PresetCost]


class RubricsDrafted(Model):
    """Of the `listed` problems that have a rubric or could have one, those `drafted`; `faults` say why others not."""

    job: Literal["draft_rubrics"] = "draft_rubrics"
    version: str
    listed: int
    drafted: list[str]
    faults: list[str]


class RubricsPublished(Model):
    """The release that has the approved rubrics, and for which problems; a regrading gives earlier answers theirs."""

    job: Literal["publish_rubrics"] = "publish_rubrics"
    version: str
    problems: list[str]


class Deleted(Model):
    """What was erased: how many releases, problems, submissions' answers and entries."""

    job: Literal["delete"] = "delete"
    releases: int
    problems: int
    submissions: int
    entries: int


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
ASKS: TypeAdapter[OwnerJobAsk] = TypeAdapter(OwnerJobAsk)
RESULTS: TypeAdapter[JobResult] = TypeAdapter(JobResult)


class OwnerJobPublic(Model):
    """A job. `state`: queued, running, done, failed (`failure` says why); `done` of `total` says how far it is."""

    id: str
    benchmark: str
    job: str
    arguments: dict[str, Any]
    state: str
    done: int
    total: int
    failure: str
    created_at: datetime
    finished_at: datetime | None
    result: JobResult | None = None


class OwnerJobPage(Model):
    """The newest jobs of a benchmark, without their results."""

    benchmark: str
    items: list[OwnerJobPublic]


class ItemStatisticsPublic(Model):
    """The newest statistics of a split's items, and when they were measured."""

    benchmark: str
    measured_at: datetime
    statistics: ItemStatistics
