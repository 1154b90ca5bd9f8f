"""Antiderivatives between their limits in a chain, `[\\arctan x]_0^1 = \\pi/4`: a step that is looked through."""

import re
from fractions import Fraction
from typing import Final

from grading.equivalence.expressions import symbols
from grading.equivalence.finding import Rules
from grading.equivalence.numbers import compare_constants, is_constant
from grading.equivalence.signs import substituted
from grading.language.limits import LanguageError
from grading.language.read import read
from grading.language.tree import Node, Number, Product, Sum

_SIZE: Final = r"\\(?:left|right|[bB]igg?[lrm]?)(?![A-Za-z])"
_LIMIT: Final = r"(?:\{{(?P<{0}>[^{{}}]{{1,30}})\}}|(?P<{0}{0}>\\[A-Za-z]+|[-−]?\d|[a-zπ∞]))"
_LIMITS: Final = (
    rf"(?:_\s*{_LIMIT.format('a')}\s*\^\s*{_LIMIT.format('b')}|\^\s*{_LIMIT.format('d')}\s*_\s*{_LIMIT.format('c')})"
)
_BETWEEN: Final = re.compile(
    rf"\s*(?:(?:{_SIZE})?\s*\[(?P<inner>[^\[\]=|]{{1,80}}(?:\|[^\[\]=|]{{1,30}}\|[^\[\]=|]{{0,40}})?)(?:{_SIZE})?\s*\]"
    rf"|(?:\\left\s*\.)?(?P<barred>[^=]{{1,80}}?)(?:{_SIZE})?\s*(?:\||\\[rv]?vert(?![A-Za-z])))\s*{_LIMITS}\s*"
)
_SCRIPTS: Final = re.compile(r"(?<=[\]|])\s*(?P<low>[₀-₉])(?P<high>[⁰¹²³⁴-⁹])")
_LOW, _HIGH = "₀₁₂₃₄₅₆₇₈₉", "⁰¹²³⁴⁵⁶⁷⁸⁹"
_EQUALS: Final = re.compile(r"(?<![<>!:=])=(?!=)")
_LONGEST: Final = 400


def without_brackets(text: str) -> str | None:
    """A chain without such a step; None where the next member is not what it comes to, other texts as they are."""
    if "=" not in text or not re.search(r"[\]|][\s]*[_^₀-₉]|vert", text) or len(text) > _LONGEST:
        return text
    plain = text.strip().strip(".").strip("$")
    plain = _SCRIPTS.sub(lambda found: f"_{_LOW.index(found['low'])}^{_HIGH.index(found['high'])}", plain)
    members = _EQUALS.split(plain)
    kept: list[str] = []
    for place, member in enumerate(members):
        found = _BETWEEN.fullmatch(member) if place + 1 < len(members) else None
        if found is None:
            kept.append(member)
        elif not _comes_to(found, members[place + 1]):
            return None
    return f"${'='.join(kept).strip()}$" if len(kept) < len(members) else text


def _comes_to(found: re.Match[str], value: str) -> bool:
    """Whether the step comes to the value, as far as both can be evaluated."""
    limits = [next(filter(None, (found[a], found[a * 2], found[c], found[c * 2]))) for a, c in ("ac", "bd")]
    try:
        inner = read(found["inner"] or found["barred"]).node
        low, high = (read(limit).node for limit in limits)
        expected = read(re.sub(r"≈.*", "", value)).node
    except LanguageError:
        return True
    letters = symbols(inner)
    if len(letters) != 1 or not is_constant(expected):
        return True
    name = next(iter(letters))
    change: Node = Sum((substituted(inner, name, high), Product((Number(Fraction(-1)), substituted(inner, name, low)))))
    return not is_constant(change) or not compare_constants(expected, change, Rules()).different
