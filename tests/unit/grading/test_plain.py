"""Two values of plain arithmetic are compared at once; the long way round would say the same."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grading.equivalence import decide as deciding
from grading.equivalence.finding import Rules
from grading.equivalence.plain import is_plain
from grading.language.read import read

VALUES = st.recursive(
    st.sampled_from(["x", "k", "1", "2", "0.5", r"\pi", "a_1", r"\infty", "30^\\circ", "5 m"]),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda pair: f"({pair[0]}) + ({pair[1]})"),
        st.tuples(inner, inner).map(lambda pair: rf"\frac{{{pair[0]}}}{{{pair[1]}}}"),
        inner.map(lambda part: rf"\sqrt{{{part}}}"),
        inner.map(lambda part: f"({part})^2"),
        inner.map(lambda part: rf"\sin({part})"),
    ),
    max_leaves=4,
)


@settings(max_examples=150, deadline=None)
@given(gold=VALUES, given_=VALUES, shape=st.sampled_from(["", "number"]))
def test_the_short_way_says_what_the_long_one_says(gold: str, given_: str, shape: str) -> None:
    expected, found = read(gold), read(given_)
    short = deciding.decide(expected, found, Rules(shape=shape))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(deciding, "_is_plain", lambda *_: False)
        assert deciding.decide(expected, found, Rules(shape=shape)) == short


@pytest.mark.parametrize("text", ["x^2 + 1", r"\frac{a_1}{2\pi}", "5 m", "30^\\circ", r"\sqrt{2}\sin(x)"])
def test_what_is_plain(text: str) -> None:
    assert is_plain(read(text).node)


@pytest.mark.parametrize(
    "text",
    [
        "x = 1",
        "(1, 2)",
        r"1 \pm 2",
        "2 + 3j",
        "C_6",
        r"\vec a + 1",
        "f(x)",
        r"\mathbb{Z}",
        r"\{1, 2\}",
        "a_1 + \\ldots + a_n",
    ],
)
def test_what_is_not(text: str) -> None:
    assert not is_plain(read(text).node)
