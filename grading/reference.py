"""The secret side of one problem, and what a kind of reference says about itself to everybody who has to know."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, ClassVar, Literal, get_args

from pydantic import BaseModel, ConfigDict

from grading.judging.rubrics import Credit, Rubric
from grading.judging.sheets import RIGHT, equality

Need = Literal["judge", "runner", "people"]
"""What grading may take: a judge model, a place to run programs, people who give credits."""


class Reference(BaseModel):
    """Base of all references. A subclass adds `kind` (a literal with a default) and what its grader needs.

    `gold_field` names the field that holds the gold as text; a template's computed gold is written there.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    gold_field: ClassVar[str] = ""

    kind: str

    def parts(self) -> Mapping[str, "Reference"]:
        """References inside this one by where they stand, such as `parts[0].reference`.

        Those in fields of type `grading.inner.NestedReference` are found by themselves, however deep they are.
        """
        return dict(_inside(self, ""))

    def gold_text(self) -> str | None:
        """An answer that is right, as text; None where none can be written down."""
        gold = getattr(self, self.gold_field) if self.gold_field else None
        return gold if isinstance(gold, str) else None

    def solution_text(self) -> str:
        """The worked solution that people see beside an answer; "" where the reference holds none."""
        return ""

    def problems(self) -> list[str]:
        """What is wrong with this reference before anybody is graded by it, one sentence each; parts aside."""
        return []

    def sheet(self) -> Rubric:
        """What people are asked about an answer: here, whether it says the same as the golds."""
        return equality(golds(self))

    def sheet_credits(self, score: float | None, detail: Mapping[str, Any]) -> dict[str, Credit] | None:
        """A verdict's credits on the criteria of `sheet`; None where they do not follow from it."""
        del detail
        return {RIGHT: score} if score in (0.0, 0.5, 1.0) else None


def walk(reference: Reference) -> Iterator[Reference]:
    """A reference and every reference inside it."""
    yield reference
    for part in reference.parts().values():
        yield from walk(part)


def golds(reference: Reference) -> list[str]:
    """The different golds of a reference and of those inside it."""
    return list(dict.fromkeys(gold for inner in walk(reference) if (gold := inner.gold_text())))


def _inside(model: BaseModel, place: str) -> Iterator[tuple[str, Reference]]:
    """References in the fields of a model, by their places below `place`."""
    for name, alias in _holding(type(model)).items():
        yield from _held(getattr(model, name), f"{place}.{alias}" if place else alias)


def _held(value: object, place: str) -> Iterator[tuple[str, Reference]]:
    if isinstance(value, Reference):
        yield place, value
    elif isinstance(value, BaseModel):
        yield from _inside(value, place)
    elif isinstance(value, Mapping):
        for name, item in value.items():
            yield from _held(item, f"{place}.{name}")
    elif isinstance(value, tuple | list):
        for index, item in enumerate(value):
            yield from _held(item, f"{place}[{index}]")


@cache
def _holding(model: type[BaseModel]) -> Mapping[str, str]:
    """The fields of a model that may hold a reference, with their names in JSON: no other value is looked through."""
    fields = model.model_fields.items()
    return {name: field.serialization_alias or name for name, field in fields if _may_hold(field.annotation, {model})}


def _may_hold(annotation: Any, seen: set[type]) -> bool:
    if isinstance(annotation, type) and issubclass(annotation, Reference):
        return True
    if isinstance(annotation, type) and issubclass(annotation, BaseModel) and annotation not in seen:
        fields = annotation.model_fields.values()
        return any(_may_hold(field.annotation, seen | {annotation}) for field in fields)
    return any(_may_hold(inner, seen) for inner in get_args(annotation))
