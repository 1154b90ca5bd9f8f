"""What changed in a database: everything it should, and nothing else."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grading import Answer, Evidence, Outcome, Verdict, grade
from grading.state.conditions import same_value

CART = {"id": 1, "product": "Lamp", "price": "19.90", "note": None}
REVIEWS = {"id": 7, "user": 3, "stars": 5, "text": "Good."}


def evidence(before: list[Any], after: list[Any], table: str = "cart", key: tuple[str, ...] = ("id",)) -> Evidence:
    tables = {table: {"key": list(key), "before": before, "after": after}}
    return Evidence(name="state", value={"tables": tables})


def judged(seen: Evidence, *expected: dict[str, Any], allowed: tuple[Any, ...] = (), **more: Any) -> Verdict:
    reference = {"kind": "state_change", "expected": list(expected), "allowed": list(allowed), **more}
    return grade(Answer(evidence=(seen,)), reference)


INSERT = {"table": "cart", "change": "insert", "values": {"product": "Lamp", "price": 19.9}}
UPDATE = {
    "table": "cart",
    "change": "update",
    "where": {"id": 1},
    "values": {"price": {"number": 25, "tolerance": 0.5}},
}
DELETE = {"table": "cart", "change": "delete", "where": {"product": {"text": "lamp"}}}


@pytest.mark.parametrize(
    ("before", "after", "expected", "right"),
    [
        ([], [CART], [INSERT], True),
        ([], [], [INSERT], False),
        ([], [CART, {**CART, "id": 2}], [INSERT], False),
        ([], [CART, {**CART, "id": 2}], [{**INSERT, "count": 2}], True),
        ([], [{**CART, "product": "Lamps"}], [INSERT], False),
        ([CART], [{**CART, "price": "25.30"}], [UPDATE], True),
        ([CART], [{**CART, "price": "25.60"}], [UPDATE], False),
        ([CART], [{**CART, "price": "25", "note": "x"}], [UPDATE], False),
        ([CART], [{**CART, "price": "25", "note": "x"}], [{**UPDATE, "also": ["note"]}], True),
        ([CART], [], [DELETE], True),
        ([CART, {**CART, "id": 2, "product": "Vase"}], [], [DELETE], False),
        ([CART], [CART], [], True),
        ([CART], [], [], False),
        ([CART], [], [INSERT], False),
    ],
)
def test_expected_changes(before: list[Any], after: list[Any], expected: list[Any], right: bool) -> None:
    outcome = judged(evidence(before, after), *expected).outcome
    assert outcome is (Outcome.CORRECT if right else Outcome.INCORRECT)


def test_the_difference_itself_is_evidence_too() -> None:
    seen = Evidence(
        name="state",
        value={"tables": {"cart": {"updated": [{"before": CART, "after": {**CART, "price": 25}}]}, "log": {}}},
    )
    assert judged(seen, UPDATE).outcome is Outcome.CORRECT
    assert judged(seen, UPDATE, DELETE).outcome is Outcome.INCORRECT


def test_allowed_changes_are_neither_needed_nor_held_against() -> None:
    before = [CART, {"id": 9, "product": "session", "price": 1, "note": None}]
    after = [{**before[1], "price": 2}, {**CART, "price": "25", "note": "seen"}]
    assert judged(evidence(before, after), UPDATE).outcome is Outcome.INCORRECT
    stamps = {"table": "cart", "change": "update", "columns": ["note"]}
    sessions = {"table": "cart", "where": {"product": "session"}, "columns": ["price"]}
    assert judged(evidence(before, after), UPDATE, allowed=(stamps, sessions)).outcome is Outcome.CORRECT
    assert judged(evidence(before, after), UPDATE, allowed=(sessions,)).outcome is Outcome.INCORRECT
    assert judged(evidence(before, [before[1]]), allowed=(stamps, sessions)).outcome is Outcome.INCORRECT
    assert judged(evidence([], [CART]), allowed=({"table": "other"},)).outcome is Outcome.INCORRECT


def test_one_change_serves_one_expectation_however_they_are_ordered() -> None:
    wide = {"table": "cart", "change": "insert", "values": {"product": {"present": True}}}
    rows = [CART, {**CART, "id": 2, "product": "Vase"}]
    assert judged(evidence([], rows), wide, INSERT).outcome is Outcome.CORRECT
    assert judged(evidence([], rows), INSERT, wide).outcome is Outcome.CORRECT
    assert judged(evidence([], [CART]), wide, INSERT).outcome is Outcome.INCORRECT
    assert judged(evidence([], [CART]), wide, INSERT, partial=True).score == 0.5


def test_an_unexpected_change_costs_everything_even_with_partial_credit() -> None:
    rows = [CART, {**CART, "id": 2, "product": "Vase"}]
    verdict = judged(evidence([], rows), INSERT, partial=True)
    assert verdict.score == 0
    assert verdict.detail == {"unexpected": ["insert in cart"]}


@pytest.mark.parametrize(
    ("condition", "value", "met"),
    [
        ("5", 5, True),
        (5, "5.0", True),
        ("5.0", "5", False),
        (True, 1, True),
        (True, "true", False),
        (None, "", False),
        ({"equals": [1, 2]}, 2, True),
        ({"text": "Jan 30, 2030"}, "jan 30 2030.", True),
        ({"holds": ["170"]}, "about 170 km", True),
        ({"holds": ["170"]}, "about 1170 km", False),
        ({"pattern": "[a-z]+"}, "abc1", False),
        ({"pattern": "[a-z]+"}, "abc", True),
        ({"number": 0.3, "tolerance": 0.1}, "0.4", True),
        ({"number": 1}, "one", False),
        ({"present": False}, None, True),
        ({"text": "x"}, None, False),
    ],
)
def test_conditions(condition: Any, value: Any, met: bool) -> None:
    wanted = {"table": "cart", "change": "insert", "values": {"v": condition}}
    assert (judged(evidence([], [{"id": 1, "v": value}]), wanted).outcome is Outcome.CORRECT) is met


@pytest.mark.parametrize(
    ("value", "wanted", "same"),
    [
        (100000, "1e5", True),
        ("+5", 5, True),
        ("5" * 61, int("5" * 61), False),
        ("5 ", 5, False),
        (True, "1", False),
        ([5], 5, False),
        (5, 5.5, False),
        (False, 0, True),
        ("x", 5, False),
    ],
)
def test_numbers_as_drivers_write_them(value: Any, wanted: Any, same: bool) -> None:
    assert same_value(value, wanted) is same


def test_only_the_rules_of_its_own_table_and_row_free_a_column() -> None:
    before, after = [CART], [{**CART, "price": "25", "note": "x"}]
    for rule, outcome in (
        ({"table": "cart", "columns": ["note"]}, Outcome.CORRECT),
        ({"table": "cart", "change": "update", "columns": ["note"]}, Outcome.CORRECT),
        ({"table": "cart", "change": "insert", "columns": ["note"]}, Outcome.INCORRECT),
        ({"table": "other", "columns": ["note"]}, Outcome.INCORRECT),
        ({"table": "cart", "columns": ["note"], "where": {"id": 2}}, Outcome.INCORRECT),
    ):
        assert judged(evidence(before, after), UPDATE, allowed=(rule,)).outcome is outcome, rule


def test_bags_tell_what_came_and_what_went() -> None:
    red, blue = {"a": "red"}, {"a": "blue"}
    gone = {"table": "cart", "change": "delete", "where": {"a": "red"}}
    came = {"table": "cart", "change": "insert", "values": {"a": "blue"}}
    assert judged(evidence([red], [blue], key=()), gone, came).outcome is Outcome.CORRECT
    assert judged(evidence([blue], [red], key=()), gone, came).outcome is Outcome.INCORRECT
    assert judged(evidence([red], [blue, blue], key=()), gone, {**came, "count": 2}).outcome is Outcome.CORRECT


def test_tables_without_a_key_are_bags_and_bad_keys_are_our_fault() -> None:
    row = {"a": 1}
    delete = {"table": "cart", "change": "delete", "where": {"a": 1}}
    assert judged(evidence([row, row], [row], key=()), delete).outcome is Outcome.CORRECT
    assert judged(evidence([row, row], [row, row], key=())).outcome is Outcome.CORRECT
    assert judged(evidence([row, row], [row], key=("a",)), delete).outcome is Outcome.UNSCORED


@pytest.mark.parametrize(
    "bad",
    [
        {**INSERT, "where": {"id": 1}},
        {**DELETE, "values": {"id": 1}},
        {"table": "cart", "change": "update"},
        {**INSERT, "values": {"v": {"like": "x"}}},
        {**INSERT, "values": {"v": {"text": "x", "number": 1}}},
    ],
)
def test_unsound_references_are_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"row before|row after|needs 'values'|exactly one|not permitted"):
        judged(evidence([], []), bad)


def test_faults_are_unscored() -> None:
    assert judged(Evidence(name="state", fault=True, error="locked"), INSERT).outcome is Outcome.UNSCORED
    assert judged(Evidence(name="other"), INSERT).outcome is Outcome.UNSCORED
    assert judged(Evidence(name="state", value={"tables": {"cart": {"before": []}}})).outcome is Outcome.UNSCORED


rows = st.lists(st.fixed_dictionaries({"id": st.integers(0, 5), "v": st.integers(0, 2)}), unique_by=lambda r: r["id"])


@settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=60)
@given(rows, rows)
def test_nothing_expected_means_nothing_changed(before: list[Any], after: list[Any]) -> None:
    same = sorted(before, key=lambda row: row["id"]) == sorted(after, key=lambda row: row["id"])
    assert (judged(evidence(before, after)).outcome is Outcome.CORRECT) is same
