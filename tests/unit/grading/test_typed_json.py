"""JSON answers with typed leaves, also over WebArena-Verified's own expectations."""

import json
from typing import Any

import pytest

from grading import Answer, Outcome, grade, parse_reference

from .data import published

ORDERS = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "id": {"type": "string"},
            "total": {"type": "number", "format": "currency"},
            "date": {"type": "string", "format": "date"},
        },
    },
}
EXPECTED = [{"id": "000299", "total": 65.32, "date": "May 31, 2023"}, {"id": "12", "total": 5, "date": "01/02/2023"}]


def outcome(given: Any, expected: Any = EXPECTED, schema: Any = ORDERS) -> Outcome:
    answer = Answer(text=given) if isinstance(given, str) else Answer(data=given)
    return grade(answer, {"kind": "typed_json", "expected": expected, "schema": schema}).outcome


RIGHT: list[dict[str, Any]] = [
    {"id": "12", "total": "$5.00", "date": "2023-01-02"},
    {"id": "000299", "total": 65.32, "date": "5/31/2023"},
]


@pytest.mark.parametrize(
    ("given", "right"),
    [
        (RIGHT, True),
        (f"Here it is:\n```json\n{json.dumps(RIGHT)}\n```", True),
        (RIGHT[:1], False),
        ([*RIGHT, RIGHT[0]], False),
        ([RIGHT[0], RIGHT[0]], False),
        ([{**RIGHT[0], "total": 5.02}, RIGHT[1]], False),
        ([{**RIGHT[0], "note": "x"}, RIGHT[1]], False),
        ([{"id": "12", "total": 5}, RIGHT[1]], False),
        ([{**RIGHT[0], "id": 12}, RIGHT[1]], False),
        ({"0": RIGHT}, False),
    ],
)
def test_documents(given: Any, right: bool) -> None:
    assert outcome(given) is (Outcome.CORRECT if right else Outcome.INCORRECT)


def test_no_document_is_unparseable() -> None:
    assert outcome("five orders") is Outcome.UNPARSEABLE
    assert outcome("[" * 10_000) is Outcome.UNPARSEABLE


def test_order_alternatives_and_null() -> None:
    ordered = {"type": "array", "ordered": True, "items": {"type": "string"}}
    assert outcome(["a", "b"], ["a", "b"], ordered) is Outcome.CORRECT
    assert outcome(["b", "a"], ["a", "b"], ordered) is Outcome.INCORRECT
    either = {"type": "array", "items": {"type": "string"}}
    assert outcome(["soccer"], [["football", "soccer"]], either) is Outcome.CORRECT
    assert outcome(["rugby"], [["football", "soccer"]], either) is Outcome.INCORRECT
    assert grade(Answer(data={"v": None}), {"kind": "typed_json", "expected": {"v": None}}).score == 1
    assert grade(Answer(data={"v": 0}), {"kind": "typed_json", "expected": {"v": None}}).score == 0
    assert grade(Answer(data={"v": 1}), {"kind": "typed_json", "expected": {"v": True}}).score == 0


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({"type": "string", "format": "colour"}, "unknown format 'colour'"),
        ({"oneOf": []}, "unsupported keyword"),
        ({"type": "array", "items": {"pattern": "x"}}, "unsupported keyword"),
        ({"type": "string", "format": "date"}, "does not agree with itself"),
    ],
)
def test_unsound_schemas_are_refused(schema: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        outcome([], "not a date", schema)


def test_webarena_verified_agrees_with_itself() -> None:
    tasks = json.loads(published("web", "webarena-verified", "webarena-verified.json").read_text())
    checked = 0
    for task in tasks:
        for entry in task["eval"]:
            if entry["evaluator"] != "AgentResponseEvaluator" or entry["expected"].get("retrieved_data") is None:
                continue
            schema = entry["results_schema"]
            reference = {"kind": "typed_json", "expected": entry["expected"]["retrieved_data"], "schema": schema}
            typed = parse_reference(json.loads(json.dumps(parse_reference(reference).model_dump(mode="json"))))
            assert grade(Answer(data=[]), typed).outcome is Outcome.INCORRECT, task["task_id"]
            checked += 1
    assert checked > 250
