"""Multiple choice and exact match: what counts as a committed answer."""

import pytest
from pydantic import ValidationError

from grading import Answer, Outcome, grade


def _outcome(text: str, value: str = "B") -> Outcome:
    return grade(Answer(text=text), {"kind": "multiple_choice", "value": value}).outcome


@pytest.mark.parametrize(
    "text",
    [
        "B",
        "b",
        "(B)",
        "**B**",
        r"\boxed{B}",
        "$B$",
        "Answer: B",
        "B, not A",
        "(A) is wrong, so (B)",
        "B. Because of that",
        "First I thought A.\nANSWER: B",
        "It is not A; the answer is B",
    ],
)
def test_one_committed_label_is_correct(text: str) -> None:
    assert _outcome(text) is Outcome.CORRECT


@pytest.mark.parametrize(
    "text",
    [
        "A or B",
        "A B C D",
        "ABCD",
        "Both A and B",
        "B? or C?",
        "any of A, B, C, D",
        "(A)(B)(C)(D)",
        "B or not B",
        "ANSWER: B ANSWER: C",
        "ANSWER: B\nANSWER: C",
    ],
)
def test_hedges_are_not_correct(text: str) -> None:
    assert _outcome(text) in {Outcome.INCORRECT, Outcome.UNPARSEABLE}


@pytest.mark.parametrize("text", ["", "8", "E", "Because of that", "Β", "A reasonable person would agree"])
def test_no_label_is_unparseable(text: str) -> None:
    assert _outcome(text) is Outcome.UNPARSEABLE


def test_reference_must_be_one_of_its_choices() -> None:
    with pytest.raises(ValidationError, match="none of the choices"):
        grade(Answer(text="B"), {"kind": "multiple_choice", "value": "E"})


def test_structured_answer_wins_over_text() -> None:
    verdict = grade(Answer(text="A", data={"answer": "B"}), {"kind": "multiple_choice", "value": "B"})
    assert verdict.outcome is Outcome.CORRECT


def test_exact_compares_the_final_answer() -> None:
    reference = {"kind": "exact", "value": "Paris", "alternatives": ["City of Light"], "case_sensitive": False}
    assert grade(Answer(text="It is a city.\nANSWER: paris"), reference).outcome is Outcome.CORRECT
    assert (
        grade(
            Answer(text="the  City  of Light"), reference | {"value": "x", "alternatives": ["the city of light"]}
        ).score
        == 1
    )
    assert grade(Answer(text="London"), reference).outcome is Outcome.INCORRECT
    assert grade(Answer(text="PARIS"), {"kind": "exact", "value": "Paris"}).outcome is Outcome.INCORRECT
