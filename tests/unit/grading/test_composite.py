"""Composites: all, any, weighted, and parts that are undecided."""

from typing import Any

import pytest
from pydantic import ValidationError

from grading import Answer, Outcome, grade, parse_reference
from tests.support.json_values import ROWS

RUBRIC = {"kind": "rubric", "rubric": {"total": 1, "criteria": [{"id": "a", "text": "does a", "points": 1}]}}


def part(wanted: str, **more: Any) -> dict[str, Any]:
    return {"reference": {"kind": "includes", "values": [wanted]}, **more}


def compose(rule: str, *parts: dict[str, Any]) -> dict[str, Any]:
    return {"kind": "composite", "rule": rule, "parts": list(parts)}


@pytest.mark.parametrize(
    ("rule", "weights", "score"),
    [("all", [1, 1], 0), ("any", [1, 1], 1), ("weighted", [3, 1], 0.75), ("weighted", [1, 3], 0.25)],
)
def test_rules(rule: str, weights: list[float], score: float) -> None:
    reference = compose(rule, part("red", weight=weights[0]), part("blue", weight=weights[1]))
    verdict = grade(Answer(text="red"), reference)
    assert verdict.score == score
    assert verdict.grader == "composite"
    assert [entry["outcome"] for entry in ROWS.validate_python(verdict.detail["parts"])] == ["correct", "incorrect"]


@pytest.mark.parametrize(
    ("rule", "text", "outcome"),
    [
        ("all", "red", Outcome.UNSCORED),
        ("all", "blue", Outcome.INCORRECT),
        ("any", "red", Outcome.CORRECT),
        ("any", "blue", Outcome.UNSCORED),
        ("weighted", "blue", Outcome.UNSCORED),
    ],
)
def test_an_undecided_part_counts_only_where_it_matters(rule: str, text: str, outcome: Outcome) -> None:
    assert grade(Answer(text=text), compose(rule, part("red"), {"reference": RUBRIC})).outcome is outcome


def test_fields_of_structured_answers() -> None:
    reference = compose("weighted", part("red", field="colour"), part("7", field="size"))
    assert grade(Answer(data={"colour": "dark red", "size": "7"}), reference).score == 1
    assert grade(Answer(data={"colour": "dark red"}), reference).score == 0.5
    assert grade(Answer(text="red 7"), reference).outcome is Outcome.UNPARSEABLE


def test_nesting_is_bounded() -> None:
    reference = compose("all", part("red"))
    for _ in range(7):
        reference = compose("any", {"reference": reference})
    assert grade(Answer(text="red"), reference).score == 1
    with pytest.raises(ValidationError, match="nested more than 9 deep"):
        parse_reference(compose("any", {"reference": compose("any", {"reference": reference})}))


def test_bad_parts_are_refused_when_parsed() -> None:
    with pytest.raises(ValidationError, match="unknown reference kind 'nothing'"):
        parse_reference(compose("all", {"reference": {"kind": "nothing"}}))
    with pytest.raises(ValidationError, match="weights mean nothing"):
        parse_reference(compose("all", part("red", weight=2)))
