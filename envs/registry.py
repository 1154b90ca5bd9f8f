"""Environments by name: ours and those of other distributions, found through entry points of one group.

A distribution adds an environment by declaring, in its pyproject.toml,

    [project.entry-points."heldout.environments"]
    card_guessing = "card_guessing:ENVIRONMENT"

where the object is an `EnvironmentDefinition` of that name. It is imported when it is asked for, and not before.
"""

from collections import defaultdict
from collections.abc import Mapping
from contextlib import AsyncExitStack
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from envs.base import Environment, InfrastructureError, SpecError, parse_spec
from envs.definition import EnvironmentDefinition
from envs.sandbox.base import Backend
from envs.sandbox.pool import PoolSpec

GROUP = "heldout.environments"
loaded: dict[str, EnvironmentDefinition[Any]] = {}
_created: dict[str, EnvironmentDefinition[Any]] = {}


class UnknownEnvironmentError(SpecError, LookupError):
    """No distribution has an environment of that name."""


class PluginError(InfrastructureError, LookupError):
    """An environment cannot be loaded, by a fault of the distributions that are installed here."""


@cache
def entry_points_by_name() -> Mapping[str, list[EntryPoint]]:
    """What the installed distributions declare, read once in a process; none of it is imported."""
    found: defaultdict[str, list[EntryPoint]] = defaultdict(list)
    for point in entry_points(group=GROUP):
        found[point.name].append(point)
    return dict(found)


def names() -> list[str]:
    """The environments that are installed, in order; none is imported."""
    return sorted(entry_points_by_name().keys() | loaded.keys())


def find(name: str) -> EnvironmentDefinition[Any]:
    """The definition of an environment. Raises UnknownEnvironmentError, and PluginError for one that is broken."""
    if name not in loaded:
        points = entry_points_by_name().get(name, [])
        if not points:
            known = ", ".join(names()) or "none, for this package was not installed since it got some ('uv sync' does)"
            raise UnknownEnvironmentError(f"unknown environment '{name}'; known: {known}")
        if len(points) > 1:
            several = " and ".join(sorted(map(_distribution, points)))
            raise PluginError(f"the environment '{name}' is declared by {several}; uninstall all but one")
        loaded[name] = _load(points[0])
    return loaded[name]


def _load(point: EntryPoint) -> EnvironmentDefinition[Any]:
    place = f"the environment '{point.name}' of {_distribution(point)} ({point.value})"
    try:
        definition = point.load()
    except Exception as error:
        raise PluginError(f"{place} cannot be loaded: {type(error).__name__}: {error}") from error
    if not isinstance(definition, EnvironmentDefinition):
        raise PluginError(f"{place} is no EnvironmentDefinition but {type(definition).__name__}")
    if definition.name != point.name:
        raise PluginError(f"{place} is named '{definition.name}' in its definition; both names must be the same")
    return definition


def _distribution(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist else "an unnamed distribution"


def create(name: str) -> Environment:
    """A fresh environment. Raises UnknownEnvironmentError, PluginError."""
    _created[name] = find(name)
    return _created[name].create()


async def pool_spec(name: str, backend: Backend, spec: Mapping[str, Any]) -> PoolSpec | None:
    """The sandbox that an episode begins with, or None where its environment needs none.

    Raises SpecError, InfrastructureError.
    """
    definition = find(name)
    if definition.pool_spec is None:
        return None
    return await definition.pool_spec(backend, parse_spec(definition.spec, spec))


def image(name: str, spec: Mapping[str, Any]) -> str | None:
    """The sandbox image that an episode names, or None where it takes what the machine has.

    Raises SpecError, PluginError.
    """
    definition = find(name)
    return definition.image(parse_spec(definition.spec, spec)) if definition.image else None


async def close() -> None:
    """End what environments of the running loop share: the browser and the sites' processes, where there are any."""
    async with AsyncExitStack() as stack:
        for definition in _created.values():
            if definition.close is not None:
                stack.push_async_callback(definition.close)
