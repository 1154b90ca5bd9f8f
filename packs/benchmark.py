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
    """One split: who may see it, what it tells, and its budgets (null is unlimited unless said otherwise)."""

    visibility: Visibility
    """Who sees the problems, and whether golds are public."""
    feedback: Feedback = Feedback.SEALED
    """What a participant learns of its score. `open` where nothing is said on dev splits, else `sealed`."""
    feedback_share: Annotated[float, Field(ge=0.0, lt=1.0)] | None = None
    """Share of the items that decisions speak of, the feedback part; the board speaks of the others. Null: by the
    split's size."""
    decisions_per_year: Annotated[int, Field(ge=0)] | None = None
    """Decisions on the feedback part that each verified organisation gets. Null: by the split's size."""
    rankings_per_year: Annotated[int, Field(ge=0, le=366)] | None = None
    """How often the board is released. Null: by the split's size."""
    feedback_part: Literal["test", "score"] = "test"
    """`test`: a decision tells a new best beyond noise; `score`: the score band each time."""
    band_width: Annotated[float, Field(ge=0.01, le=100.0)] = 1.0
    """Width of a score band, in standard errors."""
    rank_models: bool = False
    """Each model of an organisation is ranked for itself, not only its best."""
    accept_leak: bool = False
    """Needed for what tells more than the defaults were measured for; the board says so."""
    feedback_delay_hours: Annotated[int, Field(ge=1, le=24 * 365)] = 24 * 7
    """Belongs to the older spelling `delayed`."""
    problems_per_day: Annotated[int, Field(ge=1)] | None = None
    """How many problems an organisation is shown in a day."""
    submissions_per_organisation: Annotated[int, Field(ge=1)] | None = None
    """How many submissions an organisation may make in all."""
    chance_level: Annotated[float, Field(ge=0.0, lt=1.0)] = 0.0
    """What guessing scores, in [0, 1). A `sealed` split must say it: 0.25 for four choices, 0.0 for free form."""
    ladder_budget: Annotated[int, Field(ge=1)] | None = None
    """Belongs to the older spelling `ladder`."""
    unverified: Literal["shared", "none"] = "none"
    """Organisations that nobody verified are told nothing (`none`) or share one state (`shared`)."""
    rotation: Literal["automatic", "by_owner"] = "automatic"
    """A feedback part whose golds are presumed known is published at the next scheduled release and a new one is drawn
    (`automatic`), or when you say so (`by_owner`)."""
    scraping: Literal["throttle", "flag"] = "throttle"
    """Reading that looks like scraping is slowed down (`throttle`) or only shown to you (`flag`)."""
    randomised_exposure: bool = False
    """Of siblings (`group`) each organisation is shown only some, which makes leaks visible."""

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
    """How item scores become one score."""

    scheme: Literal["mean", "macro", "weighted", "success_rate"] = "mean"
    """`mean` and `success_rate` over problems, `macro` over the means of groups, `weighted` over groups with
    `weights`."""
    by: Literal["subject", "type", "group", "kind"] = "subject"
    """What groups problems; "kind" is an older spelling of "type"."""
    weights: dict[str, float] = Field(default_factory=dict)
    """The weight of each group; one that is not named weighs nothing."""


class Agreement(Model):
    """The data-use agreement."""

    text: Text
    """What a participant accepts, by name, before it is shown a hidden problem; in Markdown."""
    approval: bool = False
    """Whether you decide on each applicant."""


class Benchmark(Model):
    """`benchmark.toml`: the head of the pack."""

    slug: Slug
    """Its name in addresses; it never changes."""
    title: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    """Its name for people."""
    version: Version
    """Three numbers. A release never changes: raise it for every pack that is published."""
    owner: Slug
    """Your organisation's short name, as `heldout whoami` shows it."""
    licence: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    """Of the problems."""
    summary: Annotated[str, StringConstraints(max_length=500)] = ""
    """One sentence for lists of benchmarks."""
    card: Text
    """The benchmark's page, in Markdown: what is measured, how the problems were made, what a score means."""
    canary: Annotated[str, StringConstraints(min_length=16, max_length=200)]
    """A text that no other text holds: who finds it in a training corpus has found the benchmark."""
    source: str = ""
    """Where the problems come from."""
    scoring: Scoring = Scoring()
    """How the scores of the problems become one score."""
    agreement: Agreement | None = None
    """What participants accept before they are shown hidden problems."""
    splits: Annotated[dict[Slug, SplitConfig], Field(min_length=1)]
    """The splits by name, each a table `[splits.name]`."""
    sandbox_images: dict[str, tuple[ImageDigest, ...]] = Field(default_factory=dict)
    """Which contents a sandbox image that episodes name may have; for a name that is not in it, a release records what
    the publishing machine has."""
