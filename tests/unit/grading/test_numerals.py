"""Number words: every number below ten thousand as English says it, fractions, and what is no number."""

from fractions import Fraction

import pytest

from grading.language.numerals import cardinal, leading, number_of, scaled

UNITS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def spelt(value: int) -> str:
    """English, British: `one hundred and five`."""
    if value < 20:
        return UNITS[value]
    if value < 100:
        return TENS[value // 10 - 2] + (f"-{UNITS[value % 10]}" if value % 10 else "")
    if value < 1000:
        return f"{UNITS[value // 100]} hundred" + (f" and {spelt(value % 100)}" if value % 100 else "")
    rest = value % 1000
    return f"{spelt(value // 1000)} thousand" + (f" {'and ' if rest < 100 else ''}{spelt(rest)}" if rest else "")


def test_every_number_is_read_as_it_is_spelt() -> None:
    assert all(number_of(spelt(value)) == value for value in range(10_000))
    assert all(number_of(spelt(value).replace(" and ", " ").upper()) == value for value in range(0, 10_000, 7))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("one million", 10**6),
        ("two billion three million and four", 2_003_000_004),
        ("hundred", 100),
        ("a dozen", 12),
        ("three dozen", 36),
        ("minus four", -4),
        ("negative two thirds", Fraction(-2, 3)),
        ("half", Fraction(1, 2)),
        ("a half", Fraction(1, 2)),
        ("one half", Fraction(1, 2)),
        ("three quarters", Fraction(3, 4)),
        ("two-thirds", Fraction(2, 3)),
        ("five eighths", Fraction(5, 8)),
        ("one and a half", Fraction(3, 2)),
        ("two and three quarters", Fraction(11, 4)),
        ("three point one four", Fraction(157, 50)),
        ("point five", Fraction(1, 2)),
        ("third", 3),
        ("twenty first", 21),
        ("twelfth", 12),
        ("a third", Fraction(1, 3)),
    ],
)
def test_other_numbers(text: str, value: Fraction | int) -> None:
    assert number_of(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a",
        "and",
        "one two",
        "twenty twenty",
        "twenty eleven",
        "hundred and",
        "two third",
        "one halves and",
        "seconds",
        "x",
        "one apple",
        "two or three",
        "3 four",
        "point",
        "one point ten",
        "thirty tenth",
        "twice",
        "million billion",
        "minus",
        "five hundred hundred",
    ],
)
def test_no_numbers(text: str) -> None:
    assert number_of(text) is None


def test_parts_of_texts() -> None:
    assert cardinal(["two", "hundred"]) == 200
    assert leading("seven apples") == "7 apples"
    assert leading("twenty-one red balls") == "21 red balls"
    assert leading("seven") is None
    assert leading("a good idea") is None
    assert leading("third base") is None
    assert leading("half price") is None
    assert scaled(["million", "people"]) == (10**6, ["people"])
    assert scaled(["Hundred", "thousand"]) == (10**5, [])
    assert scaled(["people"]) == (1, ["people"])
