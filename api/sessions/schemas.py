"""JSON of sessions."""

from datetime import datetime
from typing import Annotated, Any, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from api.core.nul import holds_nul
from api.core.schemas import NUMBER, Model
from api.hosting.step_views import ObservationPublic
from api.submissions.schemas import Usage
from envs.base import Action, Tool

MAX_ANSWER = 100_000


class SessionCreate(Model):
    """Open an episode. With `submission` (open, of the same split) its verdict becomes that submission's item."""

    problem: Annotated[str, StringConstraints(max_length=80)]
    submission: Annotated[str, StringConstraints(max_length=64)] | None = None


class StepCreate(Model):
    """The next action. `number` counts from 1; sent again with the same action it gives the same stored reply."""

    number: Annotated[int, Field(ge=1, le=100_000), NUMBER]
    action: Action

    @model_validator(mode="after")
    def _can_be_stored(self) -> Self:
        tool = self.action.tool
        if holds_nul(self.action.text) or (tool is not None and holds_nul([tool.name, tool.arguments])):
            raise ValueError("an action must not contain the character U+0000")
        return self


class SessionFinish(Model):
    """End the episode, with the final answer where the task asks for one.

    `reason` says that the model's context was full (`context_limit`). `usage` is what the whole episode cost; it may be
    reported after the end too, until the submission is final.
    """

    answer: Annotated[str, StringConstraints(max_length=MAX_ANSWER)] | None = None
    reason: Literal["completed", "context_limit"] = "completed"
    usage: Usage | None = None


class Limits(Model):
    """How long an episode may be: actions, seconds of wall clock, seconds without an action."""

    steps: int
    seconds: int
    idle_seconds: int


class TranscriptStep(Model):
    """One entry of a transcript; number 0 is the first observation and has no action."""

    number: int
    action: Action | None
    observation: ObservationPublic
    finish_reason: str | None
    answer: str | None
    error: str | None
    at: datetime


class VerdictPublic(Model):
    """How an episode of a split with full feedback was judged."""

    score: float | None
    outcome: str
    reason: str
    grader: str


class SessionPublic(Model):
    """An episode as the participant sees it. `divergence` says where a rebuilt environment looked different;
    `transcript` is null where it was not asked for, or is over and kept no longer."""

    id: str
    problem: str
    benchmark: str
    version: str
    split: str
    submission: str | None
    state: str
    instruction: str
    answer_format: str
    tools: list[Tool]
    limits: Limits
    steps: int
    created_at: datetime
    deadline: datetime | None
    observation: ObservationPublic | None
    finish_reason: str | None
    answer: str | None
    takeovers: int
    divergence: list[dict[str, Any]]
    verdict: VerdictPublic | None
    transcript: list[TranscriptStep] | None = None


class EpisodeListed(Model):
    """An episode that may be opened; what it asks is shown when it is."""

    id: str
    type: str
    subject: str


class EpisodePage(Model):
    items: list[EpisodeListed]
    next: str | None
