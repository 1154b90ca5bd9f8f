"""What an episode of an OpenEnv environment is made of."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from envs.base import NoArguments


class OpenEnvSpec(BaseModel):
    """`server` is a name that the operator gave an address; `reset` are further arguments of its reset, and
    `instruction` is said before its first observation."""

    model_config = ConfigDict(extra="forbid")

    server: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")
    reset: dict[str, Any] = Field(default_factory=dict)
    instruction: str = ""


PROBES: Mapping[str, type[NoArguments]] = {"reward": NoArguments, "state": NoArguments}
