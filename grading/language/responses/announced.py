"""Sentences that announce how many values they say, and say them: `It has two roots, 2 and 3`."""

import re

from grading.language import numerals
from grading.language.responses import changing
from grading.language.responses import vocabulary as say
from grading.language.responses.clauses import HARMLESS, NUMBER, VALUE
from grading.language.responses.segments import MARK
from grading.language.responses.values import Refused, Value, value_of

_SEVERAL = re.compile(
    r"\b(?P<count>\d)\s+(?:[a-z]+\s+){0,2}?[a-z]+s\s*[,:—–]\s*(?:namely\s+)?(?P<list>.+?)[\s.!]*$", re.IGNORECASE
)
"""`two roots, 2 and 3`"""
_SINGLE = re.compile(
    r"^(?P<lead>[^,;:?]{0,200}?\b(?:(?:only|just|exactly|precisely)\s+(?:one|a\s+single\s+[a-z]+)\s+(?:of\s+(?:the|these|them|those)\s+)?(?:[a-z-]+\s+){0,8}?|(?:one|a\s+single|an?\s+unique)\s+(?:[a-z-]+\s+){0,3}?)[a-z-]+)\s*(?:,\s*(?:namely|viz\.?|i\.\s?e\.,?|that\s+is,?)|:|,\s*which\s+is)\s+"
    rf"(?P<value>(?:[A-Za-z]\w?\s*=\s*)?(?:{MARK}|{NUMBER})[^;:?]*)$",
    re.IGNORECASE,
)
"""`has precisely one real solution, namely x = 3`"""


def announced(text: str) -> Value | None:
    """As many values as are announced: `It has two roots, 2 and 3.`"""
    lone = _SINGLE.match(text)
    if lone is not None and not (
        changing.TURNED_DOWN.search(lone["lead"])
        or say.DENIED.search(lone["lead"])
        or changing.AROUND.search(HARMLESS.sub("", lone["lead"]))
        or say.NOT_STATED.match(text)
    ):
        value = value_of(lone["value"])
        return None if isinstance(value, Refused) else value
    found = _SEVERAL.search(numerals.in_digits(text))
    if found is None or changing.AROUND.search(text) or changing.BEFORE.search(text[: found.start()]):
        return None
    values = VALUE.fullmatch(found["list"])
    parts = re.split(r"\s*,(?![^()]*\))\s*(?:and\s+)?|\s+and\s+", found["list"])
    return Value(found["list"]) if values is not None and len(parts) == int(found["count"]) > 1 else None
