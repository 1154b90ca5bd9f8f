"""What a step on a page is made of: the secret `spec` of its episode. What is right stands with the reference."""

from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from envs.base import NoArguments

Turn = Annotated[str, Field(max_length=20_000)]
NodeId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,40}$")]


class Words(BaseModel):
    """The words of a question: before the task, after what was done, and the text of choice A."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    intro: str = Field(max_length=2000)
    ask: str = Field(max_length=2000)
    none: str = Field(max_length=200)


class WebBrowsingSpec(BaseModel):
    """`page` is a cleaned page as XML whose elements have a `backend_node_id`; `candidates` are some of these, in the
    order in which they are asked about, five at a time. `previous` says what was done before.

    `protocol`: "published" reads replies as AgentBench does and asks nothing about a candidate that is left alone;
    "fixed" asks again where a reply cannot be read, and about every candidate. `turns` is a limit of replies.
    `words` and `shots` (the user's turn, the participant's, and so on) stand in place of ours.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    task: str = Field(min_length=1, max_length=10_000)
    previous: tuple[Annotated[str, Field(max_length=2000)], ...] = Field(default=(), max_length=500)
    page: str = Field(min_length=1, max_length=5_000_000)
    candidates: tuple[NodeId, ...] = Field(default=(), max_length=100)
    protocol: Literal["published", "fixed"] = "fixed"
    turns: int = Field(default=12, ge=1, le=500)
    words: Words | None = None
    shots: tuple[Turn, ...] = Field(default=(), max_length=100)

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if len(self.shots) % 2:
            raise ValueError("'shots' ends with a turn of the participant, so that the question follows it")
        if len(set(self.candidates)) != len(self.candidates):
            raise ValueError("'candidates' names an element twice")
        return self


PROBES: Mapping[str, type[NoArguments]] = {"prediction": NoArguments}
