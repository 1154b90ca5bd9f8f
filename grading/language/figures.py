"""Quantities in words as the same in figures: `an hour and a half` is `1.5 hours`, `minus five degrees` `-5 degrees`.

A sentence with a figure or a formula says its value by it: its words stay.
"""

import re
from fractions import Fraction
from typing import Final

from grading.language.numerals import PARTS, SCALES, WHOLE, number_of
from grading.language.unitnames import is_unit

_LONGEST: Final = 300
"""Characters of a sentence that is looked at."""
_WORD: Final = "(?:" + "|".join(WHOLE) + ")"
_PART: Final = "(?:" + "|".join(PARTS) + ")s?"
_CARDINAL: Final = (
    rf"(?:a\s+(?=hundred|thousand|million|billion|trillion|dozen))?{_WORD}(?:[\s-]+(?:and\s+)?{_WORD}\b)*"
)
_SHARE: Final = rf"(?:(?:an?|{_WORD})[\s-]+)?{_PART}"
_BEHIND: Final = rf"(?:\s+point(?:\s+{_WORD}\b)+|\s+and\s+(?:an?|{_WORD})[\s-]+{_PART}\b(?:\s+{_WORD}\b)?)"
"""What makes another number of a whole one: `point five`, `and a half`, `and a quarter million`."""
_NUMBER: Final = rf"(?:{_CARDINAL}{_BEHIND}?|half\s+a\s+{_WORD})"
_NAME: Final = r"[A-Za-z]{2,16}"
_OF_A_UNIT: Final = re.compile(
    rf"\b(?P<share>{_SHARE})\s+(?:of\s+)?(?:an?|one)\s+(?P<unit>{_NAME})\b(?!\s+and\b)", re.IGNORECASE
)
"""`half an hour`, `three quarters of a litre`, `half a dozen`"""
_AND_A_PART: Final = re.compile(
    rf"\b(?P<count>an?|{_CARDINAL})\s+(?P<unit>{_NAME})\s+and\s+(?P<share>{_SHARE})\b(?!\s+(?:of|an?|in)\b)",
    re.IGNORECASE,
)
"""`an hour and a half`"""
_MONEY: Final = re.compile(
    rf"\b(?P<whole>{_CARDINAL})\s+(?P<unit>dollars?|bucks?|euros?|pounds?|quid)\s*(?:,\s*)?(?:and\s+)?"
    rf"(?P<part>{_CARDINAL})(?:(?P<cents>\s+(?:cents?|pence|p)\b)|(?=\s*[.!]?\s*$))",
    re.IGNORECASE,
)
_MEASURED: Final = re.compile(rf"\b(?P<number>{_NUMBER})[\s-]+(?P<unit>per\s+cent|{_NAME})\b", re.IGNORECASE)
_BELOW: Final = re.compile(
    rf"\b(?P<number>\d+(?:\.\d+)?|{_NUMBER})(?P<degrees>\s+degrees?(?:\s+(?:Celsius|Fahrenheit|C|F)\b)?|\s?°\s?[CF]?)?\s+below\s+zero\b",
    re.IGNORECASE,
)
_TAKES: Final = re.compile(
    r"(?P<verb>\b(?:takes?|took|lasts?|needs?|weighs?|holds?|is|be|for|within|exactly)\s+)an?\s+(?P<unit>[a-z]{3,16})(?=\s*[.!]?\s*$)",
    re.IGNORECASE,
)
"""`It takes an hour.`"""
BEFORE_A_SIGN: Final = (
    r"(?:(?<=^)|(?<=[:=(,;]\s)|(?<=\b(?:is|be|to|at|of|by|as|it)\s)|(?<=\b(?:was|are|and|get|say)\s)"
    r"|(?<=\b(?:with|from|gets|says|give|hits)\s)|(?<=\b(?:gives|reads|shows|about)\s)|(?<=\b(?:equals|yields)\s)"
    r"|(?<=\b(?:reaches|becomes|exactly)\s))"
)
"""Where a value begins, and `minus` is its sign; behind a noun or a number it is an operation."""
_MINUS: Final = re.compile(
    rf"{BEFORE_A_SIGN}(?:minus|negative)\s+"
    rf"(?P<number>\d+(?:\.\d+)?(?!\.?\d)|{_SHARE}\b|{_NUMBER}\b(?![\s-]+{_PART}\b))",
    re.IGNORECASE,
)
_MIXED: Final = re.compile(rf"\b(?P<number>(?:an?\s+)?{_WORD}(?:[\s-]+(?:and\s+)?{_WORD}\b)*{_BEHIND})", re.IGNORECASE)
_FIGURED: Final = re.compile(
    r"(?<![\d.,/])(?P<whole>\d{1,9})\s+and\s+(?P<share>(?:a|one|three)[\s-]+(?:half|quarters?))\b", re.IGNORECASE
)
"""`3 and a half`"""
_OTHERS: Final = {
    "buck": "dollars",
    "bucks": "dollars",
    "quid": "£",
    "kilo": "kg",
    "kilos": "kg",
    "hrs": "hours",
    "mins": "minutes",
    "secs": "seconds",
    "percent": "%",
    "per cent": "%",
}
"""Names of units that only speech has, and the signs of money."""
COIN_SIGNS: Final = {"d": "$", "b": "$", "e": "€", "p": "£", "q": "£"}
_NO_UNITS: Final = frozenset(
    ["minus", "plus", "second", "third", "point", "more", "less", "half", "least", "most", "total", "ell", "slug"]
)
_SHORT_UNITS: Final = frozenset(["kg", "km", "cm", "mm", "mg", "ml", "mL", "kW", "kJ", "hr", "ft"])
_SAID: Final = re.compile(rf"\b(?:{_WORD}|{_PART}|an?\s+[a-z]{{3,16}}(?=[.!]?\s*$))\b", re.IGNORECASE)
_FIGURES: Final = re.compile(r"[\d$\\^=]")
_ENDS: Final = re.compile(r"((?<=[.!?])\s+|\n+)")


def in_figures(text: str) -> str:
    """A text with the quantities of its sentences in figures; as it is where it has none in words."""
    if _SAID.search(text) is None:
        return text
    return "".join(_sentence(part) for part in _ENDS.split(text))


def written(value: Fraction) -> str:
    """A number in figures: a decimal where four places are enough, else a fraction."""
    if value.denominator == 1:
        return str(value.numerator)
    places = value * 10**4
    return f"{float(value):.4f}".rstrip("0") if places.denominator == 1 else f"{value.numerator}/{value.denominator}"


def unit_named(name: str) -> str | None:
    """The name of a unit as the grammar knows it; None of another word."""
    plain = " ".join(name.lower().split())
    if plain in _OTHERS:
        return _OTHERS[plain]
    if plain in _NO_UNITS or (len(plain) <= 2 and name not in _SHORT_UNITS):
        return None
    return name if is_unit(name) else None


def _sentence(text: str) -> str:
    if not text.strip() or len(text) > _LONGEST or _SAID.search(text) is None:
        return text
    text = _FIGURED.sub(_figured, text)
    if _FIGURES.search(text) is not None:
        return text
    text = _MONEY.sub(_money, text)
    text = _BELOW.sub(_below, text)
    text = _MINUS.sub(lambda found: _told(found, "-{}"), text)
    text = _TAKES.sub(_takes, text)
    text = _AND_A_PART.sub(_and_a_part, text)
    text = _OF_A_UNIT.sub(_of_a_unit, text)
    text = _MEASURED.sub(_measured, text)
    return _MIXED.sub(lambda found: _told(found, "{}"), text)


def _told(found: re.Match[str], form: str) -> str:
    value = number_in(found["number"])
    return form.format(written(value)) if value is not None else found[0]


def number_in(text: str) -> Fraction | None:
    """A number in words or in figures."""
    return Fraction(text) if text[0].isdigit() else number_of(text)


def _figured(found: re.Match[str]) -> str:
    share = number_of(found["share"])
    return written(int(found["whole"]) + share) if share is not None and share < 1 else found[0]


def _below(found: re.Match[str]) -> str:
    value = number_in(found["number"])
    return f"-{written(value)}{found['degrees'] or ''}" if value is not None else found[0]


def _money(found: re.Match[str]) -> str:
    whole, part = number_of(found["whole"]), number_of(found["part"])
    if whole is None or part is None or part.denominator > 1 or not 0 < part < 100:
        return found[0]
    if part < 10 and not found["cents"]:
        return found[0]  # `Two dollars and three`
    return f"{COIN_SIGNS[found['unit'][0].lower()]}{float(whole + part / 100):.2f}"


def _takes(found: re.Match[str]) -> str:
    unit = unit_named(found["unit"]) if found["unit"].lower() != "second" else None
    return f"{found['verb']}{measure('1', unit)}" if unit is not None else found[0]


def _of_a_unit(found: re.Match[str]) -> str:
    share, scale = number_of(found["share"]), SCALES.get(found["unit"].lower())
    unit = unit_named(found["unit"]) if scale is None else None
    if share is None or not 0 < share < 1 or (unit is None and scale is None):
        return found[0]
    return written(share * scale) if unit is None and scale is not None else measure(written(share), unit or "")


def _and_a_part(found: re.Match[str]) -> str:
    unit, share = unit_named(found["unit"]), number_of(found["share"])
    count = number_of(found["count"]) if found["count"].lower() not in ("a", "an") else Fraction(1)
    if unit is None or share is None or count is None or not 0 < share < 1 or count.denominator > 1:
        return found[0]
    return measure(written(count + share), unit)


def _measured(found: re.Match[str]) -> str:
    unit, value = unit_named(found["unit"]), number_of(found["number"])
    behind = found.string[found.end() :]
    if unit is None or value is None or (value == 1 and behind.strip(" .!") and unit != "%"):
        return found[0]  # `One day`, `in one hour` name a time more often than they measure it.
    return measure(written(value), unit)


def measure(number: str, unit: str) -> str:
    """A number with its unit as they are written: `15%`, `£15`, `15 kg`."""
    return f"{unit}{number}" if unit == "£" else f"{number}{'' if unit == '%' else ' '}{unit}"
