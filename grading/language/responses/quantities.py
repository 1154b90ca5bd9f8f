"""Signs, mixed numbers and money in words as digits, where a unit or the end of a clause stands behind them.

`four and a half hours` is `4.5 hours`, `minus five degrees` is `-5 degrees`, `two dollars and fifty cents` is `$2.50`.
Whole numbers in words stay: whether they are values is asked where a sentence is read.
"""

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Final

from grading.language import numerals
from grading.language.figures import BEFORE_A_SIGN, COIN_SIGNS, number_in
from grading.language.responses.sizes import same, size_of
from grading.language.unitnames import is_unit

_MARK: Final = "[\ue000-\ue2ff]"

_ONE: Final = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[a-z]+teen"
    r"|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)"
)
_NUMBER: Final = rf"(?:{_ONE}|zero)(?:[\s-]+(?:{_ONE}|hundred|thousand|million|and(?=\s+{_ONE}\b))){{0,16}}"
_PART: Final = (
    r"(?:an?|one|two|three|four|five|seven)[\s-]"
    r"(?:half|halves|thirds?|quarters?|fourths?|fifths?|sixths?|eighths?|tenths?)"
)
_MIXED: Final = re.compile(
    rf"\b(?P<whole>{_NUMBER}|\d{{1,9}})\s+and\s+(?P<part>{_PART})\s+(?=(?P<unit>[a-z]+(?:\s+per\s+[a-z]+)?))",
    re.IGNORECASE,
)
_AND_A_PART: Final = re.compile(
    rf"\b(?P<whole>{_NUMBER}|an?|\d{{1,9}})\s+(?P<unit>[a-z]+)\s+and\s+(?P<part>an?\s+(?:half|quarter|third))\b(?!\s+of\b)",
    re.IGNORECASE,
)
"""`an hour and a half`"""
_PART_OF_ONE: Final = re.compile(
    r"\b(?P<part>half|(?:an?|one|two|three)[\s-](?:quarters?|thirds?|halves)\s+of)\s+an?\s+(?P<unit>[a-z]+)\b(?!\s+(?:an?|per)\b)",
    re.IGNORECASE,
)
"""`a quarter of a litre`"""
_POINT: Final = re.compile(
    rf"\b{_NUMBER}\s+point(?:\s+(?:{_ONE}|zero)){{1,16}}(?:\s+(?:thousand|million|billion|trillion))?\b",
    re.IGNORECASE,
)
_SIGNED: Final = re.compile(
    rf"{BEFORE_A_SIGN}(?<!\bof\s)(?P<sign>minus|negative)\s+(?P<number>{_NUMBER}(?!\s*-?\s*(?:half|halves|third|quarter|\w+ths?)\b)|(?=\d))",
    re.IGNORECASE,
)
_WORD_BEFORE: Final = re.compile(
    rf"(?:\b(?:{_ONE}|zero|hundred|thousand|million|by|plus|times|[a-z])|\d)[,:]?\s$", re.IGNORECASE
)
_MONEY: Final = re.compile(
    rf"\b(?P<whole>{_NUMBER}|\d{{1,6}})\s+(?P<coin>dollars?|euros?|pounds?)\s+and\s+(?P<part>{_NUMBER}|\d{{1,2}})\s+(?:cents?|pence)\b",
    re.IGNORECASE,
)
_TWICE: Final = re.compile(
    rf"(?<![-\w])(?P<words>(?:{_NUMBER}\s+and\s+)?{_PART}|{_NUMBER}(?:[\s-](?:half|halves|thirds|quarters|[a-z]+ths))?)"
    rf"(?:\s*\(|\s*,?\s*(?:i\.\s?e\.,?|that\s+is,?|which\s+is|or|namely)\s+|\s*[,:—–]\s+)(?P<again>{_MARK}|\d+(?:[./]\d+)?(?![\w./]))\)?",
    re.IGNORECASE,
)
"""A number in words and again as a formula: `one third, $\\frac13$`."""
_ANY: Final = re.compile(
    rf"\b(?:and|point|half)\b|\bof\s+an?\s|minus|negative|[a-z](?:\s*\(|[^\w.]{{1,3}}(?:\w+\s+){{0,2}})(?:{_MARK}|\d)",
    re.IGNORECASE,
)


def with_quantities(text: str, formula_of: Callable[[str], str]) -> str:
    """The text as it is where it has none of them; `formula_of` gives the formula of a stand-in."""
    if _ANY.search(text) is None:
        return text

    def once(found: re.Match[str]) -> str:
        number, written = numerals.number_of(found["words"]), found["again"]
        size = size_of(formula_of(written) if re.match(_MARK, written) else written)
        spelt = size_of(str(number)) if number is not None else None
        agree = size is not None and spelt is not None and size.value is not None and same(size, spelt)
        return written if agree else found[0]

    text = _TWICE.sub(once, text)
    text = _MONEY.sub(_money, text)
    text = _POINT.sub(_pointed, _PART_OF_ONE.sub(_part_of_one, _AND_A_PART.sub(_and_a_part, _MIXED.sub(_mixed, text))))
    return _SIGNED.sub(_signed, text)


def _money(found: re.Match[str]) -> str:
    whole, part = number_in(found["whole"]), number_in(found["part"])
    if whole is None or part is None or not 0 < part < 100:
        return found[0]
    return f"{COIN_SIGNS[found['coin'][0].lower()]}{whole}.{int(part):02d}"


def _mixed(found: re.Match[str]) -> str:
    whole, part = number_in(found["whole"]), numerals.number_of(found["part"])
    if whole is None or part is None or not part < 1 or not is_unit(found["unit"]):
        return found[0]
    return f"{_decimal(whole + part)} "


def _decimal(value: Fraction) -> str:
    return f"{float(value):g}" if 1000 % value.denominator == 0 and value < 1000 else str(value)


def _and_a_part(found: re.Match[str]) -> str:
    whole = Fraction(1) if found["whole"].lower() in ("a", "an") else number_in(found["whole"])
    part = numerals.number_of(found["part"])
    if whole is None or part is None or not is_unit(found["unit"]):
        return found[0]
    return f"{_decimal(whole + part)} {found['unit']}"


def _part_of_one(found: re.Match[str]) -> str:
    part = numerals.number_of(found["part"].removesuffix(" of").strip())
    return found[0] if part is None or not is_unit(found["unit"]) else f"{_decimal(part)} {found['unit']}"


def _pointed(found: re.Match[str]) -> str:
    value = numerals.number_of(found[0])
    if value is None:
        return found[0]
    return str(value) if value.denominator == 1 else f"{float(value):.12g}"


def _signed(found: re.Match[str]) -> str:
    if _WORD_BEFORE.search(found.string, max(0, found.start() - 12), found.start()):
        return found[0]
    number = numerals.number_of(found["number"]) if found["number"] else None
    return "-" if not found["number"] else found[0] if number is None else f"-{number}"
