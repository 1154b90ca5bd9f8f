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


def test_a_tolerance_is_kept() -> None:
    assert outcome("6.000001", "6", "number", tolerance=1e-5) is Outcome.CORRECT


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
