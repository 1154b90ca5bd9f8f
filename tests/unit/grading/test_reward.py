"""`reward`: an environment's own reward as a score."""

from typing import Any

import pytest
from pydantic import JsonValue, ValidationError

from grading import Answer, Outcome, grade, parse_reference
from grading.answer import Evidence
from grading.verdict import Verdict


def graded(value: JsonValue, **reference: Any) -> Verdict:
    return grade(
        Answer(evidence=(Evidence(name="reward", value=value),)), parse_reference({"kind": "reward"} | reference)
    )


@pytest.mark.parametrize(
    ("paid", "reference", "score"),
    [
        ({"total": 1.0}, {}, 1.0),
        ({"total": 0.25, "last": None}, {}, 0.25),
        ({"total": -3.0}, {}, 0.0),
        ({"total": 7.0}, {}, 1.0),
        ({"total": 0.0}, {"best": 5, "worst": -5}, 0.5),
        ({"total": 2.0}, {"best": 1, "worst": 3}, 0.5),
        ({"total": 9.0, "last": 0.5}, {"of": "last"}, 0.5),
        ({"total": 9.0, "last": None}, {"of": "last"}, 0.0),
    ],
)
def test_the_share_of_the_way_to_the_best(paid: JsonValue, reference: dict[str, Any], score: float) -> None:
    assert graded(paid, **reference).score == score


@pytest.mark.parametrize("paid", [{}, {"total": "NaN"}, {"total": "1e999"}, None])
def test_evidence_of_another_form_is_no_wrong_answer(paid: JsonValue) -> None:
    assert graded(paid).outcome is Outcome.UNSCORED


@pytest.mark.parametrize("wrong", [{"best": 1, "worst": 1}, {"best": 1e308, "worst": -1e308}, {"of": "first"}])
def test_a_reference_without_a_scale_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        parse_reference({"kind": "reward"} | wrong)
