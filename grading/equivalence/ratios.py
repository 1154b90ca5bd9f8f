"""Ratios `a : b : c`, up to a common factor, and how sentences state them."""

import re

from grading.equivalence.expressions import compare_expressions
from grading.equivalence.finding import Finding, Rules, all_equal, different
from grading.language.read import Parsed
from grading.language.responses import vocabulary as say
from grading.language.tree import Node, Number, Product, Quotient, Ratio
from grading.language.wordless import is_wordless

_PART = r"\d{1,9}(?:\.\d{1,6})?"
_COLONS = rf"{_PART}(?:\s*[:∶]\s*{_PART}){{1,5}}"
_BESIDE = re.compile(
    rf"(?P<lead>[^.;:?!\n\d]{{0,160}}?)\b(?:in|at|by)\s+(?:the|an?)\s+(?:\w+\s+)?(?:ratio|proportions?)\s+(?:of\s+)?(?P<bold>\*{{0,2}})"
    rf"\$?(?P<ratio>{_COLONS}|{_PART}(?:\s+to\s+{_PART}){{1,4}})\$?(?P=bold)"
    rf"|(?P<before>[^.;:?!\n\d]{{0,160}}?)\b(?:an?|the)\s+(?P<strong>\*{{0,2}})\$?(?P<first>{_COLONS})\$?(?P=strong)"
    r"\s+(?:[a-z]+\s+){0,2}ratio\b(?P<strong2>\*{0,2})",
    re.IGNORECASE,
)
"""`are mixed in the ratio 3 : 5`, `a 9 : 3 : 3 : 1 phenotypic ratio`"""
_SEARCHED = 3_000
"""Characters from the end in which a sentence is looked for."""
_ORDER = re.compile(
    r"(?<=\d)(?P<bold>\*{0,2}\$?)(?:\s*,\s*|\s*\()(?:by\s+\w+|[a-z]+(?:\s+[a-z]+){0,2}?\s+(?:to|:)\s+[a-z]+(?:\s+[a-z]+)?)\)?(?=\W*$)"
)
"""`, weak to strong` behind a ratio."""
_UNSOUND = re.compile(
    r"\b(?:if|unless|instead|initially|at\s+first|would|could|might|rather|wrong\w*)\b|n['’]t\b", re.IGNORECASE
)
_ODDS = re.compile(r"\bodds\b[^.;\n]{0,60}\d\s*(?::|∶|\bto\b)\s*\d", re.IGNORECASE)
_FOR_EVERY = re.compile(
    r"(?:(?:so|thus|hence|therefore|there\s+(?:are|is))[\s,]+)*\**(?P<first>\d+)\s+[a-z]+\s+(?:for|to)\s+(?:every|each)\s+(?P<second>\d+)\s+[a-z]+\**\W*",
    re.IGNORECASE,
)
"""`7 boys for every 5 girls`"""


def ratio_stated(text: str) -> str:
    """A text in which a ratio that things are mixed in, or that is expected, is said to be the ratio."""
    if "ratio" not in text and "proportion" not in text:
        return text
    return text[:-_SEARCHED] + _ORDER.sub(r"\g<bold>", _BESIDE.sub(_as_statement, text[-_SEARCHED:]))


def _as_statement(found: re.Match[str]) -> str:
    lead = found["lead"] or found["before"] or ""
    unsound = (say.DENIED, say.DOUBTED, say.REPORTED, _UNSOUND)
    if any(words.search(lead) for words in unsound):
        return found[0]
    ratio = (found["ratio"] or found["first"]).replace("∶", ":")
    bold = found["bold"] or found["strong"] or found["strong2"] or ""
    said = " : ".join(re.split(r"\s+to\s+", ratio))
    return f" The ratio is {bold}{said}{bold}"


def compare_ratios(gold: Node, given: Node, rules: Rules) -> Finding:
    """Cross products agree; a ratio of two equals its quotient."""
    left = gold.parts if isinstance(gold, Ratio) else (gold,)
    right = given.parts if isinstance(given, Ratio) else (given,)
    if len(left) != len(right):
        return _against_quotient(left, right, rules)
    if any(isinstance(part, Number) and not part.value for part in (*left, *right)):
        return all_equal((compare_expressions(a, b, rules) for a, b in zip(left, right, strict=True)), "the same parts")
    first, other = left[0], right[0]
    pairs = ((Product((a, other)), Product((b, first))) for a, b in zip(left, right, strict=True))
    return all_equal((compare_expressions(a, b, rules) for a, b in pairs), "the same ratio")


def _against_quotient(left: tuple[Node, ...], right: tuple[Node, ...], rules: Rules) -> Finding:
    if {len(left), len(right)} != {1, 2}:
        return different("ratios of different lengths")
    first = left[0] if len(left) == 1 else Quotient(*left)
    second = right[0] if len(right) == 1 else Quotient(*right)
    return compare_expressions(first, second, rules)


def as_ratio(expected: Parsed, given: str) -> str | None:
    """`7 boys for every 5 girls` as a ratio beside one; None for odds beside a share."""
    if not isinstance(expected.node, Ratio):
        odds = not is_wordless(given) and _ODDS.search(given) is not None
        return None if odds and "odds" not in expected.source else given
    given = ratio_stated(given)
    every = _FOR_EVERY.fullmatch(given.strip())
    return given if every is None else f"{every['first']} : {every['second']}"
