"""Comparisons over what commands printed."""

from typing import Any

import pytest
from pydantic import ValidationError

from grading.answer import Answer, Evidence
from grading.registry import grade, parse_reference
from grading.verdict import Outcome


def reference(compare: str, mode: str = "fixed", **more: Any) -> dict[str, Any]:
    check = {"compare": compare, "right": {"source": "probe", "probe": "gold"}, **more}
    return {"kind": "commands", "mode": mode, "gold": ["gold"], "checks": [check]}


def outcome(answer: str | None, gold: str, compare: str, mode: str = "fixed", **more: Any) -> Outcome:
    seen = Evidence(name="gold", value={"exit_code": 0, "stdout": gold})
    return grade(Answer(text=answer, evidence=(seen,)), reference(compare, mode, **more)).outcome


def test_a_gold_that_find_ended_with_1_counts_where_it_may() -> None:
    def judged(stdout: str, code: int, *partial: str) -> Outcome:
        seen = Evidence(name="gold", value={"exit_code": code, "stdout": stdout, "stderr": "find: \u2018/proc/9\u2019"})
        return grade(Answer(text="3", evidence=(seen,)), reference("integer") | {"partial": list(partial)}).outcome

    assert judged("3\n", 1, "gold") is Outcome.CORRECT
    assert judged("4\n", 1, "gold") is Outcome.INCORRECT
    for stdout, code, partial in (("3\n", 1, ()), ("", 1, ("gold",)), ("3\n", 2, ("gold",))):
        assert judged(stdout, code, *partial) is Outcome.UNSCORED


@pytest.mark.parametrize(
    ("compare", "mode", "answer", "gold", "right"),
    [
        ("integer", "fixed", " 42 ", "42\n", True),
        ("integer", "fixed", "1,234", "1234\n", True),
        ("integer", "published", "1,234", "1234\n", False),
        ("integer", "fixed", "42.0", "42\n", False),
        ("integer", "fixed", "__import__('os').system('id')", "42\n", False),
        ("integer", "fixed", "9" * 100_000, "42\n", False),
        ("string", "fixed", "a\r\nb\n", "a\nb", True),
        ("string", "fixed", "A", "a", False),
        ("containing", "fixed", "it is alpha", "alpha\n", True),
        ("containing", "published", "anything", "\n", True),
        ("containing", "fixed", "anything", "\n", False),
        ("in", "fixed", "alpha", "alpha beta", True),
        ("in", "fixed", "", "alpha", False),
        ("size", "published", "8K", "8192\n", True),
        ("size", "published", "8.0K", "8.0K\n", False),
        ("size", "fixed", "8 KiB", "8.0K\n", True),
        ("size", "fixed", "9K", "8.0K\n", False),
        ("number", "fixed", "6.000001", "6", False),
        ("regex", "fixed", "abc42", "c[0-9]+", True),
    ],
)
def test_comparators(compare: str, mode: str, answer: str, gold: str, right: bool) -> None:
    assert outcome(answer, gold, compare, mode) is (Outcome.CORRECT if right else Outcome.INCORRECT)


EDGES = [
    ("integer", "fixed", "+42", "42", True),
    ("integer", "fixed", "-1,234,567", "-1234567", True),
    ("integer", "fixed", "12,34", "1234", False),
    ("integer", "fixed", "1_000", "1000", True),
    ("integer", "fixed", "x", "x", False),
    ("integer", "fixed", "42", "43", False),
    ("integer", "fixed", "042", "42", True),
    ("integer", "published", "1_000", "1000", True),
    ("integer", "fixed", "42", "x", False),
    ("integer", "fixed", "0" * 3999 + "7", "7", True),
    ("integer", "fixed", "0" * 4000 + "7", "7", False),
    ("string", "published", " a ", "a", True),
    ("string", "fixed", "a b", "a  b", False),
    ("string", "fixed", "\r\na", "a", True),
    ("string", "fixed", "a\rb", "a\nb", False),
    ("string", "fixed", "x" * 100_000 + "y", "x" * 100_000 + "z", True),
    ("string", "fixed", "x" * 99_999 + "y", "x" * 99_999 + "z", False),
    ("containing", "fixed", "alpha", "alpha beta", False),
    ("containing", "fixed", "a\r\nb c", " a\nb ", True),
    ("in", "fixed", "alpha beta", "alpha", False),
    ("in", "published", " ", "alpha", True),
    ("in", "fixed", " ", "alpha", False),
    ("in", "fixed", "a\r\nb", "x a\nb", True),
    ("size", "fixed", "8192", "8K", True),
    ("size", "fixed", "8kb", "8192 bytes", True),
    ("size", "fixed", "1M", "1024K", True),
    ("size", "fixed", "1.5G", "1536MB", True),
    ("size", "fixed", "1T", "1024 GB", True),
    ("size", "fixed", "1PiB", "1024TiB", True),
    ("size", "published", "1 KiB", "1024", False),
    ("size", "published", "1 pb", "1024T", True),
    ("size", "fixed", "8 X", "8 X", False),
    ("size", "fixed", "1K", "1M", False),
    ("size", "fixed", "K", "K", False),
    ("size", "fixed", "1GiB", "1G", True),
    ("size", "fixed", "1MiB", "1M", True),
    ("size", "fixed", "0" * 99 + "8", "8", True),
    ("size", "fixed", "0" * 100 + "8", "8", False),
    ("size", "published", "8", "8.0", False),
    ("number", "fixed", "6.0", "6", True),
    ("number", "fixed", " 6e0 ", "6", True),
    ("number", "fixed", "six", "6", False),
    ("number", "fixed", "6", "six", False),
    ("number", "fixed", "NaN", "NaN", False),
    ("number", "fixed", "6", "inf", False),
    ("number", "fixed", "Infinity", "Infinity", False),
    ("number", "fixed", "0" * 3999 + "7", "7", True),
    ("regex", "fixed", "abc", "^c", False),
    ("regex", "fixed", "abc", "^a", True),
    ("regex", "published", "abc", "b", True),
]


@pytest.mark.parametrize(("compare", "mode", "answer", "gold", "right"), EDGES)
def test_comparators_at_their_edges(compare: str, mode: str, answer: str, gold: str, right: bool) -> None:
    assert outcome(answer, gold, compare, mode) is (Outcome.CORRECT if right else Outcome.INCORRECT)


def test_a_tolerance_is_kept() -> None:
    for tolerance, given, right in (
        (1e-5, "6.00001", True),
        (1e-5, "6.000011", False),
        (1.0, "7", True),
        (1.0, "5", True),
    ):
        wanted = Outcome.CORRECT if right else Outcome.INCORRECT
        assert outcome(given, "6", "number", tolerance=tolerance) is wanted
    assert outcome("4.9", "6", "number", tolerance=1.0) is Outcome.INCORRECT


PROBE = {"source": "probe", "probe": "gold"}
TEXT = {"source": "text", "text": "a"}
TURNED = {"compare": "string", "left": PROBE, "right": {"source": "answer"}}
CODE, THERE = {**PROBE, "field": "exit_code"}, {**PROBE, "field": "exists"}


@pytest.mark.parametrize(
    ("check", "seen", "answer", "score", "reason"),
    [
        ({"compare": "string", "right": PROBE}, {"stdout": "a"}, "a", 1, "every check holds"),
        ({"compare": "string", "right": PROBE}, {"stdout": "b"}, "a", 0, "the string comparison fails"),
        ({"compare": "string", "right": PROBE}, {"stdout": "b"}, None, 0, "no answer was committed"),
        ({"compare": "string", "right": PROBE}, {}, "a", 0, "'gold' shows nothing"),
        ({"compare": "string", "right": PROBE}, ["b"], "a", 0, "'gold' shows nothing"),
        ({"compare": "string", "left": PROBE, "right": TEXT}, {}, None, 0, "'gold' shows nothing"),
        (TURNED, {"stdout": "a"}, None, 0, "'answer' shows nothing"),
        (TURNED, {"stdout": "a"}, "a", 1, "every check holds"),
        ({"compare": "string", "right": TEXT}, {}, "a", 1, "every check holds"),
        ({"compare": "integer", "right": CODE}, {"exit_code": 0}, "0", 1, "every check holds"),
        ({"compare": "string", "right": THERE}, {"exists": True}, "True", 1, "every check holds"),
        ({"compare": "regex", "right": {"source": "text", "text": "[0-9]"}}, {}, "x", 0, "the regex comparison fails"),
    ],
)
def test_sides_and_reasons(check: Any, seen: Any, answer: str | None, score: int, reason: str) -> None:
    evidence = (Evidence(name="gold", value=seen),)
    verdict = grade(Answer(text=answer, evidence=evidence), {"kind": "commands", "checks": [check]})
    assert (verdict.score, verdict.reason) == (score, reason)


def test_a_failed_check_shows_its_sides_and_its_place() -> None:
    asked = {
        "kind": "commands",
        "checks": [{"compare": "string", "right": {"source": "text", "text": text}} for text in ("a" * 600, "b" * 600)],
    }
    verdict = grade(Answer(text="a" * 600), asked)
    assert verdict.detail == {"given": "a" * 500, "expected": "b" * 500, "check": 1}


@pytest.mark.parametrize(
    ("seen", "reason"),
    [
        (None, "the evidence holds no probe 'gold'"),
        ({"fault": True, "error": "the sandbox ended"}, "probe 'gold' failed: the sandbox ended"),
        ({"value": {"exit_code": 2}}, "the gold command 'gold' failed in the untouched world"),
        ({"value": {"exit_code": None, "timed_out": True}}, "the gold command 'gold' failed in the untouched world"),
    ],
)
def test_faults_of_ours_with_their_reasons(seen: Any, reason: str) -> None:
    evidence = () if seen is None else (Evidence(name="gold", **seen),)
    verdict = grade(Answer(text="42", evidence=evidence), reference("integer"))
    assert (verdict.score, verdict.reason) == (None, reason)
    fine = Evidence(name="gold", value={"exit_code": None, "stdout": "42"})
    assert grade(Answer(text="42", evidence=(fine,)), reference("integer")).score == 1


def test_no_answer_is_wrong_and_not_unscored() -> None:
    assert outcome(None, "42", "integer") is Outcome.INCORRECT


@pytest.mark.parametrize(
    "seen",
    [
        Evidence(name="gold", fault=True, error="the sandbox ended"),
        Evidence(name="gold", value={"exit_code": 2, "stdout": "42"}),
        Evidence(name="gold", value={"exit_code": 0, "stdout": "42", "timed_out": True}),
        Evidence(name="another", value={"exit_code": 0, "stdout": "42"}),
    ],
)
def test_a_fault_of_ours_is_never_a_wrong_answer(seen: Evidence) -> None:
    assert grade(Answer(text="42", evidence=(seen,)), reference("integer")).outcome is Outcome.UNSCORED


def test_a_check_script_decides_by_its_status() -> None:
    asked = {"kind": "commands", "succeeds": ["check"]}
    for code, right in ((0, Outcome.CORRECT), (1, Outcome.INCORRECT), (None, Outcome.INCORRECT)):
        seen = Evidence(name="check", value={"exit_code": code})
        assert grade(Answer(evidence=(seen,)), asked).outcome is right


def test_a_reference_that_asks_nothing_is_refused() -> None:
    with pytest.raises(ValidationError, match="at least one"):
        parse_reference({"kind": "commands"})
