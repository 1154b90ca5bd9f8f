"""Equivalence: what means the same, what does not, and what the options change."""

from typing import Any

import pytest
from pydantic import ValidationError

from grading import Answer, Outcome, Verdict, grade


def _grade(gold: str, given: str, **options: Any) -> Verdict:
    return grade(Answer(text=given), {"kind": "math", "value": gold, **options})


def _same(gold: str, given: str, **options: Any) -> bool:
    verdict = _grade(gold, given, **options)
    assert verdict.outcome is not Outcome.UNSCORED, verdict.reason
    return verdict.score == 1


def test_tolerances() -> None:
    assert _same("2.4", "2.42", rel_tol=0.01)
    assert not _same("2.4", "2.43", rel_tol=0.01)
    assert not _same("1.6e-19", "-1.6e-19", rel_tol=0.01)
    assert not _same("1.6e-19", "0", rel_tol=0.01)
    assert _same("10", "10.4", abs_tol=0.5)
    assert _same("1, 100", "99.6, 1", abs_tol=[0.1, 0.5])
    assert not _same("0.5", "0.4999999", exact=True)
    assert _same("1234", "1229.6", significant_figures=3)
    assert not _same("1234", "1224", significant_figures=3)


def test_assumptions_open_identities() -> None:
    assert _same(r"2\ln x", r"\ln x^2", assume="positive")
    assert _same("|x|", r"\sqrt{x^2}")
    assert not _same("x", r"\sqrt{x^2}")
    assert _same("x", r"\sqrt{x^2}", assume="positive")
    assert _same(r"(-1)^n", r"\cos(n\pi)", assume="integer")


def test_each_symbol_may_have_its_own_assumption() -> None:
    assert not _same("a+b", r"\sqrt{a^2}+b")
    assert _same("a+b", r"\sqrt{a^2}+b", variables={"a": "positive"})
    assert not _same("a+b", r"a+\sqrt{b^2}", variables={"a": "positive"})
    assert not _same("a+b", r"a+\sqrt{b^2}", assume="positive", variables={"b": "real"})
    assert _same(r"\varepsilon_0+b", r"\sqrt{\epsilon_0^2}+b", variables={r"\varepsilon_0": "positive"})
    assert _same(r"2b\ln a", r"b\ln a^2", variables={"a": "positive", "b": "real"})


def test_the_question_repeated_is_no_closed_form() -> None:
    series = r"\sum_{n=1}^\infty\frac{n^2}{3^n}"
    assert _same("3/2", series)
    assert not _same("3/2", series, form="closed")
    assert _same("3/2", "1.5", form="closed")


def test_declared_letters_are_no_constants() -> None:
    assert not _same(r"e^2", r"\exp(2)", variables={"e": "positive"})
    assert _same(r"e^2", r"\exp(2)")


def test_arbitrary_constants() -> None:
    assert _same(r"x^2+C", "x^2+K+3", constants=["C"])
    assert not _same(r"x^2+C", "x^2", constants=["C"])
    assert _same("y=C_1e^x+C_2e^{-x}", r"y=A\cosh x+B\sinh x", constants=["C_1", "C_2"])
    verdict = _grade("C_1e^x+C_2e^{-x}", r"f_0\frac{1}{1+b}", constants=["C_1", "C_2"])
    assert verdict.outcome is Outcome.INCORRECT


def test_up_to_and_half_credit() -> None:
    assert _grade("3x", "5x", up_to="constant").score == 1
    assert _grade("3x", "5x", partial_up_to="constant").outcome is Outcome.PARTIAL
    assert _grade("3x", "5x^2", partial_up_to="constant").score == 0
    assert _grade("3x", "-3x", up_to="sign").score == 1
    assert _grade("x^2", "x^2+7", up_to="additive").score == 1
    assert _grade("a/b", "b/a", up_to="permutation").score == 1
    assert _grade("a/b", "b/a").score == 0


def test_forms() -> None:
    assert _grade("1/2", "0.5", form="exact").score == 0
    assert _grade("x^2-1", "x^2-1", form="factored").score == 0
    assert _grade("x^2-1", "(x-1)(x+1)", form="factored").score == 1
    assert _grade("1/2", r"\frac{2}{4}", form="simplified").score == 0


def test_unit_can_be_required() -> None:
    assert _grade("2", "2", unit="m", unit_policy="required").score == 0
    with pytest.raises(ValidationError, match="needs a unit"):
        _grade("2", "2", unit_policy="required")


def test_doubt_is_unscored_and_never_zero() -> None:
    gold = r"\sum_{k=1}^{100000} \frac{1}{k^2+x}"
    verdict = _grade(gold, r"\sum_{j=1}^{99999} \frac{1}{x+j^2}+\frac{1}{x+10^{10}}")
    assert verdict.outcome is Outcome.UNSCORED
    assert verdict.score is None
    assert _grade(gold, r"\sum_{j=1}^{100000} \frac{1}{x+j^3}").score is None
    assert _grade(gold, r"\sum_{j=1}^{100000} \frac{1}{x+j^2}").score == 1
    assert _grade(r"9^{9^{9^9}}", r"9^{9^{9^8}}").score != 1


def test_kinds_share_the_machine() -> None:
    assert grade(Answer(text="2, 1"), {"kind": "set", "value": "1, 2"}).score == 1
    assert grade(Answer(text="0<x<1"), {"kind": "interval", "value": "(0, 1)"}).score == 1
    assert grade(Answer(text="0.999"), {"kind": "numeric", "value": "1", "rel_tol": 0.01}).score == 1
    assert grade(Answer(data="x*x"), {"kind": "symbolic", "value": "x^2"}).score == 1


def test_verdict_explains_itself() -> None:
    assert "240" in _grade("2.4", "240 cm", unit="m").detail["given"]  # type: ignore[operator]
    assert "differs at x =" in _grade("x^2", "x^3").reason


@pytest.mark.parametrize("text", [".5", "ANSWER: .5", "The answer is .5", "$.5$", "-.5"])
def test_a_leading_point_is_part_of_the_number(text: str) -> None:
    assert grade(Answer(text=text), {"kind": "math", "value": "5"}).outcome is Outcome.INCORRECT
