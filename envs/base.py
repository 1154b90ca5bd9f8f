"""The words every environment speaks: actions in, observations out, evidence at the end."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Protocol, Self, TypeVar, runtime_checkable

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError, model_validator

M = TypeVar("M", bound=BaseModel)


class FinishReason(StrEnum):
    """Why an episode ended."""

    COMPLETED = "completed"
    CONTEXT_LIMIT = "context_limit"
    INVALID_FORMAT = "invalid_format"
    INVALID_ACTION = "invalid_action"
    TASK_LIMIT = "task_limit"
    CANCELLED = "cancelled"
    INFRASTRUCTURE_ERROR = "infrastructure_error"


class ToolCall(BaseModel):
    """A function call: the tool's name and its arguments (checked against the tool's JSON Schema)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    arguments: dict[str, JsonValue] = Field(default_factory=dict)


class Action(BaseModel):
    """One step of a participant: either `text` (the published text protocol) or a `tool` call."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        json_schema_extra={
            "oneOf": [
                {"required": ["text"], "properties": {"text": {"type": "string"}, "tool": {"type": "null"}}},
                {"required": ["tool"], "properties": {"tool": {"type": "object"}, "text": {"type": "null"}}},
            ]
        },
    )

    text: str | None = None
    tool: ToolCall | None = None

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        if (self.text is None) == (self.tool is None):
            raise ValueError("an action has either 'text' or 'tool', not both and not none")
        return self


class Tool(BaseModel):
    """A tool a participant may call; `parameters` is a JSON Schema of its arguments."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    description: str
    parameters: dict[str, JsonValue]


class Observation(BaseModel):
    """What the participant sees. `data` is plain JSON, `images` are base64 PNGs by name; `tools` only at the start."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str = ""
    data: dict[str, JsonValue] = Field(default_factory=dict)
    images: dict[str, str] = Field(default_factory=dict)
    tools: tuple[Tool, ...] = ()


class StepResult(BaseModel):
    """An observation, and how the episode stands. `answer` is what the participant committed to, if it did.

    `reward` is what a world publishes to the participant by its own rules (a game's score): finite, in the world's own
    unit. It is never used for grading, and a world must not derive it from what only the reference knows.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    observation: Observation
    finish: FinishReason | None = None
    answer: str | None = None
    error: str | None = None
    reward: float | None = Field(default=None, allow_inf_nan=False)

    def shown(self) -> Observation:
        """The observation as the participant gets it: with the reward, where there is one, as `reward` of its data."""
        if self.reward is None:
            return self.observation
        return self.observation.model_copy(update={"data": self.observation.data | {"reward": self.reward}})


class View(BaseModel):
    """Another look at a world: which mode, more than the window, element ids drawn on the picture."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    mode: str = Field(default="accessibility", pattern="^(accessibility|html|screenshot)$")
    whole_page: bool = False
    marks: bool = False


class Probe(BaseModel):
    """What to look at when an episode ends. `type` (`kind` in JSON) and `arguments` are the environment's own words."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_by_name=True, serialize_by_alias=True)

    name: str
    type: str = Field(alias="kind")
    arguments: dict[str, JsonValue] = Field(default_factory=dict)


class Evidence(BaseModel):
    """What one probe saw, as plain JSON. `fault` marks an infrastructure fault, never the participant's."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    value: JsonValue = None
    error: str | None = None
    fault: bool = False


class NoArguments(BaseModel):
    """The arguments of a probe that takes none."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class EpisodeError(Exception):
    """Base of what environments raise; the message may be shown to operators, never to the participant."""


class InfrastructureError(EpisodeError):
    """The machine, the engine or the browser failed. The episode is replayed or refunded, never scored."""


class SpecError(EpisodeError):
    """The problem's own specification is wrong. Shown to the benchmark's owner."""


def parse_spec(model: type[M], spec: Mapping[str, Any]) -> M:
    """The specification of an episode as its world's model. Raises SpecError naming every field that is wrong."""
    try:
        return model.model_validate(spec)
    except ValidationError as error:
        raise SpecError(f"the specification: {_described(error)}") from None


def parse_probe(known: Mapping[str, type[M]], probe: Probe) -> M:
    """The arguments of a probe as the model that `known` has for its type. Raises SpecError for an unknown type, and
    for arguments that are wrong."""
    if probe.type not in known:
        raise SpecError(f"the probe '{probe.name}' has the unknown type '{probe.type}'; known: {', '.join(known)}")
    try:
        return known[probe.type].model_validate(probe.arguments)
    except ValidationError as error:
        raise SpecError(f"the arguments of the probe '{probe.name}': {_described(error)}") from None


def _described(error: ValidationError) -> str:
    found = error.errors(include_url=False, include_input=False)
    return "; ".join(f"'{'.'.join(map(str, one['loc']))}': {one['msg']}" for one in found)


@runtime_checkable
class Viewable(Protocol):
    """An environment that can be looked at between actions. Nothing changes by it, so it is no part of the log."""

    async def view(self, view: View) -> Observation: ...


class Environment(Protocol):
    """One live episode. Deterministic under a seed; not safe for concurrent calls.

    `reset` is called once, `step` until a result has a finish reason, `probe` once after the end, `close` always.
    All may raise InfrastructureError; `reset` may raise SpecError. A bad action raises nothing: the result tells.
    """

    async def reset(self, spec: dict[str, Any], seed: int) -> Observation: ...

    async def step(self, action: Action) -> StepResult: ...

    async def probe(self, probes: list[Probe]) -> list[Evidence]: ...

    async def close(self) -> None: ...
