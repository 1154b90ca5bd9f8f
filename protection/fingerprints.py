"""Which variant an organisation is served: the same in the web process and in the worker.

A variant is a number from 0; None stands for a problem that does not vary. Tables keep it as text (`variant_text`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from uuid import UUID

from protection import tardos


@dataclass(frozen=True)
class ShownProblem:
    """What of a problem is shown in one of its variants."""

    variant: int | None
    statement: str
    choices: list[dict[str, str]]

    @property
    def context(self) -> dict[str, Any]:
        """What a grader is told of it."""
        return {"statement": self.statement, "choices": self.choices}


class VaryingProblem(Protocol):
    """A problem's row as far as its variants go. `variation` is `{"variants": [...]}` or None."""

    @property
    def statement(self) -> str: ...

    @property
    def choices(self) -> list[dict[str, str]]: ...

    @property
    def variation(self) -> Mapping[str, Any] | None: ...


class IdentifiedProblem(VaryingProblem, Protocol):
    """The same with the problem's id."""

    @property
    def id(self) -> UUID: ...


def variant_text(variant: int | None) -> str:
    """A variant as tables keep it."""
    return "" if variant is None else str(variant)


def variant_number(variant: str) -> int | None:
    """A variant from what a table keeps."""
    return int(variant) if variant else None


def all_shown(problem: VaryingProblem) -> list[ShownProblem]:
    """What a problem's row (`variation`, `statement`, `choices`) shows in each variant by number, or always."""
    if not problem.variation:
        return [ShownProblem(None, problem.statement, problem.choices)]
    variants = problem.variation["variants"]
    return [ShownProblem(number, one["statement"], one["choices"]) for number, one in enumerate(variants)]


def shown_as(problem: VaryingProblem, variant: int | None) -> ShownProblem:
    """What a problem's row shows in one variant."""
    return all_shown(problem)[variant or 0]


class Fingerprints:
    """Numbers of variants under the instance's fingerprint key.

    What was published under an earlier key stays marked under it: `earlier` are those, oldest first, each with the time
    (seconds since 1970) until which it was used. Ids are UUIDs of version 7, which hold the time they were made at.
    """

    def __init__(self, key: bytes, earlier: Sequence[tuple[float, bytes]] = ()) -> None:
        self._key = key
        self._earlier = earlier

    def key_of(self, made: UUID) -> bytes:
        """The key of a release or a problem, by its id."""
        at = (made.int >> 80) / 1000
        return next((key for until, key in self._earlier if at < until), self._key)

    def number(self, organisation: UUID, problem: UUID, variation: Mapping[str, Any] | None) -> int | None:
        """The number of the organisation's variant; None for a problem that does not vary."""
        if not variation or not variation.get("variants"):
            return None
        bits = len(variation["variants"]).bit_length() - 1
        return tardos.number(self.key_of(problem), str(organisation), str(problem), bits)

    def shown(self, organisation: UUID, row: IdentifiedProblem) -> ShownProblem:
        """What the organisation sees of a problem's row (`id`, `variation`, `statement`, `choices`)."""
        return shown_as(row, self.number(organisation, row.id, row.variation))
