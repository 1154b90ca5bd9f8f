"""What the alert on unscored answers counts: faults, and not what people are asked by design."""

import pytest

from api.core.telemetry import ITEMS_UNSCORED
from api.worker import unscored
from grading.verdict import WAITS, Verdict


@pytest.mark.parametrize(
    ("reason", "counted"),
    [
        ("the judge could not be asked: timed out", 1),
        (WAITS, 0),
        (f"{WAITS}: the judge does not agree with itself", 0),
        (f"1 of 2 parts undecided: {WAITS}", 0),
    ],
)
def test_what_is_left_to_people_is_no_fault(reason: str, counted: int) -> None:
    counter = ITEMS_UNSCORED.labels("rubric")
    before = counter._value.get()
    unscored.note(Verdict.unscored(reason).model_copy(update={"grader": "rubric"}), "item.unscored", problem="p")
    unscored.note(Verdict.correct("right").model_copy(update={"grader": "rubric"}), "item.unscored", problem="p")
    assert counter._value.get() - before == counted
