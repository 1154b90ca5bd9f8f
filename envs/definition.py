"""What a world declares, in one place: all that the rest of the house has to know of an environment."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from pydantic import BaseModel

from envs.base import Environment
from envs.sandbox.base import Backend
from envs.sandbox.pool import PoolSpec

Spec = TypeVar("Spec", bound=BaseModel)
NamedProbe = tuple[str, BaseModel]
"""A probe's name and its arguments as the model of its type."""


@dataclass(frozen=True)
class SpecFault:
    """Something wrong with an episode, for its author: a dotted field such as `probes[1].arguments.site`, what is wrong
    with it, and what would be right."""

    field: str
    problem: str
    remedy: str


def nothing_more(spec: BaseModel, probes: Sequence[NamedProbe]) -> Iterable[SpecFault]:
    """The `check` of a world whose models say everything."""
    del spec, probes
    return ()


@dataclass(frozen=True, kw_only=True)
class EnvironmentDefinition(Generic[Spec]):
    """One kind of environment. An entry point of the group `heldout.environments` with the same name leads to it.

    It is read by processes that never play an episode, so the module that holds it imports no browser, no database
    driver and the like; `create`, `pool_spec` and `close` import what they need when they are called.

    `spec`: the model of an episode's specification. `probes`: for each type of probe the model of its arguments. All
    of them forbid unknown fields, so that a misspelt one is refused before an episode is published.
    `check`: what is wrong with an episode beyond the models; called with a specification and probes that they accept.
    `create`: a fresh environment, for one episode.
    `pool_spec`: the sandbox an episode begins with, so that some are kept ready. Raises InfrastructureError.
    `accounts`: whether an episode needs a sandbox with several user ids; called with what `check` is called with.
    `image`: the sandbox image an episode names, whose digest a release records; None where it takes the machine's own.
    `close`: ends what the world's environments share in the running loop; called only where one was created.
    """

    name: str
    spec: type[Spec]
    create: Callable[[], Environment]
    probes: Mapping[str, type[BaseModel]] = field(default_factory=dict)
    check: Callable[[Spec, Sequence[NamedProbe]], Iterable[SpecFault]] = nothing_more
    pool_spec: Callable[[Backend, Spec], Awaitable[PoolSpec]] | None = None
    accounts: Callable[[Spec, Sequence[NamedProbe]], bool] | None = None
    image: Callable[[Spec], str | None] | None = None
    close: Callable[[], Awaitable[None]] | None = None

    def __post_init__(self) -> None:
        """Raises ValueError for a model that lets unknown fields pass."""
        models: list[type[BaseModel]] = [self.spec, *self.probes.values()]
        for model in models:
            if model.model_config.get("extra") != "forbid":
                raise ValueError(f"{model.__name__} of the environment '{self.name}' needs extra='forbid'")
