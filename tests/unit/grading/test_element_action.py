"""`element_action`: element accuracy, operation F1 and step success."""

from typing import Any

import pytest
from pydantic import JsonValue

from grading import Answer, Evidence, Outcome, grade, parse_reference
from grading.verdict import Verdict


def graded(value: JsonValue, **changed: Any) -> Verdict:
    reference = {"kind": "element_action", "elements": ["7", "8"], "action": "SELECT two adults"} | changed
    return grade(Answer(evidence=(Evidence(name="prediction", value=value),)), parse_reference(reference))


@pytest.mark.parametrize(
    ("element", "action", "measures"),
    [
        ("8", "SELECT two adults", (1, 1, 1)),
        ("7", "SELECT adults two", (1, 1, 1)),
        ("7", "TYPE two adults", (0, 1, 2 / 3)),
        ("7", "SELECT two adults please", (0, 1, 6 / 7)),
        ("9", "SELECT two adults", (0, 0, 1)),
        ("7", "", (0, 1, 0)),
        (None, "SELECT two adults", (0, 0, 0)),
    ],
)
def test_the_three_measures(element: str | None, action: str, measures: tuple[float, ...]) -> None:
    value: JsonValue = {"element": element, "action": action}
    verdicts = [graded(value, metric=metric) for metric in ("step", "element", "operation")]
    assert [verdict.score for verdict in verdicts] == pytest.approx(list(measures))
    assert verdicts[0].detail == pytest.approx(dict(zip(("step", "element", "operation"), measures, strict=True)))


def test_without_a_right_element_nothing_scores() -> None:
    value: JsonValue = {"element": "7", "action": "CLICK"}
    for metric in ("step", "element", "operation"):
        assert graded(value, elements=[], action="CLICK", metric=metric).score == 0


def test_evidence_of_another_form_is_not_scored() -> None:
    assert graded({"element": 7}).outcome is Outcome.UNSCORED
    assert graded([]).outcome is Outcome.UNSCORED
