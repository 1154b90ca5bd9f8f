"""What is wrong with a pack, said so that its author can mend it."""

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

UNKNOWN_FIELD = "this field is not known"


@dataclass(frozen=True, order=True)
class Fault:
    """One fault: where it is (`line` 0 means the whole file), what is wrong and what would be right.

    `quoting` says more in the words of the line itself. Of references it speaks of golds, so it stays where they are.
    """

    file: str
    line: int
    field: str
    problem: str
    remedy: str
    quoting: str = ""

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        field = f" {self.field}:" if self.field else ""
        more = f" ({self.quoting})" if self.quoting else ""
        return f"{where}:{field} {self.problem}{more}; {self.remedy}"


class PackError(Exception):
    """The pack cannot be taken. `faults` lists everything found, in the order of the files."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults: tuple[Fault, ...] = tuple(sorted(set(faults)))
        super().__init__("\n".join(str(fault) for fault in self.faults))


_REMEDIES = {
    "missing": "add it",
    "string_type": "write a string in quotes",
    "int_type": "write a whole number without quotes",
    "float_type": "write a number without quotes",
    "bool_type": "write true or false without quotes",
    "tuple_type": "write a list in [ ]",
    "list_type": "write a list in [ ]",
    "dict_type": "write an object in {{ }}",
    "model_type": "write an object in {{ }}",
    "model_attributes_type": "write an object in {{ }}",
    "too_short": "give at least {min_length}",
    "string_too_short": "give at least {min_length} character(s)",
    "string_too_long": "shorten it to at most {max_length} characters",
    "string_pattern_mismatch": "it must match {pattern}",
    "enum": "it must be one of {expected}",
    "literal_error": "it must be one of {expected}",
    "greater_than_equal": "it must be at least {ge}",
    "less_than_equal": "it must be at most {le}",
    "greater_than": "it must be greater than {gt}",
    "less_than": "it must be less than {lt}",
}


def from_validation(error: ValidationError, file: str, line: int, model: type[BaseModel] | None = None) -> list[Fault]:
    """Faults of one record, each with its dotted field; the input itself is not repeated."""
    return [_fault(detail, file, line, model) for detail in error.errors(include_url=False, include_input=False)]


def within(field: str, faults: Iterable[Fault]) -> list[Fault]:
    """Faults of a part as faults of the record whose `field` the part is."""
    return [replace(fault, field=f"{field}.{fault.field}".rstrip(".")) for fault in faults]


def dotted(location: Sequence[int | str]) -> str:
    """`("splits", "test", 0)` as `splits.test[0]`."""
    text = ""
    for part in location:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def nearest(name: str, known: Iterable[str]) -> str:
    """What to write instead of an unknown name."""
    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=1)
    return f"did you mean '{close[0]}'?" if close else f"known are: {', '.join(names)}"


def _fault(detail: ErrorDetails, file: str, line: int, model: type[BaseModel] | None) -> Fault:
    context: dict[str, Any] = dict(detail.get("ctx", {}))
    location, kind = detail["loc"], detail["type"]
    problem = {"missing": "this field is missing", "extra_forbidden": UNKNOWN_FIELD}.get(kind)
    quoting = detail["msg"].removeprefix("Value error, ") if kind == "value_error" else ""
    problem = problem or (
        "this value is not possible here" if quoting else detail["msg"].removeprefix("Input ").strip()
    )
    if kind == "extra_forbidden":
        fields = _fields_at(model, location[:-1])
        remedy = nearest(str(location[-1]), fields) if fields else "remove it"
    else:
        remedy = _REMEDIES.get(kind, "correct the value (see docs/pack-format.md)").format_map(context)
    return Fault(file, line, dotted(location), problem, remedy, quoting)


def _fields_at(model: type[BaseModel] | None, location: Sequence[int | str]) -> list[str]:
    """The fields known at a place within a model; numbers, keys and names of alternatives lead no deeper."""
    models = [model] if model else []
    for part in location:
        found = [field for one in models for name, field in one.model_fields.items() if part in (name, field.alias)]
        models = [inner for field in found for inner in _models_in(field.annotation)] if found else models
    return sorted({field.alias or name for one in models for name, field in one.model_fields.items()})


def _models_in(annotation: object) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for part in get_args(annotation) for model in _models_in(part)]
