"""Verdicts over tables and over answers read from them."""

from typing import Any

import pytest

from grading.answer import Answer, Evidence
from grading.kinds.table import digest
from grading.registry import grade
from grading.verdict import Outcome


def answered(text: str | None, labels: list[str], mode: str = "fixed", data: Any = None) -> Outcome:
    return grade(
        Answer(text=text, data=data), {"kind": "table", "task": "answer", "mode": mode, "labels": labels}
    ).outcome


@pytest.mark.parametrize(
    ("mode", "text", "labels", "right"),
    [
        ("published", '["1.0"]', ["1"], True),
        ("published", "['a', 'b']", ["b", "a"], True),
        ("published", "[1, 2]", ["1", "2"], False),
        ("published", "hello", ["hello"], True),
        ("published", '["1,000"]', ["1000"], False),
        ("published", "__import__('os').getcwd()", ["x"], False),
        ("fixed", '["1,000"]', ["1000.0"], True),
        ("fixed", '["12%"]', ["12"], True),
        ("fixed", "[('July 21, 1858',)]", ["July 21, 1858"], True),
        ("fixed", '["3.14159"]', ["3.14"], True),
        ("fixed", '["3.2"]', ["3.14"], False),
        ("fixed", "[1, 2, 2]", ["2", "1"], False),
        ("fixed", '["none"]', ["0"], False),
        ("fixed", "[]", ["0"], False),
        ("fixed", '["null"]', ["none"], True),
        ("fixed", '["a"]', ["a", "b"], False),
        ("fixed", "[[[[[[", ["a"], False),
        ("fixed", "[" * 5000, ["a"], False),
    ],
)
def test_answers(mode: str, text: str, labels: list[str], right: bool) -> None:
    assert answered(text, labels, mode) is (Outcome.CORRECT if right else Outcome.INCORRECT)


def test_a_structured_answer_needs_no_parsing() -> None:
    assert answered(None, ["a", "b"], data=["b", "a"]) is Outcome.CORRECT
    assert answered(None, ["a"]) is Outcome.INCORRECT


def seen(name: str, rows: list[list[str | None]], **more: Any) -> Evidence:
    return Evidence(name=name, value={"columns": ["a", "b"], "rows": rows, **more})


def state(left: Evidence, right: Evidence) -> Outcome:
    asked = {"kind": "table", "task": "state", "expected": "gold"}
    return grade(Answer(evidence=(left, right)), asked).outcome


def test_rows_are_a_multiset_and_null_is_not_empty() -> None:
    gold = seen("gold", [["1", "x"], ["2", None]])
    assert state(seen("table", [["2", None], ["1", "x"]]), gold) is Outcome.CORRECT
    assert state(seen("table", [["2", ""], ["1", "x"]]), gold) is Outcome.INCORRECT
    assert state(seen("table", [["2", None], ["1", "x"], ["1", "x"]]), gold) is Outcome.INCORRECT
    assert state(seen("table", [["2", None], ["1", "x"]], truncated=True), gold) is Outcome.INCORRECT


def test_a_missing_table_is_wrong_and_a_fault_is_not() -> None:
    gold = seen("gold", [["1", "x"]])
    assert state(Evidence(name="table", error="no such table"), gold) is Outcome.INCORRECT
    assert state(Evidence(name="table", error="the server ended", fault=True), gold) is Outcome.UNSCORED
    assert state(gold.model_copy(update={"name": "table"}), Evidence(name="gold", fault=True)) is Outcome.UNSCORED


def test_the_published_digest() -> None:
    rows: list[list[str | None]] = [["1", "x"], ["2", None]]
    asked = {"kind": "table", "task": "state", "mode": "published", "digest": digest(rows)}
    assert grade(Answer(evidence=(seen("table", rows[::-1]),)), asked).outcome is Outcome.CORRECT
    assert grade(Answer(evidence=(seen("table", rows[:1]),)), asked).outcome is Outcome.INCORRECT
    assert digest([["a", None, "b"]]) == digest([["a", "b"]]) != digest([["ab"]])
