"""JSON documents leaf by leaf: what differs is named by its place."""

from typing import Any

import pytest

from grading.kinds.typed_json import TypedJsonReference
from grading.matching.documents import MAX_DOCUMENT, SchemaError, check_schema, difference, document

ORDERED = {"ordered": True, "items": {"tolerance": 0.5}}
NEAR = {"type": "number", "tolerance": 0.5}
PLACE = {"latitude": "40.4424", "longitude": "-79.9397"}
STREET = {"street": "Forbes Avenue", "state": None}


@pytest.mark.parametrize(
    ("given", "wanted", "schema", "problem"),
    [
        (1, 1, {}, None),
        ("a", "b", {}, "$ differs"),
        ({}, [], {}, "$ is no array"),
        ([], [], {}, None),
        ([1], [1, 2], {}, "$ has 1 element(s), not 2"),
        ([1, 2], [2, 1], {}, None),
        ([1, 2], [2, 1], {"ordered": True}, "$[0] differs"),
        ([1, 3], [1, 2], {"ordered": True}, "$[1] differs"),
        ([1.4, 2], [1, 2], ORDERED, None),
        ([1.6, 2], [1, 2], ORDERED, "$[0] differs"),
        ([2, 1.4], [1, 2], {"items": NEAR}, None),
        (["a", "c"], ["a", "b"], {}, "$: 1 element(s) fit none expected"),
        (["c", "d"], ["a", "b"], {}, "$: 2 element(s) fit none expected"),
        ("b", ["a", "b"], {"type": "string"}, None),
        ("c", ["a", "b"], {"type": "string"}, "$ is none of the 2 alternatives"),
        (1.4, [9, 1], NEAR, None),
        ({"a": "x"}, {"a": ["p", "q"]}, {"properties": {"a": {"type": "string"}}}, "$.a is none of the 2 alternatives"),
        ([["x"]], [["x"]], {"type": "array"}, None),
        (5, {"a": 1}, {}, "$ is no object"),
        ({"b": 1}, {"c": 2, "a": 1}, {}, "$ lacks a, c"),
        ({"z": 1, "a": 1, "y": 2}, {"a": 1}, {}, "$ has unexpected y, z"),
        ({"z": 1, "a": 1}, {"a": 1}, {"additionalProperties": True}, None),
        ({"z": 1}, {"a": 1}, {"additionalProperties": True}, "$ lacks a"),
        ({"a": {"b": 2}}, {"a": {"b": 1}}, {}, "$.a.b differs"),
        ({"a": 1.4, "b": 1}, {"a": 1, "b": 1}, {"properties": {"a": NEAR}}, None),
        ({"a": 1, "b": [2, 4]}, {"a": 1, "b": [2, 3]}, {}, "$.b: 1 element(s) fit none expected"),
        # What a leaf is compared as: its format, else its type, else the type of the expected value.
        ("twenty-one", 21, {}, None),
        ("twenty-one", "21", {}, "$ differs"),
        ("twenty-one", "21", {"type": "number"}, None),
        ("twenty-one", "21", {"type": "integer"}, None),
        ("twenty-one", "21", {"type": "string"}, "$ differs"),
        ("twenty-one", "21", {"type": "string", "format": "number"}, None),
        ("twenty-one", 21, {"type": ["number", "null"]}, None),
        (12, "12", {"type": "string"}, "$ is no text"),
        (12, "12", {"type": "string", "format": "number"}, None),
        (12, "12", {}, None),
        (5, None, {"type": "string"}, "$ differs"),
        ("N/A", None, {"type": "string"}, None),
        ("N/A", "5", {"type": "null"}, None),
        ("yes", "true", {"type": "boolean"}, None),
        ("yes", True, {"type": "string", "format": "number"}, None),
        (True, 1, {}, "$ differs"),
        (True, "yes", {"format": "string"}, None),
        (1.5, 1, NEAR, None),
        (1.6, 1, NEAR, "$ differs"),
        ("40.4424, -79.9397", PLACE, {}, None),
        ("40.5, -79.9397", PLACE, {}, "$ differs"),
        ("12 Forbes Ave", STREET, {"title": "full_address"}, None),
        ("12 Forbes Ave", STREET, {"format": "address"}, None),
        ("12 Forbes Ave", STREET, {"title": "address"}, "$ is no object"),
        # Patterns.
        ("# 0170", r"^#?\s*0*170$", {}, None),
        (170, r"^#?\s*0*170$", {}, None),
        (170, r"^#?\s*0*170$", {"type": "string"}, "$ is no text"),
        ("1170", r"^#?\s*0*170$", {"type": "string"}, "$ differs"),
        (" Flat Rate – Fixed ", "^flat rate[^a-z0-9]*(?:fixed)$", {"type": "string"}, None),
        ("Flat Rate", "^FLAT  RATE$", {}, "$ differs"),
        ("Flat  Rate", "^FLAT  RATE$", {}, None),
        ("16″", "^16(?:″|in)$", {}, None),
        ("16 ″", "^16(?:″|in)$", {}, "$ differs"),
        ("b", ["^a$", "^[bc]$"], {"type": "string"}, None),
        ("^a+$", "^a+$", {}, None),
        (True, "^True$", {"type": "number"}, "$ differs"),
        (["a"], "^.*$", {}, "$ differs"),
        (None, "^.*$", {}, "$ differs"),
        ("^5", "^5", {}, None),
        ("5$", "5$", {}, None),
        ("5", "^5$", {"type": "number"}, "$ differs"),
    ],
)
def test_the_first_difference_is_named(given: Any, wanted: Any, schema: Any, problem: str | None) -> None:
    assert difference(given, wanted, schema) == problem


def test_the_place_can_begin_anywhere() -> None:
    assert difference([{"a": 1}], [{"a": 2}], {"ordered": True}, "answer") == "answer[0].a differs"
    assert difference(["x"], [["p", "q"]], {"items": {"type": "string"}, "ordered": True}, "answer") == (
        "answer[0] is none of the 2 alternatives"
    )


WHOLE = {
    "title": "orders",
    "description": "all of them",
    "type": "array",
    "ordered": False,
    "items": {
        "type": "object",
        "required": ["a"],
        "additionalProperties": True,
        "properties": {"a": {"format": "currency", "tolerance": 0.1}},
    },
}


def test_what_a_schema_may_hold() -> None:
    for schema in (WHOLE, {"properties": None}):
        check_schema(schema)
        # Every keyword was looked at: one more, and the schema is refused.
        with pytest.raises(SchemaError, match=r"^\$: unsupported keyword\(s\) minItems$"):
            check_schema({**schema, "minItems": 1})
    with pytest.raises(SchemaError, match=r"^\$\[\]\.a: unsupported keyword\(s\) minimum$"):
        check_schema({**WHOLE, "items": {"properties": {"a": {"format": "currency", "minimum": 0}}}})


def test_what_the_keywords_of_a_schema_do() -> None:
    assert difference([{"a": "$2.05", "b": 1}, {"a": 1}], [{"a": 1}, {"a": 2}], WHOLE) is None
    assert difference([{"a": 2.2}, {"a": 1}], [{"a": 1}, {"a": 2}], WHOLE) == "$: 1 element(s) fit none expected"
    assert difference({"a": 1}, {"a": 1}, {"properties": None}) is None


FORMATS = """address, auto, boolean, coordinates, currency, date, distance, duration, location-name, month, null,
number, string, url""".replace("\n", " ")


@pytest.mark.parametrize(
    ("schema", "problem"),
    [
        ({"oneOf": [], "allOf": [], "type": "x"}, "$: unsupported keyword(s) allOf, oneOf"),
        ({"properties": {"a": {"pattern": "x"}}}, "$.a: unsupported keyword(s) pattern"),
        ({"items": {"items": {"pattern": "x"}}}, "$[][]: unsupported keyword(s) pattern"),
        (
            {"properties": {"a": {"format": "colour"}}},
            f"$.a: unknown format 'colour'; known: {FORMATS}",
        ),
    ],
)
def test_what_it_may_not(schema: Any, problem: str) -> None:
    with pytest.raises(SchemaError) as refused:
        check_schema(schema)
    assert str(refused.value) == problem


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[1, 2]", [1, 2]),
        ("5", 5),
        ("null", None),
        ("[NaN, -Infinity]", ["NaN", "-Infinity"]),
        ('One:\n```json\n{"a":\n 1}\n```\nand two:\n```\n{"a": 2}\n```\n', {"a": 2}),
        ("```json\n[1]\n```\n```json\nnot this\n```", [1]),
        ('"' + "a" * (MAX_DOCUMENT - 2) + '"', "a" * (MAX_DOCUMENT - 2)),
    ],
)
def test_documents_in_texts(text: str, value: Any) -> None:
    assert document(text) == value


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("none", "no JSON document was found"),
        ("[" * 100_000, "no JSON document was found"),
        ('"' + "a" * (MAX_DOCUMENT - 1) + '"', "the answer is too long"),
    ],
)
def test_texts_without_one(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem) as refused:
        document(text)
    assert str(refused.value) == problem


@pytest.mark.parametrize(
    ("expected", "schema"),
    [
        (["a", ["b", "c"]], {"type": "array", "items": {"type": "string"}}),
        (["a", "b"], {"type": "string"}),
        ({"a": ["5", "6"]}, {"properties": {"a": {"format": "number", "type": "number"}}}),
        ({"a": {"b": [1, 2]}}, {}),
        ({"a": ["x"]}, {"properties": None}),
        ([["x"], ["y"]], {}),
        ([{"a": ["x", "y"]}], {"type": "object", "properties": {"a": {"type": "string"}}}),
        ({"a": {"b": ["x", "y"]}}, {"properties": {"a": {"properties": {"b": {"type": "string"}}}}}),
    ],
)
def test_references_agree_with_their_first_alternatives(expected: Any, schema: Any) -> None:
    assert TypedJsonReference.model_validate({"expected": expected, "schema": schema}).expected == expected


def test_a_pattern_must_be_a_regular_expression() -> None:
    with pytest.raises(ValueError, match=r"'\^\(\$' is no regular expression: missing \), unterminated subpattern"):
        TypedJsonReference(expected=["^($"])


@pytest.mark.parametrize(
    ("expected", "schema", "problem"),
    [
        ({"a": "soon"}, {"properties": {"a": {"format": "date"}}}, r"\$\.a differs"),
        ([], {"type": "string"}, r"none of the 0 alternatives"),
        ({"a": ["x", 5]}, {"properties": {"a": {"type": "string", "format": "date"}}}, r"none of the 2 alternatives"),
    ],
)
def test_references_that_nothing_could_meet_are_refused(expected: Any, schema: Any, problem: str) -> None:
    with pytest.raises(ValueError, match=f"'expected' does not agree with itself under the schema: .*{problem}"):
        TypedJsonReference.model_validate({"expected": expected, "schema": schema})
