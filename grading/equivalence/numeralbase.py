"""Numbers in the base that the question asks for: `101101`, `101101_2`, `0b101101` are one where it is binary."""

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from grading.equivalence.finding import Finding, different, equal
from grading.language.numerals import number_of
from grading.language.responses.commitments import committed

_SYSTEMS: Final = {"binary": 2, "ternary": 3, "octal": 8, "decimal": 10, "denary": 10, "hexadecimal": 16, "hex": 16}
_TARGET: Final = re.compile(
    r"(?P<lead>\b(?:in|to|into|as)\s+(?:an?\s+|its\s+|the\s+)?)?"
    r"\b(?:(?P<system>binary|ternary|octal|decimal|denary|hexadecimal|hex)\b|base[\s-]*(?P<base>\d{1,2}|[a-z]+)\b)"
    r"(?P<sort>\s+(?:representation|expansion|notation|form|equivalent|expression)\b)?",
    re.IGNORECASE,
)
_DECIMAL_ASKED: Final = re.compile(
    r"\b(?:what|which)\s+(?:decimal|denary|base[\s-]*(?:10|ten))\s+number|\b(?:decimal|denary)\s+value\b", re.IGNORECASE
)
_DRESS: Final = re.compile(r"\\(?:text(?:tt|bf)?|math(?:rm|tt|bf|sf)|operatorname)(?![A-Za-z])|\\[,;:! ]|[$*`]")
_SCRIPTS: Final = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_INDEX: Final = re.compile("[₀-₉]{1,2}")
_NUMERAL: Final = re.compile(
    r"(?P<sign>[-−]?)\s*\(?\s*(?:0(?P<prefix>[xXbo]))?"
    r"(?P<digits>[0-9A-Fa-f]{1,60}(?:[ _][0-9A-Fa-f]{4}){0,15}(?:\.[0-9A-Fa-f]{1,40})?)\s*\)?"
    r"\s*(?:_\s*(?:(?P<bare>\d{1,2})|\{\s*\{?\s*(?P<braced>\d{1,2}|[a-z]{3,8})\s*\}?\s*\})"
    r"|,?\s*\(?\s*(?:in\s+)?(?:base[\s-]*(?P<base>\d{1,2}|[a-z]{3,8})"
    r"|(?P<system>binary|ternary|octal|decimal|hexadecimal|hex))\s*\)?)?"
)
_PREFIXES: Final = {"x": 16, "b": 2, "o": 8}
_LONGEST: Final = 200
_TEN: Final = 10


def compare_in_base(gold: str, given: str, question: str) -> Finding | None:
    """Whether a number is the gold's in the base that was asked for; None where none but ten was asked for."""
    base = asked_base(question)
    if base is None or base == _TEN or len(given) > _LONGEST:
        return None
    expected = _Numeral.of(gold)
    if expected is None or expected.value(base) is None:
        return None
    for text in (given, committed(given).text or ""):
        sides = [_Numeral.of(side) for side in re.split(r"=|≡|\\equiv(?![A-Za-z])", text.strip().rstrip("."))]
        if None in sides:
            continue
        numerals = [side for side in sides if side is not None]
        said = next((side for side in numerals if side.base == base), numerals[-1])
        if said.value(base) != expected.value(base):
            return different(f"another number in base {base}")
        others = (side.value(_TEN) for side in numerals if side is not said)
        return (
            different("the answer contradicts itself") if {*others} - {said.value(base)} else equal("the same number")
        )
    return None


@lru_cache(maxsize=256)
def asked_base(question: str) -> int | None:
    """The base in which a question asks for a number; None where it names none."""
    if _DECIMAL_ASKED.search(question):
        return _TEN
    found = [match for match in _TARGET.finditer(question[: 20 * _LONGEST]) if match["lead"] or match["sort"]]
    return _base(found[-1]["system"] or "", found[-1]["base"] or "") if found else None


def _base(system: str, base: str) -> int | None:
    known = _SYSTEMS.get(system.lower())
    if known is not None or not base:
        return known
    value = int(base) if base.isdigit() else number_of(base.lower())
    return int(value) if value is not None and 2 <= value <= 16 and Fraction(value).denominator == 1 else None


@dataclass(frozen=True, slots=True)
class _Numeral:
    """Digits with their sign, and the base that is written beside them, if any."""

    digits: str
    base: int | None

    @classmethod
    def of(cls, text: str) -> "_Numeral | None":
        """The numeral that a text is; None of any other text."""
        bare = _INDEX.sub(lambda run: "_{" + run[0].translate(_SCRIPTS) + "}", _DRESS.sub("", text))
        found = _NUMERAL.fullmatch(re.sub(r"\{([0-9A-Fa-f])\}", r"\1", bare.strip(" .")))
        if found is None:
            return None
        index = found["bare"] or found["braced"] or found["base"] or ""
        named = _base(found["system"] or "", index) if index or found["system"] else None
        named = _PREFIXES[found["prefix"].lower()] if found["prefix"] else named
        return cls(found["sign"].replace("−", "-") + re.sub(r"[ _]", "", found["digits"]), named)

    def value(self, base: int) -> Fraction | None:
        """Its value in that base; None where another one is named, or has a digit that this one has not."""
        if (self.base or base) != base:
            return None
        whole, _, part = self.digits.partition(".")
        try:
            return Fraction(int(whole + part, base), base ** len(part))
        except ValueError:
            return None
