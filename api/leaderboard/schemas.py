"""JSON of the leaderboard."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, JsonValue, StringConstraints, model_validator

from api.core.names import plain_name, visible_text
from api.core.schemas import PLAIN_NAME, Flag, Model
from api.feedback.schemas import SplitRules
from api.leaderboard.columns import Format, Place

Short = Annotated[str, StringConstraints(max_length=200, strip_whitespace=True)]
ShortName = Annotated[Short, AfterValidator(plain_name), Field(json_schema_extra=PLAIN_NAME)]
ModelName = Annotated[
    str,
    StringConstraints(min_length=1, max_length=200, strip_whitespace=True),
    AfterValidator(plain_name),
    Field(json_schema_extra=PLAIN_NAME),
]


MAX_MODEL_BYTES = 4096


class ModelInfo(Model):
    """What was evaluated. `parameters` are sampling settings; `access` says who can use the model. 4 KB at most."""

    name: ModelName
    version: ShortName = ""
    organisation: ShortName = ""
    url: Annotated[
        str,
        StringConstraints(max_length=500, pattern=r"^(https?://\S+)?$"),
        AfterValidator(visible_text),
        Field(json_schema_extra={"format": "visible-address"}),
    ] = ""
    parameters: Annotated[dict[str, JsonValue], Field(max_length=50)] = Field(default_factory=dict)
    access: Literal["", "open", "api", "closed"] = ""

    @model_validator(mode="after")
    def _small(self) -> Self:
        size = len(self.model_dump_json().encode())
        if size > MAX_MODEL_BYTES:
            raise ValueError(f"the model has {size} bytes as JSON, {MAX_MODEL_BYTES} are the limit: shorten parameters")
        return self


class ModelListed(Model):
    """A model as lists show it."""

    name: str
    version: str
    organisation: str
    url: str
    access: str

    @classmethod
    def of(cls, stored: Mapping[str, object]) -> Self:
        """What is shown of a stored model; what is no text is left empty."""
        return cls(**_texts(stored))


class ModelPublic(ModelListed):
    """A model with its parameters, for those who submitted it."""

    parameters: dict[str, JsonValue]

    @classmethod
    def of(cls, stored: Mapping[str, Any], *, whole: bool = True) -> Self:
        """What is shown of a stored model; its parameters only with `whole`."""
        return cls(**_texts(stored), parameters=(stored.get("parameters") or {}) if whole else {})


def _texts(stored: Mapping[str, object]) -> dict[str, Any]:
    found = {name: stored.get(name) for name in ModelListed.model_fields}
    return {name: value if isinstance(value, str) else "" for name, value in found.items()}


class Interval(Model):
    """95 % confidence interval."""

    low: float
    high: float


class EntryPublic(Model):
    """One row. `rank` counts the better scores, so equal scores share it; a run that did not answer every problem
    (`coverage` below 1) has none.

    Where a judge decided answers, `score` is corrected for its errors as far as people measured them; `correction` has
    the raw score and the numbers behind it, and `judge_weak` says that the score should not be relied on yet.
    `adjusted` is the score less the expected luck of the best of `attempts` runs; `declared` marks a run whose model
    and commit were named in advance; `contamination` is the test of exposed against held-back items, if there is one.
    `organisation_verified`: somebody has made sure that the organisation is who it says it is; `organisation_slug`: its
    short name.
    On a hidden split `score` is the middle of a score band, and null with `interval` and `adjusted` where it cannot be
    told from guessing; `overfit` and `contaminated` are flags of one bit.
    `cells` are the values of the page's `columns` by name, as CSV has them.
    """

    rank: int | None
    submission: str
    model: ModelListed
    organisation: str
    organisation_slug: str
    organisation_verified: bool
    score: float | None
    interval: Interval | None
    coverage: float
    attempts: int
    adjusted: float | None
    overfit: bool = False
    contaminated: bool = False
    verified: bool
    declared: bool = False
    contamination: dict[str, Any] | None = None
    judge_weak: bool = False
    correction: dict[str, Any] | None = None
    hidden: bool = False
    created_at: datetime
    breakdown: dict[str, Any]
    usage: dict[str, Any]
    cells: dict[str, JsonValue]


class ColumnPublic(Model):
    """A column of the table: where it is shown besides JSON, its heading and how its values are written for people.

    An `optional` one is left out of a table in which it is empty in all rows (null, no text, false).
    """

    name: str
    label: str
    format: Format
    hint: str
    shown_in: list[Place]
    optional: bool


class LeaderboardPage(Model):
    """One page of a split's leaderboard; `columns` are those of its entries' `cells`, in order."""

    benchmark: str
    version: str
    split: str
    feedback: str
    rules: SplitRules | None
    count: int
    columns: list[ColumnPublic]
    items: list[EntryPublic]
    next: str | None


class OwnedEntryPage(Model):
    """Entries of one's own board, hidden ones with the others (`hidden`), newest first."""

    benchmark: str
    version: str
    split: str
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
    organisation_verified: bool
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

    hidden: Flag | None = None
    verified: Flag | None = None


class DeclarationCreate(Model):
    """The run to come: its model as it will be submitted, and the commit hash given as the model's `version`."""

    split: Annotated[str, StringConstraints(min_length=1, max_length=64)]
    model: ModelName
    commit: Annotated[str, StringConstraints(min_length=7, max_length=200, pattern=r"^[0-9A-Za-z:._-]+$")]


class DeclarationPublic(Model):
    """A declared run: submissions begun from `counts_from` on carry the mark; `left` more may be declared now."""

    benchmark: str
    split: str
    model: str
    commit: str
    declared_at: datetime
    counts_from: datetime
    left: int
