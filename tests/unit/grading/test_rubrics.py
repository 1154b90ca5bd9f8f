"""Rubrics: what holds them together, and how credits become points."""

from typing import Any

import pytest
from pydantic import ValidationError

from grading import Answer, Outcome, grade
from grading.judging.rubrics import Rubric, RubricError, tally


def criterion(name: str, points: float, **more: Any) -> dict[str, Any]:
    return {"id": name, "text": f"does {name}", "points": points, **more}


PROOF = Rubric.model_validate(
    {
        "total": 10,
        "criteria": [
            criterion("conclusion", 3, requires=["approach", "bound"]),
            criterion("induction", 4, alternative="approach", half="misses the base case"),
            criterion("descent", 3, alternative="approach"),
            criterion("bound", 3, half="constant wrong"),
        ],
    }
)


@pytest.mark.parametrize(
    ("credits", "points", "withheld"),
    [
        ({"induction": 1, "descent": 0, "bound": 1, "conclusion": 1}, 10, {}),
        (
            {"induction": 1, "descent": 1, "bound": 0.5, "conclusion": 0},
            5.5,
            {"descent": "the alternative induction counts instead"},
        ),
        (
            {"induction": 0.5, "descent": 1, "bound": 1, "conclusion": 1},
            9,
            {"induction": "the alternative descent counts instead"},
        ),
        ({"induction": 0.5, "descent": 0, "bound": 1, "conclusion": 1}, 5, {"conclusion": "requires approach"}),
        ({"induction": 0, "descent": 0, "bound": 0, "conclusion": 1}, 0, {"conclusion": "requires approach, bound"}),
    ],
)
def test_tally(credits: dict[str, float], points: float, withheld: dict[str, str]) -> None:
    result = tally(PROOF, credits)
    assert result.points == points
    assert result.withheld == withheld
    assert result.score == points / 10
    assert sum(result.by_criterion.values()) == points
    assert all(result.by_criterion[name] == 0 for name in withheld)


def test_three_alternatives_count_once_with_the_best_and_the_first_of_equals() -> None:
    rubric = Rubric.model_validate(
        {
            "total": 3,
            "criteria": [criterion(name, points, alternative="way") for name, points in (("a", 2), ("b", 3), ("c", 3))],
        }
    )
    assert rubric.reachable() == 3
    result = tally(rubric, {"a": 1, "b": 1, "c": 1})
    assert result.by_criterion == {"a": 0, "b": 3, "c": 0}
    assert result.withheld == dict.fromkeys("ac", "the alternative b counts instead")
    assert tally(rubric, {"a": 1, "b": 0, "c": 0}).withheld == {}


@pytest.mark.parametrize(
    ("credits", "message"),
    [
        ({"induction": 1, "descent": 0, "bound": 1}, "no credit for: conclusion"),
        ({"induction": 1, "descent": 0, "bound": 1, "conclusion": 1, "style": 1}, "not in the rubric: style"),
        ({"induction": 1, "descent": 0.5, "bound": 1, "conclusion": 1}, "none of 0, 1"),
        ({"induction": 2, "descent": 0, "bound": 1, "conclusion": 1}, "none of 0, 0.5, 1"),
    ],
)
def test_credits_must_fit(credits: dict[str, float], message: str) -> None:
    with pytest.raises(RubricError, match=message):
        tally(PROOF, credits)


@pytest.mark.parametrize(
    ("criteria", "message"),
    [
        ([criterion("a", 4), criterion("b", 5)], "sum to 9, the stated total is 10"),
        ([criterion("a", 5), criterion("a", 5)], "must all differ"),
        ([criterion("a", 5, requires=["b"]), criterion("b", 5, requires=["a"])], "in a circle: a, b"),
        ([criterion("a", 10, requires=["z"])], "unknown criteria: z"),
        ([criterion("a", 10, requires=["a"])], "in a circle"),
        ([criterion("a", -10)], "greater than 0"),
    ],
)
def test_unsound_rubrics_are_refused(criteria: list[dict[str, Any]], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        Rubric.model_validate({"criteria": criteria})


def test_without_a_judge_an_answer_waits_for_a_person() -> None:
    reference = {"kind": "rubric", "rubric": PROOF.model_dump(mode="json"), "solution": "By induction."}
    verdict = grade(Answer(text="A proof."), reference)
    assert verdict.outcome is Outcome.UNSCORED
    assert verdict.score is None
    assert "waits for a person" in verdict.reason
    assert grade(Answer(text=" "), reference).outcome is Outcome.UNPARSEABLE
