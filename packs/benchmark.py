"""The format of `benchmark.toml`, the head of a pack: a folder with problems, references and assets beside it."""

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from packs.problem import ImageDigest, Model, Slug, Text, Version


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
    """How item scores become one score: `mean`, `macro` over `by`, or `weighted` with `weights` over `by`.

    `by` "type" groups by the problems' `type`; "kind" is an older spelling of the same.
    """

    scheme: Literal["mean", "macro", "weighted", "success_rate"] = "mean"
    by: Literal["subject", "type", "group", "kind"] = "subject"
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
