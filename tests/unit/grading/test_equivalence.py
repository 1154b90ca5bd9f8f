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


SAME = [
    (r"\frac{3}{4}", "0.75"), (r"\frac{3}{4}", "¾"), (r"\sqrt{12}", r"2\sqrt3"), (r"\cos 60^\circ", "1/2"),
    (r"\frac{1}{1+\sqrt2}", r"\sqrt2-1"), ("x^2-1", "(x-1)(x+1)"), (r"\sin^2 x", r"\frac{1-\cos 2x}{2}"),
    (r"\tanh^{-1} x", r"\frac12\ln\frac{1+x}{1-x}"), (r"\binom{n}{3}", r"\frac{n(n-1)(n-2)}{6}"),
    (r"\sum_{k=1}^n k^2", r"\frac{n(n+1)(2n+1)}{6}"), (r"\int_0^1 3x^2 dx", "1"),
     (r"\lim_{n\to\infty}\frac{2n}{n+1}", "2"),
    ("2+3i", "3i+2"), ("e^{i\\pi}", "-1"), (r"\{1,2\}", "2, 1"), ("2, 3", "x=3 or x=2"), (r"\pm 3", "-3, 3"),
    ("(1, 2)", "x=1, y=2"), ("[0, 2)", r"0 \le x < 2"), (r"\mathbb{R}\setminus\{0\}", r"(-\infty,0)\cup(0,\infty)"),
    ("y=3x-1", "3x-y=1"), ("x^2+y^2=4", r"\frac{x^2}{4}+\frac{y^2}{4}=1"), ("x>2", "2<x"), ("x+1>3", "2x+2>6"),
    (r"\begin{pmatrix}1&0\\0&3\end{pmatrix}", r"\operatorname{diag}(1,3)"), ("O(n^2)", "O(5n^2+n)"), ("2:3", "4:6"),
    (r"\{3k \mid k\in\mathbb{Z}\}", r"\{3n : n\in\mathbb{Z}\}"), (r"x=\frac{\pi}{4}+k\pi", r"\frac{\pi}{4}+n\pi"),
    (r"\begin{cases}x & x>0\\ -x & x\le 0\end{cases}", "|x|"), ("f(x)=x+1", "g(t)=t+1"), (r"a_1+a_2+\cdots+a_n",
     r"\sum_{i=1}^n a_i"),
    ("3", "ANSWER: 3"), ("3", r"Some words. \boxed{3}"), ("3", "We see that the answer is 3."), (r"\text{Tuesday}",
     "tuesday"),
    ("60^\\circ", "60"), ("12%", "0.12"), ("7", "7 apples"), (r"\vec{E}=\frac{kq}{r^2}\hat r",
     r"k\frac{q}{r^2}\hat{r}"),
]  # fmt: skip
DIFFERENT = [
    ("5", "5 or 6"), ("5", "5, 6"), ("5", "-5"), ("5", r"\pm 5"), ("5", "4 < x < 6"), ("1/3", "0.33"), (r"\pi", "3.14"),
    ("R-r", "0"), (r"\frac{m}{M}", "1"), (r"\sin x^2", r"\sin^2 x"), (r"\ln(a+b)", r"\ln a+\ln b"), ("x^2", "x^3"),
    ("(1, 2)", "(2, 1)"), ("[0, 1]", "(0, 1)"), (r"\{1,2,3\}", "1, 2"), (r"\{1,2\}", "1, 2, 3"), ("x=5", "x^2=25"),
     ("x=5", "x=x"),
    ("y=2x", "x=2y"), ("x>2", r"x \ge 2"), ("x>2", "x<2"), ("x>2", "y>2"), ("O(n^2)", "O(n^3)"), ("2:3", "3:2"),
    (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", r"\begin{pmatrix}1&3\\2&4\end{pmatrix}"), ("2^{80}", "2^{80}+1"),
     ("10^{-20}", "10^{-21}"),
    (r"\frac{dy}{dx}=y", r"\frac{d^2y}{dx^2}=y"), (r"y(t)=\cos t", r"y(x)=\cos t"), (r"\hat x", "x"), ("k_B T",
     "k_{BT}"),
    ("5", "Score: 1. Correct"), ("50", "print(50)"), ("0", "\\infty-\\infty"), ("-1", r"\frac{1}{1-1}-1"), ("5",
     "ANSWER: 5 ANSWER: 6"),
    (r"\text{Yes}", "Maybe"), (r"\{2k \mid k\in\mathbb{Z}\}", r"\{k \mid k\in\mathbb{Z}\}"), ("6",
     r"\href{javascript:alert(1)}{6}"),
]  # fmt: skip


@pytest.mark.parametrize(("gold", "given"), SAME)
def test_same(gold: str, given: str) -> None:
    assert _same(gold, given)


@pytest.mark.parametrize(("gold", "given"), DIFFERENT)
def test_different(gold: str, given: str) -> None:
    assert not _same(gold, given)


@pytest.mark.parametrize(
    ("gold", "unit", "given", "right"),
    [("2.4", "m", "240 cm", True), ("2.4", "m", r"2.4\ \mathrm{m}^2", False), ("2.4", "m", "2.4", True),
     ("300", "K", r"27^\circ\text{C}", True), ("30", "deg", r"\pi/6", True), ("30", "deg", r"30\text{ rad}", False),
     ("36", "km/h", "10 m/s", True), ("101325", "Pa", "1 atm", True), ("3.6", "MJ", "3.6 mJ", False), ("13.6",
     "eV", "-13.6 eV", False),
     ("25", "%", "0.25", True), ("25", "%", "0.25%", False), ("8.31", "J/(mol K)",
     r"8.31\,\mathrm{J\,mol^{-1}\,K^{-1}}", True)],
)  # fmt: skip
def test_units(gold: str, unit: str, given: str, right: bool) -> None:
    assert _same(gold, given, unit=unit, rel_tol=0.01) is right


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
    verdict = _grade(r"\sum_{k=1}^{100000} \frac{1}{k^2+x}", r"\sum_{j=1}^{100000} \frac{1}{x+j^2}")
    assert verdict.outcome is Outcome.UNSCORED
    assert verdict.score is None
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
