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
        near = nearest(name, listed)
        known = f"known are {', '.join(sorted(listed)) or 'none'}"
        raise UnknownNameError(f"there is no {what} '{name}'; {f'{near} ({known})' if near.endswith('?') else known}")
    if len(listed[name]) > 1:
        origins = " and ".join(sorted(map(_distribution, listed[name])))
        raise ValueError(f"the {what} '{name}' is declared by {origins}; uninstall all but one")
    (point,) = listed[name]
    try:
        maker: Maker = point.load()
    except Exception as error:
        origin, cause = f"{_distribution(point)} ({point.value})", f"{type(error).__name__}: {error}"
        raise ValueError(f"the {what} '{name}' of {origin} cannot be loaded: {cause}") from error
    return maker


def _distribution(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist else "an unnamed distribution"
