"""The first terms of a series or a sequence, with or without the dots that say that it goes on."""

import re
from typing import Final

_ASKS: Final = re.compile(
    r"\b(?:terms?|polynomial|expan(?:d|sion)|Taylor|Maclaurin|Laurent|series|(?:first|second|third|fourth|lowest|leading)[\s-]+order"
    r"|order\s+\w|numbers\s+in\s+the\s+sequence)\b",
    re.IGNORECASE,
)
_FINITE: Final = re.compile(r"\bfirst\s+(?:\w+[\s-]+){0,2}terms\b|\bpolynomial\b|\bup\s+to\b|\border\b", re.IGNORECASE)
"""What asks for some terms, and not for all of them."""
_DOTS: Final = r"(?:\\(?:[cl]?dots|dots[cb])(?![A-Za-z])|\.\.\.|…|⋯)"
_TAIL: Final = re.compile(
    rf"(?:\s*(?:[-+−]|\\pm|[,;])(?:\s|\\[,; ])*{_DOTS}"
    r"|\s*\+\s*\\?(?:mathcal\s*\{\s*)?O\s*\}?\s*(?:\\left\s*)?\([^()]{1,12}(?:\\right\s*)?\))(?P<end>[\s.$*]*)$"
)
_HEADED: Final = re.compile(r"^(?P<head>[^=≈]{1,60}?)=(?P<rest>[^=≈]+)$", re.DOTALL)
_WORD: Final = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{4}")
_LONGEST: Final = 400


def without_dots(gold: str, text: str, question: str) -> tuple[str, str]:
    """Gold and answer without the dots or the order of growth that end only one of them, where terms are asked for.

    What the terms are an expansion of is then a name of them (`\\\\ln(1+x) = x - x^2/2 + \\\\cdots`).
    """
    if len(text) > _LONGEST or _ASKS.search(question) is None or "\\sum" in gold + text or "∑" in gold + text:
        return gold, text
    expected, given = _TAIL.search(gold.rstrip()), _TAIL.search(text.rstrip())
    if (expected is None and given is None) or (expected and given and ("O" in expected[0]) == ("O" in given[0])):
        return gold, text
    if expected is not None and _FINITE.search(question) is None:
        return gold, text
    gold = gold.rstrip()[: expected.start()] + expected["end"] if expected is not None else gold
    text = text.rstrip()[: given.start()] + given["end"] if given is not None else text
    headed = _HEADED.match(text) if "=" not in gold and not _WORD.search(text) else None
    return gold, f"{headed['head']}\\approx {headed['rest']}" if headed is not None else text
