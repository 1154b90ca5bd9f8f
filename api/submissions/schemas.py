"""JSON of submissions."""

from datetime import datetime
from typing import Annotated, Any, Self

from pydantic import AfterValidator, ConfigDict, Field, JsonValue, StringConstraints, model_validator

from api.core.nul import without_nul
from api.core.schemas import NUMBER, Flag, Model
from api.feedback.schemas import SubmissionFeedback
from api.leaderboard.schemas import Interval, ModelInfo, ModelPublic, Short
from api.leaderboard.usage import MOST_DOLLARS, MOST_SECONDS, MOST_TOKENS

MAX_ITEMS = 20_000
MAX_ANSWER = 100_000


class Usage(Model):
    """What answering cost: tokens, US dollars, seconds."""

    tokens: Annotated[int, Field(ge=0, le=MOST_TOKENS), NUMBER] | None = None
    cost: Annotated[float, Field(ge=0, le=MOST_DOLLARS, allow_inf_nan=False), NUMBER] | None = None
    seconds: Annotated[float, Field(ge=0, le=MOST_SECONDS, allow_inf_nan=False), NUMBER] | None = None


class ItemCreate(Model):
    """An answer: `answer` is a full response or a bare answer, `data` a structured field, `trajectory` the actions
    of an episode, which are replayed in a fresh environment."""

    model_config = ConfigDict(
        json_schema_extra={
            "anyOf": [
                {"required": [name], "properties": {name: {"not": {"type": "null"}}}}
                for name in ("answer", "data", "trajectory")
            ]
        }
    )
    problem: Annotated[str, StringConstraints(max_length=80)]
    answer: Annotated[str, StringConstraints(max_length=MAX_ANSWER), AfterValidator(without_nul)] | None = None
    data: JsonValue = None
    trajectory: Annotated[list[dict[str, JsonValue]], Field(max_length=500)] | None = None
    usage: Usage | None = None

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.answer is None and self.data is None and self.trajectory is None:
            raise ValueError("an item needs 'answer' (text; may be empty), 'data' or 'trajectory'")
        return self


class SubmissionCreate(Model):
    """A run over one split; with `finalize: false` more items may follow in parts."""

    benchmark: Short
    split: Short
    model: ModelInfo
    items: Annotated[list[ItemCreate], Field(max_length=MAX_ITEMS)] = Field(default_factory=list)
    finalize: Flag = True


class ItemsCreate(Model):
    items: Annotated[list[ItemCreate], Field(min_length=1, max_length=MAX_ITEMS)]


class ItemPublic(Model):
    """One graded item: of a split with full feedback, or of a hidden one once its problem was published."""

    problem: str
    score: float | None
    outcome: str | None
    reason: str | None
    grader: str | None
    gold: str | None = None


class SubmissionPublic(Model):
    """A submission as its makers may see it: what the split's feedback `policy` allows, and no more.

    On a hidden split `feedback` is what was released of it, `score` what the board says, and `next_release` when there
    is more to read at the earliest: its decision, then the next scheduled release. `items` are those of an open split;
    of a hidden one they are those that were published since.
    """

    id: str
    benchmark: str
    version: str
    split: str
    policy: str
    model: ModelPublic
    state: str
    expected: int
    received: int
    graded: int | None
    coverage: float
    attempt: int
    place: int | None = None
    estimate_seconds: float | None = None
    created_at: datetime
    finalised_at: datetime | None
    graded_at: datetime | None
    score: float | None = None
    interval: Interval | None = None
    breakdown: dict[str, Any] | None = None
    usage: dict[str, Any] | None = None
    failure: str = ""
    note: str = ""
    feedback: SubmissionFeedback | None = None
    next_release: datetime | None = None
    items: list[ItemPublic] | None = None


class SubmissionPage(Model):
    items: list[SubmissionPublic]
    next: str | None
