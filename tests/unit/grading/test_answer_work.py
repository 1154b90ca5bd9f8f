"""What grading an answer takes, and whether it can be evaluated, say nothing about whether it is right."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grading import Answer, Outcome, grade
from grading.equivalence.finding import Rules
from grading.equivalence.point import MAX_WORK
from grading.equivalence.texts import compare_texts
from grading.language.extract import extract

BEYOND = r"+e^{-e^{e^{x}+3}}"
"""Cannot be evaluated where x is large."""
COSTLY = r"+\sum_{k=1}^{60}(\sin(kx)-\sin(kx))"
GOLDS = ("x^2+1", "2x+3", r"\sin x", r"e^{x}\cos x")
"""Every gold is guessed under every gold: sixteen guesses, four of them right."""
FORMULAE = st.recursive(
    st.sampled_from(["x", "1", "2", "3", r"\pi"]),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda pair: f"({pair[0]} + {pair[1]})"),
        st.tuples(inner, inner).map(lambda pair: f"({pair[0]}) \\cdot ({pair[1]})"),
        inner.map(lambda part: f"\\sin({part})"),
        inner.map(lambda part: f"({part})^2"),
    ),
    max_leaves=4,
)


def _work(gold: str, answer: str) -> tuple[int, int]:
    rules = Rules()
    compare_texts(gold, extract(Answer(text=f"${answer}$")), rules)
    return rules.work.points, rules.work.steps


def _outcome(gold: str, answer: str) -> Outcome:
    return grade(Answer(text=f"${answer}$"), {"kind": "symbolic", "value": gold}).outcome


@pytest.mark.parametrize("guess", GOLDS)
def test_what_cannot_be_evaluated_is_unparseable_right_or_wrong(guess: str) -> None:
    assert {_outcome(gold, guess + BEYOND) for gold in GOLDS} == {Outcome.UNPARSEABLE}


@pytest.mark.parametrize("guess", GOLDS)
def test_a_costly_answer_takes_the_same_work_right_or_wrong(guess: str) -> None:
    works = {_work(gold, guess + COSTLY) for gold in GOLDS}
    assert len(works) == 1
    points, steps = works.pop()
    assert points >= 3
    assert steps > 60 * points
    assert {_outcome(gold, guess + COSTLY) for gold in GOLDS} == {Outcome.CORRECT, Outcome.INCORRECT}


@pytest.mark.parametrize("guess", ["3", "4"])
def test_a_list_takes_the_same_work_whether_its_first_member_is_right_or_wrong(guess: str) -> None:
    answer = f"({guess}, x{COSTLY}, x{BEYOND})"
    assert _work("(3, x, 5)", answer) == _work("(4, x, 5)", answer)
    assert _outcome("(3, x, 5)", answer) is Outcome.UNPARSEABLE


@pytest.mark.parametrize(
    ("golds", "guess"),
    [
        (("(x^2+1, x)", "(x^2+2, x)"), f"(x^2+1, x{COSTLY})"),
        (("x^2+1, x", "x^2+2, x"), f"x^2+1, x{COSTLY}"),
        (("y=x^2+1, z=x", "y=x^2+2, z=x"), f"y=x^2+1, z=x{COSTLY}"),
        (
            (r"\begin{pmatrix}\sin x & x\end{pmatrix}", r"\begin{pmatrix}\cos x & x\end{pmatrix}"),
            rf"\begin{{pmatrix}}\sin x & x{COSTLY}\end{{pmatrix}}",
        ),
        (("x^2+1 < y", "x^2+2 < y"), f"x^2+1 < y{COSTLY}"),
        (("3 m/s, 4", "5 m/s, 4"), r"3 m/s, 4+\sum_{k=1}^{60}(\sin(k)-\sin(k))"),
    ],
)
def test_a_part_written_as_in_the_gold_takes_the_same_work_as_another(golds: tuple[str, str], guess: str) -> None:
    assert _work(golds[0], guess) == _work(golds[1], guess)
    assert {_outcome(gold, guess) for gold in golds} == {Outcome.CORRECT, Outcome.INCORRECT}


@settings(max_examples=30, deadline=None)
@given(guess=FORMULAE, gold=FORMULAE, tail=st.sampled_from([BEYOND, COSTLY]))
def test_class_and_work_do_not_depend_on_the_gold(guess: str, gold: str, tail: str) -> None:
    answer = guess + tail
    assert _work(guess, answer) == _work(gold, answer)
    classes = [_outcome(value, answer) is Outcome.UNPARSEABLE for value in (guess, gold)]
    assert classes == [tail == BEYOND] * 2
    assert Outcome.UNSCORED not in {_outcome(guess, answer), _outcome(gold, answer)}


def test_an_answer_is_evaluated_for_so_many_steps_and_no_further() -> None:
    many = ", ".join(rf"\sum_{{k=1}}^{{300}}\sin({n}kx)" for n in range(1, 40))
    rules = Rules()
    found = compare_texts("1, 2, 3", extract(Answer(text=f"${many}$")), rules)
    assert MAX_WORK <= rules.work.steps < MAX_WORK + 20_000
    assert "too many steps" in found.finding.reason


def test_beside_a_gold_without_values_writing_decides() -> None:
    gold = r"\int f(x) dx"
    assert _outcome(gold, gold) is Outcome.CORRECT
    assert _outcome(gold, r"\int g(x) dx") is Outcome.UNSCORED
    assert _outcome("x", r"\int g(x) dx") is Outcome.UNPARSEABLE


def test_rounded_coefficients_are_compared_with_the_same_work_right_or_wrong() -> None:
    rules = [Rules(rel_tol=Fraction(1, 100)) for _ in range(2)]
    for gold, rule in zip(("x/3 + 1", "x/3 + 2"), rules, strict=True):
        compare_texts(gold, extract(Answer(text=f"$0.33333 x + 1{COSTLY}$")), rule)
    assert (rules[0].work.points, rules[0].work.steps) == (rules[1].work.points, rules[1].work.steps)


@pytest.mark.parametrize(
    ("golds", "guesses"),
    [
        (("2y = 4x + 2", "3y = 3x - 12"), ("y = 2x + 1", "2y - 2x = -8", "y = x^2")),
        (("x^2 + y^2 = 4", "x^2 + y^2 = 9"), ("y^2 + x^2 - 4 = 0", "x^2 - y^2 = 4")),
        (("|x - 3|", "|x - 4|"), ("|3 - x|", r"\sqrt{(x-4)^2}", "x - 3")),
        ((r"\min(x, 10)", r"\min(x, 20)"), (r"\min(10, x)", r"\frac{x + 10 - |x - 10|}{2}")),
        (("x^2 + 10^{-30}", "x^2 + 2 + 10^{-30}"), ("10^{-30} + x^2", "x^2 + 10^{-31}")),
        ((r"\sqrt{2} + 10^{-35}", r"\sqrt{3} + 10^{-35}"), (r"10^{-35} + \sqrt{2}", r"\sqrt{2} + 10^{-34}")),
        (("(|x|, |x-4|)", "(|x-1|, |x-4|)"), (r"(\sqrt{x^2}, |4-x|)", r"(\sqrt{(1-x)^2}, |4-x|)")),
        (
            (r"\begin{pmatrix} |x| & |x-4| \end{pmatrix}", r"\begin{pmatrix} |x-1| & |x-4| \end{pmatrix}"),
            (r"\begin{pmatrix} |-x| & |4-x| \end{pmatrix}",),
        ),
        (("f(x) = |x|", "f(x) = |x-1|"), (r"f(x) = \sqrt{x^2}",)),
        (("x + y < 4", "x + y < 5"), ("4 > y + x", "2x < 8 - y")),
        (
            (r"k\pi, k \in \mathbb{Z}", r"2k\pi, k \in \mathbb{Z}"),
            (r"\pi n, n \in \mathbb{Z}", r"(n+1)\pi, n \in \mathbb{Z}"),
        ),
    ],
)
def test_equations_branches_and_digits_take_the_same_work_right_or_wrong(
    golds: tuple[str, ...], guesses: tuple[str, ...]
) -> None:
    outcomes = set()
    for guess in guesses:
        assert len({_work(gold, guess) for gold in golds}) == 1, guess
        outcomes |= {_outcome(gold, guess) for gold in golds}
    assert outcomes >= {Outcome.CORRECT, Outcome.INCORRECT}
