"""`typed_json`: a JSON answer compared leaf by leaf with typed values."""

from typing import Literal, Self

from pydantic import ConfigDict, Field, JsonValue, model_validator

from grading.answer import Answer
from grading.matching.documents import SchemaError, check_schema, difference, document
from grading.reference import Reference
from grading.registry import grader
from grading.tools import Tools
from grading.verdict import Verdict


class TypedJsonReference(Reference):
    """`expected` and the JSON Schema (`type`, `properties`, `items`, `format`, `tolerance`, `ordered`) it is read by.

    Formats are those of `grading.matching.typed`: currency, duration, date, distance, coordinates, url, month, number,
    boolean, address, location-name, null, string. A schema without formats compares text as whole words and numbers
    by value; an expected text from `^` to `$` is a regular expression for the whole text, blind to case. The answer is
    `Answer.data`, else the JSON document in `Answer.text`.
    """

    kind: Literal["typed_json"] = "typed_json"
    expected: JsonValue
    schema_: dict[str, JsonValue] = Field(default_factory=dict, alias="schema", serialization_alias="schema")

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, serialize_by_alias=True)

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Self:
        check_schema(self.schema_)
        if problem := difference(_first_options(self.expected, self.schema_), self.expected, self.schema_):
            raise SchemaError(f"'expected' does not agree with itself under the schema: {problem}")
        return self


def _first_options(expected: JsonValue, schema: object) -> JsonValue:
    """`expected` with the first of each list of alternatives: an answer that must be right."""
    known = schema if isinstance(schema, dict) else {}
    if isinstance(expected, list):
        if known.get("type") not in (None, "array"):
            return _first_options(expected[0], known) if expected else None
        return [_first_options(item, known.get("items")) for item in expected]
    if isinstance(expected, dict):
        inner = known.get("properties") or {}
        return {name: _first_options(item, inner.get(name)) for name, item in expected.items()}
    return expected


@grader(TypedJsonReference, version="2")
def typed_json(answer: Answer, reference: TypedJsonReference, _tools: Tools) -> Verdict:
    """Correct when every leaf agrees."""
    value = answer.data
    if value is None and answer.text is not None:
        try:
            value = document(answer.text)
        except ValueError as error:
            return Verdict.unparseable(str(error))
    problem = difference(value, reference.expected, reference.schema_)
    return Verdict.correct("every value agrees") if problem is None else Verdict.incorrect(problem)
