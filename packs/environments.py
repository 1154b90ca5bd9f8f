"""Episodes checked against the environments that they name.

A pack knows no environment. Whoever reads one says which there are (`envs.registry` in the service), and what each
declares: the model of its specification, the models of its probes' arguments, and a check of its own.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Protocol

from pydantic import BaseModel, ValidationError

from packs.faults import Fault, from_validation, nearest, within
from packs.files import Located
from packs.pack import REFERENCES_FILE
from packs.problem import Episode, Probe, Problem, ReferenceLine
from packs.variation.expressions import ExpressionError
from packs.variation.variants import VariationError, variants_of


class EpisodeFault(Protocol):
    """What an environment's own check found: a field of the episode, what is wrong, and what would be right."""

    @property
    def field(self) -> str: ...

    @property
    def problem(self) -> str: ...

    @property
    def remedy(self) -> str: ...


class EnvironmentModels(Protocol):
    """What an environment declares. `probes` has the model of the arguments by type of probe."""

    @property
    def spec(self) -> type[BaseModel]: ...

    @property
    def probes(self) -> Mapping[str, type[BaseModel]]: ...

    def check(self, spec: Any, probes: Sequence[tuple[str, BaseModel]], /) -> Iterable[EpisodeFault]:
        """What the models do not say, of a `spec` and named `probes` that they accept."""


class Environments(Protocol):
    """The environments there are."""

    def names(self) -> Collection[str]: ...

    def find(self, name: str) -> EnvironmentModels:
        """Raises LookupError, which says why, for one that cannot be had."""


def episode_faults(item: Located[ReferenceLine], problem: Problem | None, environments: Environments) -> list[Fault]:
    """What is wrong with the episode of a line, or with that of any of its variants."""
    line = item.record
    if line.episode is None:
        return []
    episodes = [line.episode]
    if line.variation is not None and problem is not None:
        try:
            episodes = [made.episode for _, made in variants_of(problem, line, b"check") if made.episode]
        except (VariationError, ExpressionError):
            return []  # `checks.variation` says so
    return [fault for episode in episodes for fault in _checked(item.line, episode, environments)]


def _checked(line: int, episode: Episode, environments: Environments) -> list[Fault]:
    name = episode.environment
    if name not in environments.names():
        remedy = nearest(name, environments.names())
        return [_fault(line, "environment", f"there is no environment '{name}'", remedy)]
    try:
        models = environments.find(name)
    except LookupError as error:
        return [_fault(line, "environment", str(error), "install what it needs, or leave its problems out")]
    faults = _names_used_twice(line, episode)
    spec: BaseModel | None = None
    try:
        spec = models.spec.model_validate(episode.spec)
    except ValidationError as error:
        faults += within("episode.spec", from_validation(error, REFERENCES_FILE, line, models.spec))
    probes: list[tuple[str, BaseModel]] = []
    for place, probe in enumerate(episode.probes):
        if (arguments := _arguments(line, place, probe, models, faults)) is not None:
            probes.append((probe.name, arguments))
    if spec is None or faults:
        return faults
    problem = "the environment refuses it"
    return [_fault(line, found.field, problem, found.remedy, found.problem) for found in models.check(spec, probes)]


def _names_used_twice(line: int, episode: Episode) -> list[Fault]:
    names = [probe.name for probe in episode.probes]
    return [
        _fault(line, f"probes[{place}].name", f"an earlier probe is called '{name}' too", "give each its own name")
        for place, name in enumerate(names)
        if name in names[:place]
    ]


def _arguments(line: int, place: int, probe: Probe, models: EnvironmentModels, faults: list[Fault]) -> BaseModel | None:
    model = models.probes.get(probe.kind)
    if model is None:
        problem = f"the environment has no probe of type '{probe.kind}'"
        faults.append(_fault(line, f"probes[{place}].kind", problem, nearest(probe.kind, models.probes)))
        return None
    try:
        return model.model_validate(probe.arguments)
    except ValidationError as error:
        found = from_validation(error, REFERENCES_FILE, line, model)
        faults += within(f"episode.probes[{place}].arguments", found)
    return None


def _fault(line: int, field: str, problem: str, remedy: str, quoting: str = "") -> Fault:
    return Fault(REFERENCES_FILE, line, f"episode.{field}", problem, remedy, quoting)
