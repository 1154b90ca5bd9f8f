"""The pack format. A pack is a folder: `benchmark.toml`, `problems.jsonl`, `references.jsonl`, `assets/`."""

import re
from enum import StrEnum
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints, model_validator

SLUG = r"^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$"
Slug = Annotated[str, StringConstraints(pattern=SLUG)]
Identifier = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$")]
Version = Annotated[str, StringConstraints(pattern=r"^\d+\.\d+\.\d+$")]
Text = Annotated[str, StringConstraints(min_length=1, max_length=200_000)]
ImageDigest = Annotated[str, StringConstraints(pattern=r"^(docker|rootfs) sha256:[0-9a-f]{64}$")]


class Model(BaseModel):
    """Base: unknown fields are errors, so that a misspelt field is told and not ignored."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Visibility(StrEnum):
    """`dev`: gold public; `test`: prompt to key holders, gold never; `private`: only ever played live."""

    DEV = "dev"
    TEST = "test"
    PRIVATE = "private"


class Feedback(StrEnum):
    """What a participant learns of its score on a split."""

    FULL = "full"
    AGGREGATE = "aggregate"
    LADDER = "ladder"
    DELAYED = "delayed"
    NONE = "none"


class SplitConfig(Model):
    """One split: who may see it, what it tells, and its budgets (counts a day or in all; None is unlimited).

    Under the ladder, organisations that nobody verified share one state (`unverified = "shared"`) or are told nothing.
    Reading that looks like scraping is slowed down (`scraping = "throttle"`) or only shown to the owner (`"flag"`).
    """

    visibility: Visibility
    feedback: Feedback
    feedback_delay_hours: Annotated[int, Field(ge=1, le=24 * 365)] = 24 * 7
    problems_per_day: Annotated[int, Field(ge=1)] | None = None
    submissions_per_organisation: Annotated[int, Field(ge=1)] | None = None
    chance_level: Annotated[float, Field(ge=0.0, lt=1.0)] = 0.0
    ladder_budget: Annotated[int, Field(ge=1)] | None = None
    unverified: Literal["shared", "none"] = "shared"
    scraping: Literal["throttle", "flag"] = "throttle"
    randomised_exposure: bool = False

    @model_validator(mode="after")
    def _hidden_splits_hide(self) -> Self:
        if self.visibility is not Visibility.DEV and self.feedback is Feedback.FULL:
            raise ValueError("feedback 'full' shows gold, which only a 'dev' split may; use 'ladder' or 'aggregate'")
        return self


class Scoring(Model):
    """How item scores become one score: `mean`, `macro` over `by`, or `weighted` with `weights` over `by`."""

    scheme: Literal["mean", "macro", "weighted", "success_rate"] = "mean"
    by: Literal["subject", "kind", "group"] = "subject"
    weights: dict[str, float] = Field(default_factory=dict)


class Agreement(Model):
    """The data-use agreement: `text` in Markdown; `approval` asks the owner about each applicant."""

    text: Text
    approval: bool = False


class Benchmark(Model):
    """`benchmark.toml`.

    `sandbox_images`: which contents a sandbox image that episodes name may have; for a name that is not in it, a
    release records what the publishing machine has.
    """

    slug: Slug
    title: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    version: Version
    owner: Slug
    licence: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    summary: Annotated[str, StringConstraints(max_length=500)] = ""
    card: Text
    canary: Annotated[str, StringConstraints(min_length=16, max_length=200)]
    source: str = ""
    scoring: Scoring = Scoring()
    agreement: Agreement | None = None
    splits: Annotated[dict[Slug, SplitConfig], Field(min_length=1)]
    sandbox_images: dict[str, tuple[ImageDigest, ...]] = Field(default_factory=dict)


class Choice(Model):
    """One option of a multiple-choice question; `label` is what an answer names."""

    label: Annotated[str, StringConstraints(pattern=r"^[A-Z]$")]
    text: Text


class Image(Model):
    """A file under `assets/` shown with the statement."""

    path: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._/-]*$")]
    alt: str = ""

    @model_validator(mode="after")
    def _stays_inside(self) -> Self:
        if ".." in re.split(r"[/\\]", self.path):
            raise ValueError("an asset's path stays inside assets/")
        return self


class Problem(Model):
    """One line of `problems.jsonl`: the public side, nothing from which the gold follows.

    `type` is the benchmark's own word for the kind of task (it groups results); `group` joins siblings
    (templates of tasks, randomised exposure). An episode's `statement` is its instruction.
    """

    id: Identifier
    split: Slug
    type: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
    subject: Annotated[str, StringConstraints(min_length=1, max_length=100)]
    statement: Text
    choices: tuple[Choice, ...] = ()
    answer_format: Annotated[str, StringConstraints(max_length=2000)] = ""
    images: tuple[Image, ...] = ()
    group: Identifier | None = None
    source: str = ""
    episode: bool = False


class Probe(Model):
    """What to look at when an episode ends; see `envs.base.Probe`."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=100)]
    kind: Annotated[str, StringConstraints(min_length=1, max_length=100)]
    arguments: dict[str, JsonValue] = Field(default_factory=dict)


class Episode(Model):
    """The environment of an episode: its name, its secret specification, its probes and its limit of steps."""

    environment: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
    spec: dict[str, JsonValue] = Field(default_factory=dict)
    probes: tuple[Probe, ...] = ()
    steps: Annotated[int, Field(ge=1, le=500)] = 30
    seconds: Annotated[int, Field(ge=5, le=24 * 3600)] = 900


class ConstantRange(Model):
    """Values a template's constant may take: `from`, `to`, `step` (decimal strings allowed), or listed `values`."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    start: Annotated[str | None, Field(alias="from")] = None
    stop: Annotated[str | None, Field(alias="to")] = None
    step: str = "1"
    values: tuple[str, ...] = ()


class Variation(Model):
    """How a problem may vary without changing what it measures. Secret: it tells the canonical form.

    `choices`: the order of choices may change. `constants`: names used as `{{name}}` in statement and choices;
    `gold` is an expression of them; `constraints` are expressions that must hold. `slots`: named paraphrases,
    `{{name}}` in the statement, one of the listed texts each.
    """

    choices: bool = False
    constants: dict[str, ConstantRange] = Field(default_factory=dict)
    constraints: tuple[str, ...] = ()
    gold: str | None = None
    slots: dict[str, tuple[str, ...]] = Field(default_factory=dict)


class ReferenceLine(Model):
    """One line of `references.jsonl`: the secret side of the problem with the same id.

    `reference` is a tagged union of `grading` (its `kind` picks the grader). `oracle` is a sequence of actions that
    solves the episode; `answers` are further answers known to be right, used to check the pack.
    """

    id: Identifier
    reference: dict[str, Any]
    solution: str = ""
    gold: str | None = None
    answers: tuple[str, ...] = ()
    episode: Episode | None = None
    oracle: tuple[dict[str, JsonValue], ...] = ()
    variation: Variation | None = None
