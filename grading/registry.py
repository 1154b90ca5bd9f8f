"""One entry, `grade`: the reference's `kind` picks the grader.

A grader is a function `(answer, reference, tools) -> Verdict`, registered beside its reference model. What the kind
takes is said there and nowhere else:

    class ExactReference(Reference):
        kind: Literal["exact"] = "exact"
        gold_field = "value"
        value: str

    @grader(ExactReference, version="1", inline=True)
    def exact(answer: Answer, reference: ExactReference, tools: Tools) -> Verdict: ...

Kinds are found in `grading.kinds` and, of other distributions, by entry points of the group `heldout.graders`: the name
is the kind, the value its grader.
"""

import hashlib
import importlib
import json
import pkgutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, TypeVar, get_args

from pydantic import BaseModel

from grading.answer import Answer
from grading.reference import Need, Reference, walk
from grading.tools import Tools
from grading.verdict import Verdict

GROUP = "heldout.graders"
OWN = f"{__package__}.kinds"
R = TypeVar("R", bound=Reference)
GraderFunction = Callable[[Answer, Any, Tools], Verdict]
Needs = Iterable[Need] | Callable[[Any], Iterable[Need]]
_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)
_RESERVED = frozenset(vars(Reference)) - frozenset(vars(BaseModel))


class UnknownKindError(ValueError):
    """The reference names a kind that no grader is registered for."""


class RegistrationError(ValueError):
    """A kind cannot be registered; the message says why and what would be right."""


class PluginError(RuntimeError):
    """The kinds of another distribution cannot be loaded; the message names it and says why."""


@dataclass(frozen=True)
class Grader:
    """A registered grader: kind, reference model, function and version.

    `inline`: neither searches nor calculates, so it is safe and quickest where the caller is; a function of the
    reference where that depends on it.
    """

    kind: str
    model: type[Reference]
    function: GraderFunction
    version: str
    inline: bool | Callable[[Any], bool]
    needs: Callable[[Any], frozenset[Need]]

    @property
    def source(self) -> str:
        """Module and name of the function."""
        return f"{self.function.__module__}.{self.function.__qualname__}"


_GRADERS: dict[str, Grader] = {}


def grader(
    model: type[R], *, version: str, needs: Needs = (), inline: bool | Callable[[Any], bool] = False
) -> Callable[[Callable[[Answer, R, Tools], Verdict]], GraderFunction]:
    """Register a grader for `model`; its `kind` default is the tag.

    `needs` names what grading may take, or is a function of the reference that does: a tool that is not named is not
    given. What the parts of a reference need is added. `version` is raised when a verdict can change. `inline` is for
    graders that neither search nor calculate, or a function of the reference that says so.
    Raises RegistrationError for a second registration of a kind.
    """
    kind = model.model_fields["kind"].default
    if not isinstance(kind, str):
        raise RegistrationError(f'{model.__name__} gives its \'kind\' no default: write kind: Literal["x"] = "x"')
    if taken := _RESERVED & set(model.model_fields):
        raise RegistrationError(f"{model.__name__} has a field '{min(taken)}', a method of Reference: give it an alias")
    if inline and needs:
        raise RegistrationError(f"the kind '{kind}' is inline and has needs: it can only be one of both")

    def register(function: Callable[[Answer, R, Tools], Verdict]) -> GraderFunction:
        entry = Grader(kind, model, function, version, inline, _checked(kind, needs))
        known = _GRADERS.get(kind)
        if known and known.source != entry.source:
            raise RegistrationError(f"the kind '{kind}' is registered by {known.source} already, now by {entry.source}")
        _GRADERS[kind] = entry
        return function

    return register


def _checked(kind: str, needs: Needs) -> Callable[[Any], frozenset[Need]]:
    """`needs` as a function that refuses words that mean nothing."""

    def check(named: Iterable[Need]) -> frozenset[Need]:
        known = frozenset(named)
        if unknown := known - set(get_args(Need)):
            wrong = ", ".join(sorted(unknown))
            raise RegistrationError(f"the kind '{kind}' needs '{wrong}'; known needs: {', '.join(get_args(Need))}")
        return known

    if callable(needs):
        return lambda reference: check(needs(reference))
    fixed = check(needs)
    return lambda _reference: fixed


@cache
def kinds() -> Mapping[str, Grader]:
    """Every grader by kind: ours, and those of installed distributions. Raises PluginError."""
    package = importlib.import_module(OWN)
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{OWN}.{module.name}")
    for point in entry_points(group=GROUP):
        _load(point)
    return dict(sorted(_GRADERS.items()))


def own_kinds() -> Mapping[str, Grader]:
    """The graders that ship with this package, by kind."""
    return {kind: entry for kind, entry in kinds().items() if entry.source.startswith(f"{OWN}.")}


def _load(point: EntryPoint) -> None:
    origin = f"{point.dist.name} {point.dist.version}" if point.dist else "an unnamed distribution"
    plugin = f"the reference kind '{point.name}' of {origin} ({point.value})"
    try:
        point.load()
    except Exception as error:
        raise PluginError(f"{plugin} cannot be loaded: {type(error).__name__}: {error}") from error
    if point.name not in _GRADERS:
        raise PluginError(f"{plugin} is not there: put @grader on a function of {point.module}")


def parse_reference(data: Mapping[str, Any]) -> Reference:
    """Build the typed reference. Raises UnknownKindError or pydantic.ValidationError; both say what would be right."""
    kind = data.get("kind")
    known = kinds()
    if not isinstance(kind, str) or kind not in known:
        raise UnknownKindError(f"unknown reference kind {kind!r}; known kinds: {', '.join(known)}")
    return known[kind].model.model_validate(data)


def needs_of(reference: Reference) -> frozenset[Need]:
    """What grading by a reference may take, its parts included."""
    return frozenset(need for inner in walk(reference) for need in kinds()[inner.kind].needs(inner))


def takes_tools(reference: Reference) -> bool:
    """Whether grading may ask a judge or run a program."""
    return not needs_of(reference).isdisjoint({"judge", "runner"})


def is_inline(reference: Reference) -> bool:
    """Whether grading neither searches nor calculates, in the reference or in its parts."""
    return all(_is_inline(kinds()[inner.kind], inner) for inner in walk(reference))


def _is_inline(entry: Grader, reference: Reference) -> bool:
    return entry.inline(reference) if callable(entry.inline) else entry.inline


def digest(reference: Reference) -> str:
    """SHA-256 of the canonical JSON of a reference (hex, 64 characters)."""
    return hashlib.sha256(_CANONICAL.encode(reference.model_dump(mode="json")).encode()).hexdigest()


def stamped(verdict: Verdict, reference: Reference) -> Verdict:
    """The verdict with grader, version and the digest of the reference."""
    entry = kinds()[reference.kind]
    stamp = {"grader": entry.kind, "version": entry.version, "reference_digest": digest(reference)}
    return verdict.model_copy(update=stamp)


def grade(answer: Answer, reference: Reference | Mapping[str, Any], tools: Tools | None = None) -> Verdict:
    """Grade one answer. Deterministic; the verdict names grader, version and the digest of the reference.

    Raises UnknownKindError or ValidationError for a malformed reference, UndeclaredNeedError for a grader that uses a
    tool its kind does not name in `needs`; never for an answer.
    """
    typed = reference if isinstance(reference, Reference) else parse_reference(reference)
    given = (tools or Tools()).limited(typed.kind, needs_of(typed))
    return stamped(kinds()[typed.kind].function(answer, typed, given), typed)
