"""Golds that are units: `kg m^{-1} s^{-2}` beside `N/m²`, `J = kg m²/s²` or "newtons per square metre"."""

import re
import unicodedata
from functools import lru_cache

from grading.equivalence.finding import Finding, different, equal
from grading.language.limits import LanguageError
from grading.language.responses.commitments import committed
from grading.language.unitnames import unit_of
from grading.language.units import ONE, Unit

_ASKED = re.compile(r"\bunits?\b", re.IGNORECASE)
_IN_BASE = re.compile(r"\bbase\b|\bfundamental\b", re.IGNORECASE)
_DRESS = re.compile(r"\\(?:text|mathrm|rm|textrm|mathsf|operatorname)(?![A-Za-z])|\\[,;:! ]|[${}~*`]")
_NAME = re.compile(r"(?<![\\A-Za-z])[^\W\d_]+")
_SURELY = re.compile(r"(?<![\\A-Za-z])(?:kg|mol|Pa|Hz|rad|cd|Wb|eV|dm|cm|mm|km|min)(?![A-Za-z])|\\mathrm|\\text")
"""A unit of two letters, or one in upright type."""
_BASE = frozenset({"kg", "m", "s", "A", "K", "mol", "cd"})
_LEAD = re.compile(
    r"^\W*(?:(?:the|its|in)\s+)?(?:SI\s+)?(?:(?:base\s+)?units?)(?:\s+of\s+[^,;:=]{1,40}?)?\s*(?:\s(?:is|are)\s+(?:the\s+)?|:\s*|=\s*)",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"(?P<one>[^()]{1,40}[^()\s])\s*\(\s*(?:symbol:?\s*)?(?P<other>[^()]{1,40})\)")
_EQUAL = re.compile(r"=|≡|\\equiv(?![A-Za-z])")
_ONE = re.compile(r"^\s*1\s+(?=[^\W\d])")
_PER = re.compile(r"^(?:(?:reciprocal|inverse)\s+|per\s+)", re.IGNORECASE)
_OF_A_QUANTITY = re.compile(r"\s*\\?\[[^\[\]=]{1,20}\\?\]\s*")
_ALIKE = frozenset({(("s", -1),), (("m", 2), ("s", -2))})
"""Dimensions of several units with names that never stand for one another: hertz and becquerel, gray and sievert."""
_MOST_SIDES, _LONGEST = 5, 200


def compare_units(gold: str, given: str, question: str) -> Finding | None:
    """Equal where the gold is a unit and the answer says the same one; None of everything else."""
    expected = _of_gold(gold)
    if expected is None or len(given) > _LONGEST:
        return None
    if not (_ASKED.search(question) or (_SURELY.search(gold) and len(_names(gold)) > 1)):
        return None
    text = _LEAD.sub("", given.strip().rstrip("."))
    for said in (text, committed(given).text or ""):
        sides = [_unit(side) for side in _sides(said)]
        if None not in sides and len({*sides}) > 1:
            return different("the answer contradicts itself")
        if set(sides) == {expected} and _is_asked_for(_sides(said)[-1], expected, gold, question):
            return equal("the same unit")
    return None


@lru_cache(maxsize=512)
def _of_gold(gold: str) -> Unit | None:
    """The unit that all of a gold is, which no number stands before."""
    return _unit(gold) if len(gold) <= _LONGEST and re.match(r"[\s$\\{]*[^\W\d_]", gold) else None


def _unit(text: str) -> Unit | None:
    bare = _ONE.sub("", text.strip(" $.*`\n"))
    bare = _PER.sub("1/", bare)
    if not bare or re.match(r"(?!1\s*/)[\d.(]", bare):
        return None
    try:
        unit = unit_of(bare)
    except LanguageError:
        return None
    return None if unit is ONE else unit


def _names(text: str) -> list[str]:
    return _NAME.findall(_DRESS.sub(" ", unicodedata.normalize("NFKC", text)))


def _sides(text: str) -> list[str]:
    """The sides of a chain without the name of the quantity, the last one without the same unit in brackets."""
    sides = _EQUAL.split(text, _MOST_SIDES)
    if len(sides) > 1 and _OF_A_QUANTITY.fullmatch(sides[0].strip(" $")):
        sides = sides[1:]
    both = _BRACKETED.fullmatch(sides[-1].strip(" $.*"))
    if both is not None and _unit(both["one"]) == _unit(both["other"]) is not None:
        sides = [*sides[:-1], both["one"]]
    return sides


def _is_asked_for(text: str, expected: Unit, gold: str, question: str) -> bool:
    """Whether a spelling of the gold's unit is of the sort that was asked for."""
    asked, last = _names(gold), _names(text)
    in_base = set(asked) <= _BASE and len(asked) > 1
    if in_base and (_IN_BASE.search(question) or not question):
        return set(last) <= _BASE
    if len(last) > 1:
        return True
    # One name for a product is another quantity's (`J` for a torque in `N m`), unless the product is of base units.
    if len(asked) > 1:
        return in_base
    return expected.dimension not in _ALIKE or asked[0][:1].lower() == last[0][:1].lower()
