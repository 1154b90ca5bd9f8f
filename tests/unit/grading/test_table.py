"""Verdicts over tables and over answers read from them."""

import hashlib
from typing import Any

import pytest

from grading.answer import Answer, Evidence
from grading.kinds.table import MAX_ANSWER, digest, values
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
        # As published: one value by number else by text, several as sets of texts.
        ("published", "1.0", ["1"], True),
        ("published", "1.5", ["1"], False),
        ("published", "x", ["1"], False),
        ("published", "1", ["x"], False),
        ("published", " hello", ["hello"], False),
        ("published", "['a', 'a']", ["a", "a"], True),
        ("published", "['a', 'b', 'b']", ["a", "b"], True),
        ("published", "['a']", ["a", "b"], False),
        ("published", "['a', 'b']", ["a"], False),
        ("published", "[('a',), 'b']", ["a", "b"], False),
        ("published", "[['a']]", ["['a']"], True),
        ("published", "('a', 'b')", ["a", "b"], True),
        ("published", "{'a', 'b'}", ["a", "b"], True),
        ("published", "[None]", ["None"], True),
        ("published", "nan", ["nan"], True),
        ("published", "1_0", ["10"], False),
        ("published", "[b'a', 'c']", ["b'a'", "c"], True),
        ("published", "['inf']", ["inf"], True),
        # Ours: numbers within 0.01, as a multiset; texts as a set.
        ("fixed", "[1, 2]", ["2.0", "1"], True),
        ("fixed", "[1, 2, 2]", ["1", "2", "2"], True),
        ("fixed", "[1, 1, 2]", ["1", "2", "2"], False),
        ("fixed", "[3.15]", ["3.14"], True),
        ("fixed", "[3.13]", ["3.14"], True),
        ("fixed", "[3.151]", ["3.14"], False),
        ("fixed", "[1, 2]", ["1", "2", "3"], False),
        ("fixed", "[1, 2, 3]", ["1", "2"], False),
        ("fixed", "[1, 9]", ["1", "2"], False),
        ("fixed", "[9, 2]", ["1", "2"], False),
        ("fixed", "12 %", ["12"], True),
        ("fixed", "1,234.5", ["1234.5"], True),
        ("fixed", " -1,234,567 ", ["-1234567"], True),
        ("fixed", "1, 234", ["1", "234"], True),
        ("fixed", "1,23", ["1", "23"], True),
        ("published", "1,234", ["1234"], False),
        ("fixed", "a, b", ["a, b"], True),
        ("fixed", "50%", ["50 %"], True),
        ("fixed", "x%", ["x"], False),
        ("fixed", "a,b", ["ab"], False),
        ("fixed", '["a", "b", "a"]', ["b", "a"], True),
        ("fixed", '["a", "c"]', ["a", "b"], False),
        ("fixed", "'a'", ["a"], True),
        ("fixed", '["`a`"]', ["a"], True),
        ("fixed", '"a"', ["a"], True),
        ("fixed", "[['a'], [['b']]]", ["b", "a"], True),
        ("fixed", '["(1,)"]', ["1"], True),
        ("fixed", '["[2]"]', ["2"], True),
        ("fixed", '["[[2]]"]', ["2"], True),
        ("fixed", '["[1, 2]"]', ["[1, 2]"], True),
        ("fixed", "[1, 2]", ["1", "x"], False),
        ("fixed", "[NaN]", ["0"], False),
        ("fixed", '["N/A"]', ["null"], True),
        ("fixed", '["inf"]', ["undefined"], True),
        ("fixed", "[null]", ["None"], True),
        ("fixed", "[null]", ["0"], False),
        ("fixed", "[1, null]", ["1", "none"], True),
        ("fixed", "[1e400]", ["infinity"], False),
        ("fixed", "[true]", ["True"], True),
        ("fixed", "1_0", ["10"], False),
        ("fixed", "1_0", ["1_0"], True),
        ("fixed", "A", ["a"], False),
        ("fixed", "(1, 2)", ["1", "2"], True),
        ("fixed", "  hello ", ["hello"], True),
        ("fixed", "['a' 'b']", ["ab"], True),
        ("fixed", "0" * 401 + "5", ["0"], True),
        ("fixed", "0" * 399 + "5", ["5"], True),
        ("fixed", "0" * 399 + "5", ["0"], False),
    ],
)
def test_answers(mode: str, text: str, labels: list[str], right: bool) -> None:
    assert answered(text, labels, mode) is (Outcome.CORRECT if right else Outcome.INCORRECT)


def test_a_structured_answer_needs_no_parsing() -> None:
    assert answered(None, ["a", "b"], data=["b", "a"]) is Outcome.CORRECT
    assert answered(None, ["a"]) is Outcome.INCORRECT


@pytest.mark.parametrize(
    ("text", "data", "mode", "found"),
    [
        (None, [1, "a"], "fixed", [1, "a"]),
        ("x", ["y"], "fixed", ["y"]),
        (None, 5, "fixed", ["5"]),
        (None, "[1]", "fixed", ["1"]),
        ("[1, 2.50]", None, "fixed", ["1", "2.50"]),
        ("[1, 2.50]", None, "published", [1, 2.5]),
        (" x ", None, "fixed", ["x"]),
        (" x ", None, "published", [" x "]),
        ("", None, "fixed", [""]),
        ("{1: 2}", None, "published", ["{1: 2}"]),
        ("[(1, {2})]", None, "published", [[1, [2]]]),
        ("[True, 1j]", None, "published", [True, "1j"]),
        ("[NaN]", None, "fixed", ["NaN"]),
        ("['a']", None, "fixed", ["a"]),
        (" ['a']", None, "published", ["a"]),
        ("[1", None, "fixed", ["[1"]),
        ("5", None, "fixed", ["5"]),
        ('["' + "a" * (MAX_ANSWER - 4) + '"]', None, "fixed", ["a" * (MAX_ANSWER - 4)]),
    ],
)
def test_the_committed_answer_as_a_list(text: str | None, data: Any, mode: str, found: list[Any]) -> None:
    assert values(Answer(text=text, data=data), mode) == found


def test_an_answer_is_read_up_to_its_limit() -> None:
    longer = '["' + "a" * (MAX_ANSWER - 3) + '"]'
    assert values(Answer(text=longer), "fixed") == [longer]


def test_reasons() -> None:
    asked = {"kind": "table", "task": "answer", "labels": ["a"]}
    assert grade(Answer(text="a"), asked).reason == "the gold values"
    wrong = grade(Answer(data=["b" * 300] + ["c"] * 30), asked)
    assert (wrong.reason, wrong.detail) == ("other values", {"given": ["b" * 200] + ["c"] * 19})
    assert grade(Answer(), asked).reason == "no answer was committed"


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


@pytest.mark.parametrize(
    ("left", "right", "score", "reason"),
    [
        ({"rows": [["1"]]}, {"rows": [["1"]]}, 1, "the gold table"),
        ({"rows": [[1]]}, {"rows": [["1"]]}, 1, "the gold table"),
        ({"rows": [["2"]]}, {"rows": [["1"]]}, 0, "another table"),
        ({"rows": [["1"]], "columns": ["b"]}, {"rows": [["1"]]}, 0, "another table"),
        ({"rows": [["é", None]]}, {"rows": [["é", "None"]]}, 0, "another table"),
        ({"rows": ["x"]}, {"rows": [[]]}, 1, "the gold table"),
        ({"rows": None}, {"rows": [["1"]]}, 0, "the table is gone or cannot be read in full"),
        ({"rows": [["1"]], "columns": None}, {"rows": [["1"]]}, 0, "the table is gone or cannot be read in full"),
        ({"rows": [["1"]]}, {"rows": None}, None, "the gold statement left no table to compare with"),
        ({"rows": []}, {"rows": [], "truncated": True}, None, "the gold statement left no table to compare with"),
    ],
)
def test_states_with_their_reasons(left: Any, right: Any, score: float | None, reason: str) -> None:
    sides = [Evidence(name=n, value={"columns": ["a"], **side}) for n, side in (("table", left), ("gold", right))]
    verdict = grade(Answer(evidence=tuple(sides)), {"kind": "table", "task": "state", "expected": "gold"})
    assert (verdict.score, verdict.reason) == (score, reason)


def test_faults_with_their_reasons() -> None:
    asked = {"kind": "table", "task": "state", "expected": "gold", "seen": "left"}
    left, gold = seen("left", [["1", "x"]]), seen("gold", [["1", "x"]])
    down = Evidence(name="gold", error="the server ended", fault=True)
    for evidence, reason in (
        ((), "probe 'left' saw nothing"),
        ((left,), "probe 'gold' saw nothing"),
        ((left, down), "probe 'gold' saw nothing: the server ended"),
    ):
        verdict = grade(Answer(evidence=evidence), asked)
        assert (verdict.score, verdict.reason) == (None, reason)
    assert grade(Answer(evidence=(left, gold)), asked).score == 1
    lost = Evidence(name="left", value=["no object"])
    assert grade(Answer(evidence=(lost, gold)), asked).score == 0


def test_the_digest_is_md5_of_short_md5s_in_order() -> None:
    def md5(text: str) -> str:
        return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()

    assert digest([["1", "x"], ["2", None, "é"]]) == md5(",".join(sorted([md5("1,x")[:5], md5("2,é")[:5]])))
    assert digest([]) == md5("")
    assert len(digest([["\ud800"]])) == 32


def test_the_published_digest() -> None:
    rows: list[list[str | None]] = [["1", "x"], ["2", None]]
    asked = {"kind": "table", "task": "state", "mode": "published", "digest": digest(rows)}
    assert grade(Answer(evidence=(seen("table", rows[::-1]),)), asked).outcome is Outcome.CORRECT
    assert grade(Answer(evidence=(seen("table", rows[:1]),)), asked).outcome is Outcome.INCORRECT
    for rows_seen, reason in ((rows, "the digest of the table"), (rows[:1], "another digest")):
        assert grade(Answer(evidence=(seen("table", rows_seen),)), asked).reason == reason
    assert digest([["a", None, "b"]]) == digest([["a", "b"]]) != digest([["ab"]])
