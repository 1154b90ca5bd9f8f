"""What an echo episode is made of."""

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict, Field

from envs.base import NoArguments


class EchoSpec(BaseModel):
    """What is said first, and after how many actions the episode ends by itself."""

    model_config = ConfigDict(extra="forbid")

    greeting: str = "Say something; finish[answer] ends the episode."
    steps: int = Field(default=500, ge=1)


PROBES: Mapping[str, type[NoArguments]] = {"log": NoArguments}
