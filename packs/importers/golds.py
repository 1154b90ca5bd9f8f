"""Which kind of reference fits a gold of which nothing is said but its text."""

import re
from typing import Any

from grading.language.limits import LanguageError
from grading.language.unitnames import unit_of
from packs.importers import math

_NUMBER = re.compile(
    r"(?:[$€£¥]\s?)?[-+−±]?\s?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)?(?:(?<!\d)\.\d+|(?<=\d)\.\d+)?(?<=\d)"
    r"(?:\s?/\s?\d+)?(?:[eE][-+−]?\d+)?"
)
_COUNTED = re.compile(r"\s[a-zà-ÿ]{3,}")
"""What is counted: `12 eggs`."""
_WORDY = re.compile(
    r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{1,2}:\d{2}(?::\d{2})?|\d+(?:\.\d+){2,}|\d+[-–]\d+|\d+(?:st|nd|rd|th)|(?:1\d|20)\d0s"
)
"""Dates, times, versions, ranges, ordinals and decades: digits that are not to be calculated with."""
_TYPESET = re.compile(r"\\[A-Za-z]+|\$[^$]+\$|\^|_\{")
_OPERATOR = re.compile(r"[-+−*/=<>≤≥≠±×·÷√|!()\[\]{}∞π°]|\d\s*[,:]\s*[-−]?\d")
_COEFFICIENT = re.compile(r"\d+(?:\.\d+)?[A-Za-zα-ω]{1,2}")
_FUNCTIONS = re.compile(
    r"(?:arc)?(?:sin|cos|tan|cot|sec|csc)h?|log|exp|sqrt|mod|max|min|det|dim|deg|inf|gcd|lcm", re.IGNORECASE
)


def kind_of(gold: str) -> str:
    """`numeric` for a number, also with a unit or what is counted; `math` for an expression; `exact` for words."""
    text = gold.strip()
    if _WORDY.fullmatch(text):
        return "exact"
    number = _NUMBER.match(text)
    if number and number[0] and _is_measure(text[number.end() :]):
        return "numeric"
    if _TYPESET.search(text):
        return "math"
    if any(_FUNCTIONS.fullmatch(word) is None for word in re.findall(r"[^\W\d_]{3,}", text)):
        return "exact"
    return "math" if _OPERATOR.search(text) or _COEFFICIENT.fullmatch(text) else "exact"


def references(gold: str) -> list[dict[str, Any]]:
    """The references to try for a gold: of its own kind, then of others."""
    kind = kind_of(gold)
    tried = math.references(gold, {"kind": "numeric"} if kind == "numeric" else None)
    return tried[::-1] if kind == "exact" else tried


def _is_measure(rest: str) -> bool:
    """Whether nothing, a unit, or one word for what is counted follows a number."""
    if not rest.strip() or _COUNTED.fullmatch(rest):
        return True
    try:
        unit_of(rest.strip())
    except LanguageError:
        return False
    return True
