"""Contained texts: whole words and numbers, or substrings."""

from typing import Any

import pytest

from grading import Answer, Outcome, grade
from grading.matching.tokens import tokens


def outcome(text: str, **reference: Any) -> Outcome:
    return grade(Answer(text=text), {"kind": "includes", **reference}).outcome


@pytest.mark.parametrize(
    ("text", "wanted", "found"),
    [
        ("It is 170 km.", "170", True),
        ("It is 1170 km.", "170", False),
        ("It is 1,170 km.", "170", False),
        ("It is 1,170.00 km", "1170", True),
        ("170.5", "170", False),
        ("$0.00", "0", True),
        ("version 1.2.3", "1.2", False),
        ("minus -5 degrees", "5", False),
        ("10-20", "20", True),
        ("A category", "cat", False),
        ("the Cat sat", "cat", True),
        ("I use C++", "C", False),
        ("It’s “fine”", "it's fine", True),
        ("São Paulo", "são paulo", True),
        ("a, b", "a b", True),
    ],
)
def test_whole_tokens(text: str, wanted: str, found: bool) -> None:
    assert outcome(text, values=[wanted]) is (Outcome.CORRECT if found else Outcome.INCORRECT)


def test_substrings_when_asked() -> None:
    assert outcome("1170", values=["170"], boundaries=False) is Outcome.CORRECT
    assert outcome("abc", values=["B"], boundaries=False) is Outcome.CORRECT
    assert outcome("abc", values=["B"], boundaries=False, case_sensitive=True) is Outcome.INCORRECT


def test_alternatives_and_forbidden() -> None:
    values = [["Oct 21", "October 21"], "2023"]
    assert outcome("October 21, 2023", values=values) is Outcome.CORRECT
    assert outcome("October 22, 2023", values=values) is Outcome.INCORRECT
    assert outcome("Oct 21 2023, or 2024", values=values, forbidden=["2024"]) is Outcome.INCORRECT


def test_nothing_to_look_in_is_unparseable() -> None:
    assert outcome("  ", values=["a"]) is Outcome.UNPARSEABLE
    assert grade(Answer(data=3), {"kind": "includes", "values": ["3"]}).outcome is Outcome.UNPARSEABLE


def test_tokens() -> None:
    assert tokens("B07DFJ5XKH costs +1,234.50 €; -0.0?") == ["b07dfj5xkh", "costs", "1234.5", "€", "0"]
