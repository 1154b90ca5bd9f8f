"""Numbers said by a name or with what they count: `There are three: a, b and c`, `A triple bond: bond order 3`."""

import re
from fractions import Fraction
from functools import lru_cache
from typing import Final

from grading.language.numerals import number_of

_PLAIN: Final = re.compile(r"[-−+]?\d+|\\frac\{\d+\}\{\d+\}|[-−+]?\d+/\d+|[-−+]?\d+\.\d+")
_ANNOUNCED: Final = re.compile(
    r"\W*(?:(?:so|thus|hence|therefore)\W+)?(?:(?:there\s+(?:are|is)|(?:it|this|they|we)\s+(?:has|have|are|is)|exactly|namely|in\s+total)\s+){0,2}(?P<number>\d{1,2}|[a-z]+(?:-[a-z]+)?)"
    r"(?:\s+(?!(?:more|fewer|less|times|or|and|of|other|and)\b)[a-z-]+){0,4}?\s*(?::|,?\s+namely\s|,?\s+viz\.\s|\s[—–]\s|\s\()\s*(?P<list>[^?]{3,300}?)\)?[\s.!*]*",
    re.IGNORECASE,
)
_MEMBERS: Final = re.compile(r",\s+(?:and\s+|or\s+)?|\s+and\s+|;\s+(?:and\s+)?")
_NO_MEMBER: Final = re.compile(
    r"\b(?:not|no|more|others?|etc|but|if|unless|maybe|perhaps|wrong|actually|wait|rest|further|another|two|three|several|so|which|because|since|is|are|was)\b|\.\.\.|…|\\dots|=",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(
    r"\W*(?:(?P<before>[A-Za-z][A-Za-z '’()-]{2,50}?)(?::|;|,\s+so|,\s+(?:i\.\s?e\.,?|that\s+is,?|with)|\s[—–])\s+)?"
    r"(?:(?:with|it\s+has|has|the|an?|its)\s+){0,2}"
    r"(?P<name>[a-z][a-z-]+(?:\s[a-z][a-z-]+){0,2})\s+(?:is\s+|of\s+|=\s*|:\s*)?(?P<value>[-−+]?\d[\d.,/]*|[a-z]+(?:-[a-z]+)?)[\s.!*$]*",
    re.IGNORECASE,
)
_CHANGED: Final = re.compile(
    r"\b(?:not|no|never|half|twice|double\s+of|over|under|above|below|at|most|least|than|if|unless|wrong|maybe|perhaps|other|next|previous|about|minus|plus|times|squared?|inverse|change|increase|decrease|difference|number\s+of\s+other)\b|n['’]t\b",
    re.IGNORECASE,
)
_FACTOR: Final = re.compile(
    r"\W*(?:it|they|this|\$?\[?[A-Z][\w^+−-]{0,8}\]?\$?|the\s+[a-z]+(?:\s+[a-z]+)?)\s+(?P<way>decreases?|falls?|drops?|is\s+(?:reduced|lowered|divided)|increases?|rises?|grows?|is\s+multiplied)\s+(?:by\s+(?:a\s+)?(?:factor\s+(?:of\s+)?)?)\$?(?P<by>\d[\d,]*(?:\.\d+)?)\$?"
    r"(?:,?\s+(?:i\.\s?e\.,?|that\s+is,?|so)\s+(?:it\s+is\s+)?(?:multiplied\s+by|becomes)\s+\$?(?P<again>\d+\s?/\s?\d[\d,]*|\d[\d.,]*|\\frac\{\d+\}\{\d+\})\$?(?:\s+(?:of\s+its\s+(?:former\s+|original\s+|initial\s+)?value|times\s+as\s+large))?)?[\s.!*]*",
    re.IGNORECASE,
)
_ASKS_FACTOR: Final = re.compile(
    r"\bby\s+(?:what|which)\s+factor\b|\bhow\s+many\s+times\b|\bwhat\s+factor\b", re.IGNORECASE
)
_LONGEST: Final = 400


def in_numbers(text: str, gold: str, question: str) -> str:
    """The number that a text says in such a way, beside a gold that is a number; any other text as it is."""
    if len(text) > _LONGEST or _PLAIN.fullmatch(gold.strip(" $.")) is None:
        return text
    return _announced(text) or _named(text, question) or _as_factor(text, gold, question) or text


def _announced(text: str) -> str | None:
    """The number of a list that has as many members as it announces."""
    found = _ANNOUNCED.fullmatch(text)
    if found is None or _NO_MEMBER.search(found["list"]):
        return None
    number = Fraction(found["number"]) if found["number"].isdigit() else number_of(found["number"])
    members = [part for part in _MEMBERS.split(found["list"]) if part.strip()]
    return str(len(members)) if len(members) > 1 and number == len(members) else None


def _named(text: str, question: str) -> str | None:
    """The value of the quantity that the question asks for by the same name."""
    found = _NAMED.fullmatch(text) if question else None
    if (
        found is None
        or not _asks_for(found["name"].lower(), question)
        or _CHANGED.search(f"{found['before']} {found['name']}")
    ):
        return None
    value = found["value"]
    number = value if value[-1].isdigit() else number_of(value)
    return None if number is None else str(number)


@lru_cache(maxsize=256)
def _asks_for(name: str, question: str) -> bool:
    """Whether a question asks for what has this name: `What is the bond order of`."""
    return (
        re.search(
            rf"\b(?:what(?:\s+is|['’]s)|which|find|give|determine|state|calculate|compute|how\s+large\s+is)\s+(?:is\s+)?(?:the\s+|its\s+)?(?:[a-z]+\s+)?{re.escape(name)}\b",
            question,
            re.IGNORECASE,
        )
        is not None
    )


def _as_factor(text: str, gold: str, question: str) -> str | None:
    """`it falls by a factor of 100` as 1/100, where the factor of a change is asked for that is below one."""
    found = _FACTOR.fullmatch(text) if _ASKS_FACTOR.search(question) else None
    if found is None:
        return None
    by = Fraction(found["by"].replace(",", ""))
    if not by:
        return None
    way = found["way"].lower()
    down = re.match(r"decr|fall|drop|is\s+(?:red|low|div)", way) is not None
    again = _value(found["again"]) if found["again"] else None
    if again is not None and again not in ({1 / by} if down else {by}):
        return None
    wanted = _value(gold)
    below = wanted is not None and wanted < 1
    if not down and (again is not None or not below):
        return str(by)
    return str(1 / by if below or again is not None else by) if down and by > 1 else None


def _value(text: str) -> Fraction | None:
    plain = re.sub(r"\\frac\{(\d+)\}\{(\d+)\}", r"\1/\2", text).replace(",", "").replace("−", "-")
    try:
        return Fraction(plain.replace(" ", "").strip("$."))
    except (ValueError, ZeroDivisionError):
        return None
