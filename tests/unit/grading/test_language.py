"""Reading: what the answer language takes, what it refuses, and that it stays within its bounds."""

import time
from contextlib import suppress
from fractions import Fraction

import pytest

from grading.language import LanguageError, TooLargeError, evaluate_constants, parse
from grading.language.tree import Constant, Function, Interval, Listing, Number, Power, Quantity, Symbol, Text, Tuple


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.5", "1/2"),
        (r"\frac12", "1/2"),
        (r"2\frac13", "7/3"),
        ("1 1/2", "3/2"),
        ("1,024", "1024"),
        (r"1{,}024", "1024"),
        ("6.02E+3", "6020"),
        ("½", "1/2"),
        (r"0.\overline{3}", "1/3"),
        ("-7", "-7"),
        ("042", "42"),
        (".5", "1/2"),
    ],
)
def test_numbers(text: str, value: str) -> None:
    assert evaluate_constants(text, {}) == Fraction(value)


@pytest.mark.parametrize(
    "text",
    [
        r"\input{/etc/passwd}",
        r"\overset{6}{5}",
        "5\u202e6",
        "1\u200b2",
        "٥",
        "((5)",
        "5+",
        "= =",
        "x = = 5",
        "5 6",
        "¬5",
        "{}",
        r"\color{white}{6}5",
        "O\u0301",
        "у^2",
    ],
)
def test_refused(text: str) -> None:
    with pytest.raises(LanguageError):
        parse(text)


@pytest.mark.parametrize(
    "text", ["1+" * 3000 + "1", "(" * 100 + "1" + ")" * 100, "9" * 500, r"\sqrt{" * 80 + "2" + "}" * 80]
)
def test_bounds(text: str) -> None:
    with pytest.raises(TooLargeError):
        parse(text)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["x(" + "tfel" * 500, "1" + " " * 4000 + "1", "the " * 900 + "1", "1" + r"\, " * 1000 + "x", "(" * 4000]
)
def test_no_text_is_slow_to_read(text: str) -> None:
    started = time.process_time()
    with suppress(LanguageError):
        parse(text)
    assert time.process_time() - started < 10


@pytest.mark.parametrize("text", ["3.2 h/0m", r"\int_0.^1 x^2 dx", "2_x", "3 m^{999999}", "5 J/0"])
def test_debris_found_by_fuzzing_is_read_or_refused(text: str) -> None:
    with suppress(LanguageError):
        assert parse(text).source


def test_shapes() -> None:
    assert parse("x_{1}").node == parse("x1").node == Symbol("x_1")
    assert parse(r"\varepsilon").node == parse("ϵ").node == Symbol("epsilon")
    assert isinstance(parse("(1, 2]").node, Interval)
    assert isinstance(parse("1, 2 and 3").node, Listing)
    assert isinstance(parse("(1, 2)").node, Tuple)
    assert isinstance(parse(r"3.2 \text{ km/h}").node, Quantity)
    assert isinstance(parse("the river bank").node, Text)
    assert parse(r"\sin^{-1} x").node == Function("asin", (Symbol("x"),))
    assert parse("e^x").node == Power(Constant("e"), Symbol("x"))
    assert parse("e", frozenset({"e"})).node == Symbol("e")


def test_letters_become_values() -> None:
    assert evaluate_constants(r"\frac{a+b}{2} c", {"a": Fraction(1), "b": Fraction(2), "c": Fraction(4)}) == 6
    assert abs(float(evaluate_constants("sqrt(a)", {"a": Fraction(2)})) - 2**0.5) < 1e-12
    with pytest.raises(LanguageError, match="no value for d"):
        evaluate_constants("a d", {"a": Fraction(1)})


def test_places_are_kept_but_do_not_tell_numbers_apart() -> None:
    number = parse("2.40").node
    assert isinstance(number, Number)
    assert (number.places, number.digits) == (2, 3)
    assert number == parse("2.4").node
