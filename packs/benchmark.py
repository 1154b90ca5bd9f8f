"""The format of `benchmark.toml`, the head of a pack: a folder with problems, references and assets beside it."""

from enum import StrEnum
from typing import Annotated, Any, Literal, Self, TypedDict

from pydantic import Field, SerializerFunctionWrapHandler, StringConstraints, model_serializer, model_validator

from packs.problem import ImageDigest, Model, Slug, Text, Version


class Visibility(StrEnum):
    """`dev`: gold public; `test`: prompt to key holders, gold never; `private`: only ever played live."""

    DEV = "dev"
    TEST = "test"
    PRIVATE = "private"


class Feedback(StrEnum):
    """What a participant learns of its score on a split: `open` everything, `scores` one coarse score a decision on a
    live board, `sealed` decisions on a feedback part and a board of scheduled releases.

    Older spellings are read as well: `full` is `open`; `aggregate` is `scores`; `ladder` is `sealed`; `delayed` is
    `sealed` without decisions between the scheduled releases; `none` is `sealed` that releases nothing.
    """

    OPEN = "open"
    SCORES = "scores"
    SEALED = "sealed"
    FULL = "full"
    AGGREGATE = "aggregate"
    LADDER = "ladder"
    DELAYED = "delayed"
    NONE = "none"

    @property
    def preset(self) -> Literal["open", "scores", "sealed"]:
        """The preset that this is a spelling of."""
        if self in (Feedback.OPEN, Feedback.FULL):
            return "open"
        return "scores" if self in (Feedback.SCORES, Feedback.AGGREGATE) else "sealed"


class PolicyArguments(TypedDict):
    """What a split's configuration says of its feedback, as `protection.feedback.policy.policy_for` takes it."""

    preset: Literal["open", "scores", "sealed"]
    chance_level: float
    share: float | None
    decisions: int | None
    rankings: int | None
    mode: Literal["test", "score"]
    grid: float
    models: bool
    unverified: Literal["shared", "none"]
    accept_leak: bool


_OLDER = frozenset({"full", "aggregate", "ladder", "delayed", "none"})


class SplitConfig(Model):
    """One split: who may see it, what it tells, and its budgets (counts a day or in all; None is unlimited).

    `feedback` is `open` on dev splits and `sealed` on hidden ones where nothing is said. Its parameters, None for the
    default of the split's size: `feedback_share` of the items that decisions speak of, `decisions_per_year` and
    `rankings_per_year` for each verified organisation, `feedback_part` ("test": a decision tells a new best beyond
    noise; "score": the score band each time), `band_width` in standard errors, `rank_models` (each model is ranked for
    itself). What tells more than the defaults were measured for needs `accept_leak`, and the board says so.
    `chance_level` is what guessing scores; a `sealed` split must say it.
    Organisations that nobody verified are told nothing (`unverified = "none"`) or share one state (`"shared"`).
    A feedback part whose golds are presumed known is published at the next scheduled release and a new one is drawn
    (`rotation = "automatic"`), or when the owner says so (`"by_owner"`).
    Reading that looks like scraping is slowed down (`scraping = "throttle"`) or only shown to the owner (`"flag"`).
    `feedback_delay_hours` and `ladder_budget` belong to older spellings of `feedback`.
    """

    visibility: Visibility
    feedback: Feedback = Feedback.SEALED
    feedback_share: Annotated[float, Field(ge=0.0, lt=1.0)] | None = None
    decisions_per_year: Annotated[int, Field(ge=0)] | None = None
    rankings_per_year: Annotated[int, Field(ge=0, le=366)] | None = None
    feedback_part: Literal["test", "score"] = "test"
    band_width: Annotated[float, Field(ge=0.01, le=100.0)] = 1.0
    rank_models: bool = False
    accept_leak: bool = False
    feedback_delay_hours: Annotated[int, Field(ge=1, le=24 * 365)] = 24 * 7
    problems_per_day: Annotated[int, Field(ge=1)] | None = None
    submissions_per_organisation: Annotated[int, Field(ge=1)] | None = None
    chance_level: Annotated[float, Field(ge=0.0, lt=1.0)] = 0.0
    ladder_budget: Annotated[int, Field(ge=1)] | None = None
    unverified: Literal["shared", "none"] = "none"
    rotation: Literal["automatic", "by_owner"] = "automatic"
    scraping: Literal["throttle", "flag"] = "throttle"
    randomised_exposure: bool = False

    @model_validator(mode="before")
    @classmethod
    def _defaults(cls, data: Any) -> Any:
        """Dev splits are open, and older spellings come with the older default of `unverified` and `chance_level`."""
        if not isinstance(data, dict):
            return data
        filled: dict[str, Any] = {}
        if data.get("visibility") == Visibility.DEV:
            filled["feedback"] = Feedback.OPEN
        if data.get("feedback") in _OLDER:
            filled |= {"unverified": "shared", "chance_level": 0.0}
        return filled | data

    @model_validator(mode="after")
    def _hidden_splits_hide(self) -> Self:
        if self.visibility is not Visibility.DEV and self.feedback.preset == "open":
            raise ValueError(
                f"feedback {self.feedback.value!r} shows gold, which only a 'dev' split may; use 'sealed' or 'scores'"
            )
        if self.feedback is Feedback.SEALED and "chance_level" not in self.model_fields_set:
            raise ValueError(
                "a sealed split says what guessing scores, since scores near it are not told apart: "
                "chance_level = 0.25 for four choices, 0.0 for free form"
            )
        return self

    def policy_arguments(self) -> PolicyArguments:
        """`policy_for(**config.policy_arguments(), items=…, choices=…)` is the policy that is asked for."""
        quiet = self.feedback in (Feedback.DELAYED, Feedback.NONE)
        return PolicyArguments(
            preset=self.feedback.preset,
            chance_level=self.chance_level,
            share=self.feedback_share,
            decisions=0 if quiet else self.decisions_per_year,
            rankings=0 if self.feedback is Feedback.NONE else self.rankings_per_year,
            mode=self.feedback_part,
            grid=self.band_width,
            models=self.rank_models,
            unverified=self.unverified,
            accept_leak=self.accept_leak,
        )

    @model_serializer(mode="wrap")
    def _whole(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """What other fields' defaults hang on is always written, also where defaults are left out."""
        written: dict[str, Any] = handler(self)
        if self.feedback in _OLDER:
            # As older versions wrote it, so that the digest of a published pack stays.
            kept = {name: value for name, value in written.items() if (name, value) != ("unverified", "shared")}
            return kept | ({"unverified": "none"} if self.unverified == "none" else {})
        if self.visibility is Visibility.DEV:
            return written
        return written | {
            "feedback": self.feedback.value,
            "chance_level": self.chance_level,
            "unverified": self.unverified,
        }


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
