"""What an operating-system problem is made of: the secret `spec` of its episode."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from envs.base import SpecError

Language = Literal["bash", "python", "c", "c++"]
Protocol = Literal["published", "fixed"]


class Script(BaseModel):
    """A program: `language` and its text."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    code: str = Field(max_length=200_000)
    language: Language = "bash"


class OperatingSystemSpec(BaseModel):
    """`problem` is told to the participant; `init` prepares the disk and `start` begins background processes.

    `protocol` "published" is AgentBench's: 8 turns, a reply without an action ends the episode. "fixed" tells the
    participant what was wrong and goes on. Both understand text and tool calls. `timeout` is seconds a command.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    problem: str = Field(min_length=1, max_length=20_000)
    init: tuple[Script, ...] = ()
    start: str = ""
    image: str = "default"
    protocol: Protocol = "fixed"
    turns: int = Field(default=8, ge=1, le=200)
    timeout: float = Field(default=30.0, ge=1.0, le=600.0)
    workdir: str = "/root"


def parse_spec(data: dict[str, Any]) -> OperatingSystemSpec:
    """The typed specification. Raises SpecError, which says what is wrong."""
    try:
        return OperatingSystemSpec.model_validate(data)
    except ValidationError as error:
        raise SpecError(f"the operating system's specification: {error}") from None
