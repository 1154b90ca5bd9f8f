"""References inside a reference (parts of a composite, what is tried before a judge): their type, and their grades."""

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Annotated, Any

from pydantic import JsonValue, PlainSerializer, PlainValidator

from grading import registry
from grading.answer import Answer
from grading.reference import Reference
from grading.tools import Tools
from grading.verdict import Verdict

MAX_DEPTH = 9
_depth: ContextVar[int] = ContextVar("depth", default=0)


def _parse(value: Any) -> Reference:
    if isinstance(value, Reference):
        return value
    if not isinstance(value, Mapping):
        raise ValueError("a reference is an object whose 'kind' picks the grader")
    depth = _depth.get() + 1
    if depth > MAX_DEPTH:
        raise ValueError(f"references are nested more than {MAX_DEPTH} deep")
    token = _depth.set(depth)
    try:
        return registry.parse_reference(value)
    finally:
        _depth.reset(token)


def _dump(reference: Reference) -> dict[str, JsonValue]:
    return reference.model_dump(mode="json")


NestedReference = Annotated[
    Reference,
    PlainValidator(_parse, json_schema_input_type=dict[str, JsonValue]),
    PlainSerializer(_dump, return_type=dict[str, JsonValue]),
]
"""The type of a field that holds a reference of any kind. Raises ValidationError for one that no grader understands."""


def grade_inner(answer: Answer, reference: Reference, tools: Tools) -> Verdict:
    """Grade a part: in the confined place if there is one, unless the part itself needs a tool."""
    if tools.confined is None or registry.takes_tools(reference):
        return registry.grade(answer, reference, tools)
    return tools.confined.grade(answer, reference)
