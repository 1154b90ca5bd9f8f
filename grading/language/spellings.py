"""British and American spellings of a word, and the noun that a question asks the name of."""

import re
from functools import lru_cache
from typing import Final

from grading.matching.stem import stem

_SPELLINGS: Final = tuple(
    (re.compile(pattern), plain)
    for pattern, plain in (
        (r"sulph", "sulf"),
        (r"^aluminum", "aluminium"),
        (r"^caes", "ces"),
        (r"(?<=[a-z]{3})is(?=(?:e|ed|es|er|ing|ation|ations|able)$)", "iz"),
        (r"(?<=[a-z]{3})ys(?=(?:e|ed|es|er|ing)$)", "yz"),
        (r"(?<=[a-z]{2})our(?=(?:s|ed|ing|less|ful|al)?$)", "or"),
        (r"(?<=[a-z]{2})tre(?=s?$)", "ter"),
        (r"ogue(?=s?$)", "og"),
        (r"ae|oe", "e"),
        (r"^grey", "gray"),
        (r"(?<=[a-z])ll(?=(?:ed|ing|er)$)", "l"),
    )
)
"""British spellings and what is written for them in America, for a comparison of both."""
_ASKED: Final = re.compile(
    r"\b(?:which|what|whose)\s+(?:(?:kind|type|sort|form|class|name)s?\s+of\s+|(colou?r|species|breed|flavou?r|variety)\s+of\s+)?(?:(?:an?|the)\s+)?(?!(?:is|are|was|were|does|do|did|has|have|kind|type|sort|form|class)\b)([a-z]{4,})\b"
    r"|\b(?:what|how)\s+(?:is|do\s+we\s+call|does\s+one\s+call|are)\s+(?:an?\s+)?([a-z]{4,})s?\b(?:\s+([a-z]{3,}s)\b)?(?=[^?.]*\bcalled\b)"
    r"|\bwhat(?:\s+(?:is|are|was|were)|['’]s)\s+the\s+(?:(?:most\s+[a-z]+|[a-z]+est|only|first|last)\s+|(?:name|term|word)\s+(?:of|for)\s+(?:(?:an?|the|this|that)\s+)?)([a-z]{3,})(?:\s+([a-z]{4,}))?\b",
    re.IGNORECASE,
)
"""The noun behind which a name stands.

`Which gas`, `whose law`, `what type of matrix`, `what is a matrix with … called`, `what is the longest river`.
"""


@lru_cache(maxsize=256)
def is_asked_name(noun: str, question: str) -> bool:
    """Whether a noun is the sort of thing that a question asks the name of."""
    asked = {word.lower() for found in _ASKED.finditer(question) for word in found.groups() if word}
    return stem(canonical(noun)) in {stem(canonical(word)) for word in asked}


@lru_cache(maxsize=2048)
def canonical(word: str) -> str:
    """A word, in lower case, as it is spelt in America."""
    word = word.casefold()
    for pattern, plain in _SPELLINGS:
        word = pattern.sub(plain, word)
    return word
