"""What has to hold in a world at the end, whichever things it holds of."""

from typing import Any

import pytest

from grading import Answer, Evidence, Outcome, Verdict, grade

HELD = {
    "objecttype": [["mug1", "mug"], ["mug2", "mug"], ["pan1", "pan"]],
    "receptacletype": [["shelf1", "shelf"], ["desk1", "desk"]],
    "inreceptacle": [["mug1", "shelf1"], ["mug2", "desk1"], ["pan1", "shelf1"]],
    "isclean": [["mug1"]],
}
ON_SHELF = [["objecttype", "?o", "mug"], ["receptacletype", "?r", "shelf"], ["inreceptacle", "?o", "?r"]]


def judged(goal: list[list[str]], held: Any = HELD, **more: Any) -> Verdict:
    seen = Evidence(name="facts", value=held)
    return grade(Answer(evidence=(seen,)), {"kind": "facts", "goal": goal, **more})


@pytest.mark.parametrize(
    ("goal", "distinct", "right"),
    [
        (ON_SHELF, [], True),
        ([*ON_SHELF, ["isclean", "?o"]], [], True),
        ([*ON_SHELF, ["ishot", "?o"]], [], False),
        ([["isclean", "mug2"]], [], False),
        ([*ON_SHELF, ["objecttype", "?p", "mug"], ["inreceptacle", "?p", "?r"]], [], True),
        ([*ON_SHELF, ["objecttype", "?p", "mug"], ["inreceptacle", "?p", "?r"]], [["?o", "?p"]], False),
        ([["inreceptacle", "?o", "?r"], ["inreceptacle", "?p", "?r"]], [["?o", "?p"]], True),
        ([["inreceptacle", "?o", "?o"]], [], False),
    ],
)
def test_goals(goal: list[list[str]], distinct: list[list[str]], right: bool) -> None:
    outcome = judged(goal, distinct=distinct).outcome
    assert outcome is (Outcome.CORRECT if right else Outcome.INCORRECT)


def test_a_row_of_another_length_is_no_match() -> None:
    assert judged([["isclean", "?o"]], {"isclean": [["mug1", "twice"]]}).outcome is Outcome.INCORRECT


def test_missing_and_broken_evidence_is_nobodys_fault() -> None:
    assert grade(Answer(), {"kind": "facts", "goal": ON_SHELF}).outcome is Outcome.UNSCORED
    assert judged(ON_SHELF, ["no", "object"]).outcome is Outcome.UNSCORED


def test_a_search_without_end_is_given_up() -> None:
    rows = [[str(a), str(b)] for a in range(40) for b in range(40)]
    goal = [["near", f"?x{number}", f"?y{number}"] for number in range(5)] + [["isclean", "nobody"]]
    assert judged(goal, {"near": rows, "isclean": [["x"]] * 2000}).outcome is Outcome.UNSCORED
    # What holds of nothing is tried first.
    assert judged(goal, {"near": rows}).outcome is Outcome.INCORRECT


def test_the_reference_names_its_own_variables() -> None:
    with pytest.raises(ValueError, match="which is not in 'goal'"):
        judged(ON_SHELF, distinct=[["?o", "?z"]])
