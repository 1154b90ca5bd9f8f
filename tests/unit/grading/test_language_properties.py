"""Properties of the answer language and of equality, on random expressions and on debris."""

from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grading import Answer, Outcome, grade
from grading.equivalence.decide import decide
from grading.equivalence.finding import Judgement, Rules
from grading.kinds.math import FAULT
from grading.language import LanguageError, parse
from grading.language.units import named
from tests.unit.grading.expressions import debris, expressions

few = settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


def _outcome(gold: str, text: str) -> Outcome:
    return grade(Answer(text=text), {"kind": "math", "value": gold}).outcome


@few
@given(expressions)
def test_reflexive(text: str) -> None:
    assert _outcome(text, text) is Outcome.CORRECT


@few
@given(expressions, expressions)
def test_symmetric(first: str, second: str) -> None:
    left, right = parse(first), parse(second)
    verdicts = {decide(left, right, Rules()).judgement, decide(right, left, Rules()).judgement}
    assert verdicts != {Judgement.EQUAL, Judgement.DIFFERENT} or _partly_defined(first, second)


def _partly_defined(first: str, second: str) -> bool:
    """Only where one side is not defined wherever the other is may the order matter."""
    return any(sign in first + second for sign in ("\\ln", "\\sqrt", "\\frac"))


@few
@given(
    expressions,
    st.sampled_from(["${}$", "\\[{}\\]", "**{}**", "\\boxed{{{}}}", "  {} ", "{}.", "ANSWER: {}", "\\displaystyle {}"]),
)
def test_dress_does_not_matter(text: str, dress: str) -> None:
    assert _outcome(text, dress.format(text)) is Outcome.CORRECT


@few
@given(expressions)
def test_spelling_does_not_matter(text: str) -> None:
    other = text.replace("\\frac", "\\dfrac").replace("\\left", "").replace("\\right", "").replace("\\cdot", "*")
    assert _outcome(text, other.replace("^{2}", "^2").replace("\\pi", "π")) is Outcome.CORRECT


@few
@given(expressions)
def test_one_more_is_different(text: str) -> None:
    assert _outcome(text, f"{text} + 1") is not Outcome.CORRECT


letters = st.sampled_from(list("abcdfghkmnprstvxyzFHKLMNPRSTVW"))
lengths = st.sampled_from(["m", "km", "cm", "mm", "nm", "ft", "mi"])


@few
@given(st.lists(letters, min_size=1, max_size=4), letters)
def test_one_more_factor_is_no_unit(factors: list[str], more: str) -> None:
    """`mgh` is not `mg` in hours."""
    assert _outcome(" ".join(factors), " ".join([*factors, more])) is not Outcome.CORRECT
    assert _outcome("".join(factors), "".join([*factors, more])) is not Outcome.CORRECT


@few
@given(st.integers(1, 10**6), lengths, lengths)
def test_lengths_are_converted(count: int, unit: str, other: str) -> None:
    exact = named(unit).scale * count / named(other).scale  # type: ignore[union-attr]
    text = f"\\frac{{{exact.numerator}}}{{{exact.denominator}}}"
    assert _outcome(f"{count} {unit}", f"{text}\\ \\mathrm{{{other}}}") is Outcome.CORRECT
    assert _outcome(f"{count}\\,\\mathrm{{{unit}}}", f"{2 * exact}\\ \\mathrm{{{other}}}") is not Outcome.CORRECT
    assert _outcome(f"{count} {unit}", f"{text}\\ \\mathrm{{s}}") is not Outcome.CORRECT


@pytest.mark.slow
@settings(max_examples=250, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(debris)
def test_reading_raises_only_its_own_error(text: str) -> None:
    with suppress(LanguageError):
        assert parse(text).source


@pytest.mark.slow
@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(debris)
def test_grading_never_raises(text: str) -> None:
    verdict = grade(Answer(text=text), {"kind": "math", "value": "x^2+1"})
    assert not verdict.reason.startswith(FAULT), verdict.reason


@pytest.mark.parametrize("count", [50, 500])
def test_reading_is_linear_enough(count: int) -> None:
    assert parse("+".join(["x"] * count)).node
