"""One entry, `grade`: the reference's `kind` picks the grader.

A grader is a function `(answer, reference, tools) -> Verdict`, registered beside its reference model:

    class ExactReference(Reference):
        kind: Literal["exact"] = "exact"
        value: str

    @grader(ExactReference, version="1")
    def exact(answer: Answer, reference: ExactReference, tools: Tools) -> Verdict: ...
"""

import hashlib
import importlib
import json
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict

from grading.answer import Answer
from grading.tools import Tools
from grading.verdict import Verdict


class Reference(BaseModel):
    """The secret side of one problem. Subclasses add `kind` (a literal) and what their grader needs."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: str


R = TypeVar("R", bound=Reference)
GraderFunction = Callable[[Answer, Any, Tools], Verdict]


class UnknownKindError(ValueError):
    """The reference names a kind that no grader is registered for."""


@dataclass(frozen=True)
class Grader:
    """A registered grader: its kind, its reference model, its function and its version."""

    kind: str
    model: type[Reference]
    function: GraderFunction
    version: str


_GRADERS: dict[str, Grader] = {}


def grader(model: type[R], *, version: str) -> Callable[[Callable[[Answer, R, Tools], Verdict]], GraderFunction]:
    """Register a grader for `model`; its `kind` default is the tag. A second registration of a kind is an error."""
    kind = str(model.model_fields["kind"].default)

    def register(function: Callable[[Answer, R, Tools], Verdict]) -> GraderFunction:
        if kind in _GRADERS:
            raise ValueError(f"two graders for kind '{kind}'")
        _GRADERS[kind] = Grader(kind, model, function, version)
        return function

    return register


@cache
def kinds() -> Mapping[str, Grader]:
    """Every registered grader by kind; importing `grading.kinds.*` registers them."""
    import grading.kinds as package

    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    return dict(sorted(_GRADERS.items()))


def parse_reference(data: Mapping[str, Any]) -> Reference:
    """Build the typed reference. Raises UnknownKindError or pydantic.ValidationError; both say what would be right."""
    kind = data.get("kind")
    known = kinds()
    if not isinstance(kind, str) or kind not in known:
        raise UnknownKindError(f"unknown reference kind {kind!r}; known kinds: {', '.join(known)}")
    return known[kind].model.model_validate(data)


def digest(reference: Reference) -> str:
    """SHA-256 of the canonical JSON of a reference (hex, 64 characters)."""
    text = json.dumps(reference.model_dump(mode="json"), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def grade(answer: Answer, reference: Reference | Mapping[str, Any], tools: Tools | None = None) -> Verdict:
    """Grade one answer. Deterministic; the verdict names grader, version and the digest of the reference.

    Raises UnknownKindError or ValidationError for a malformed reference; never for an answer.
    """
    typed = reference if isinstance(reference, Reference) else parse_reference(reference)
    entry = kinds()[typed.kind]
    verdict = entry.function(answer, typed, tools or Tools())
    stamp = {"grader": entry.kind, "version": entry.version, "reference_digest": digest(typed)}
    return verdict.model_copy(update=stamp)
