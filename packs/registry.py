"""Importers and generators by name, found among the entry points of installed distributions, ours and anybody's.

An importer (group `heldout.importers`) is a function `read(source: Path, *, ...) -> DraftPack`, a generator (group
`heldout.generators`) a function `generate(*, seed: int, ...) -> DraftPack`; both may be asynchronous. The names of
their keyword-only parameters are the options of the command line. A format of question sets is an importer like any
other: it fills a `packs.importers.questions.Builder` and returns its draft. Nothing is imported before it is used.
"""

import inspect
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from packs.draft import DraftPack
from packs.faults import nearest

Maker = Callable[..., DraftPack | Awaitable[DraftPack]]


class UnknownNameError(ValueError):
    """There is no importer, or no generator, of that name."""


def importer(name: str) -> Maker:
    """The importer called `name`. Raises UnknownNameError, or ValueError where it cannot be had."""
    return _found("importer", name)


def generator(name: str) -> Maker:
    """The generator called `name`. Raises UnknownNameError, or ValueError where it cannot be had."""
    return _found("generator", name)


def importers() -> Sequence[str]:
    """The names of all importers, sorted."""
    return sorted(_listed("importer"))


def generators() -> Sequence[str]:
    """The names of all generators, sorted."""
    return sorted(_listed("generator"))


def options(maker: Maker) -> Sequence[str]:
    """The names of the options that an importer or generator takes."""
    return [p.name for p in inspect.signature(maker).parameters.values() if p.kind is p.KEYWORD_ONLY]


@cache
def _listed(what: str) -> Mapping[str, Sequence[EntryPoint]]:
    found = defaultdict(list)
    for point in entry_points(group=f"heldout.{what}s"):
        found[point.name].append(point)
    return found


def _found(what: str, name: str) -> Maker:
    listed = _listed(what)
    if name not in listed:
        known = ", ".join(sorted(listed)) or "none"
        near = nearest(name, listed)
        hint = f"{near} Known" if near.endswith("?") else "known"
        raise UnknownNameError(f"there is no {what} '{name}'; {hint} are {known}")
    if len(listed[name]) > 1:
        places = " and ".join(f"{point.value} ({_origin(point)})" for point in listed[name])
        raise ValueError(f"there are {len(listed[name])} {what}s '{name}': {places}; uninstall all but one")
    (point,) = listed[name]
    try:
        maker: Maker = point.load()
    except (ImportError, AttributeError) as error:
        raise ValueError(f"the {what} '{name}' of {_origin(point)} cannot be loaded: {error}") from error
    return maker


def _origin(point: EntryPoint) -> str:
    return point.dist.name if point.dist else "an unknown distribution"
