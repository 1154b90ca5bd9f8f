"""Short answers that are at odds with themselves or with their question, whatever their value is.

A name beside the symbol of another element, a count beside a list of another length, a comparison that does not hold,
a year that is only about so or that is counted back from now, and words that say which other answer was meant.
"""

import re
from typing import Final

from grading.language import formulae, manners
from grading.language.numerals import in_digits
from grading.language.wordless import is_wordless

_LONGEST: Final = 200
_DRESS: Final = re.compile(r"[\s$*]|\\[()\[\],;! ]")
_ITSELF: Final = re.compile(r"(?:^|[,;])([^,;=]{1,100})=\1(?=[,;]|\.?$)")
_SYMBOLED: Final = re.compile(
    r"\b(?P<name>[A-Za-z]{3,13})\**\s*(?:\(|,|[—–])\s*\$?(?P<said>(?:(?:whose|with|its|the)\s+){0,2}(?:chemical\s+)?symbol\s+(?:is\s+|of\s+|:\s*)?)?"
    r"(?P<symbol>[A-Z][a-z]?)[\d₂₃₄₈⁺⁻+-]*\$?(?P<end>\s*[,;)]|\W*$)"
)
_ASKS_YEAR: Final = re.compile(r"\b(?:what|which)\s+(?:[a-z]+\s+)?year\b|^\W*when\b", re.IGNORECASE)
_ABOUT: Final = r"(?:about|around|roughly|approximately|approx\.?|circa|ca?\.|near|nearly|almost)"
_ASKS_ABOUT: Final = re.compile(rf"\b{_ABOUT}|\b(?:estimate|ago|many|long)\b", re.IGNORECASE)
_LISTED: Final = re.compile(
    r"\W*(?:(?:there|they)\s+(?:are|were)\s+|(?:it|we)\s+ha(?:s|ve)\s+)?(?P<count>\d{1,2})(?:\s+[a-z-]+){0,3}(?:\s*[:(—–]|,\s+namely:?)\s*(?P<list>[^:;()?\\$^_=±…]+)\)?[\s.!*]*",
    re.IGNORECASE,
)
_OPAQUE: Final = re.compile(
    r"\.\.|\b(?:etc|such\s+as|like|including|others?|more|rest|both|each|all|every|pairs?|twins?|so\s+on|ways?|because|since|one|two|is|are|was|were|has|have|you|we|they|it)\b|\d",
    re.IGNORECASE,
)
"""In a list of which nobody can tell by its commas how much it holds."""
_APPOSED: Final = re.compile(r"(?:the|an?|which|who|whose|our|its)\b", re.IGNORECASE)
_MEANT: Final = re.compile(
    r"(?:though|although|but|while|whereas|however,?)\s+(?P<other>[^\s,;.][^,;.]{0,40}?)\s+(?:is|was|are|were)\s+(?:really\s+|actually\s+|surely\s+|probably\s+)?(?:what|the\s+one|the\s+thing|whom?)\b"
    r"[^,;.]*\b(?:meant|intended|wanted|asked|sought|expected|looking|right|correct)\b"
    r"|(?:though|although|but|while|whereas)\s+(?:the\s+)?(?:key|question|textbook|teacher|questioner|asker|book|reference)\s+(?:says|said|means|meant|wants|wanted|expects|asks\s+for|has)\s+(?P<keyed>[^,;.]{2,40})",
    re.IGNORECASE,
)
_PRONOUN: Final = re.compile(r"(?:it|that|this|they|these|he|she)\b", re.IGNORECASE)


def at_odds(gold: str, response: str, question: str) -> str | None:
    """Why a short answer cannot say the gold; None where it may."""
    said = " ".join(response.replace("*", "").split())
    if _says_nothing(response) and not _says_nothing(gold):
        return "an identity is no answer"
    if len(response) > _LONGEST or is_wordless(said) or said.strip(" .").casefold() == gold.strip(" .").casefold():
        return None
    if _wrong_symbol(said):
        return "a name beside the symbol of another element"
    if _miscounted(said):
        return "a count beside a list of another length"
    if manners.falsely_compared(said):
        return "compared with what it does not compare to"
    if _dated_roughly(gold, said, question):
        return "no year, but about when it was or how long ago"
    return "another answer is said to be meant" if _means_another(gold, said) else None


def _says_nothing(text: str) -> bool:
    """Whether a part of a text is an equation of something with itself: `3 = 3`, not `0b11 = 3`."""
    return "=" in text and len(text) <= _LONGEST and _ITSELF.search(_DRESS.sub("", text)) is not None


def _wrong_symbol(said: str) -> bool:
    for found in _SYMBOLED.finditer(said):
        symbol = formulae.symbol_of(found["name"]) if found["symbol"] in formulae.SYMBOLS else None
        if symbol is not None and symbol != found["symbol"]:
            return True
    return False


def _miscounted(said: str) -> bool:
    """Whether a count stands before a whole list, ended by `and`, that holds fewer or more."""
    found = _LISTED.fullmatch(in_digits(said))
    listed = re.fullmatch(r"(?P<front>.+?),?\s+and\s+(?P<last>.+)", found["list"]) if found is not None else None
    if found is None or listed is None or _OPAQUE.search(found["list"]):
        return False
    count, by_commas = int(found["count"]), found["list"].count(",") + 1
    parts = [each.strip() for each in re.split(r",\s*(?:and\s+)?|\s+and\s+", found["list"])]
    fewest = by_commas if re.search(r",\s+and\s", found["list"]) else by_commas + (listed["front"].count(" and ") == 0)
    apposed = {_APPOSED.match(each) is not None for each in parts} == {True, False}
    plural = any(re.fullmatch(r"(?:.*\s)?[a-z-]+s", each) for each in parts)
    return (count < fewest and not apposed) or (count > len(parts) and not plural)


def _dated_roughly(gold: str, said: str, question: str) -> bool:
    year = gold.strip(" .")
    if re.fullmatch(r"[12]\d{3}", year) is None or not _ASKS_YEAR.search(question) or _ASKS_ABOUT.search(question):
        return False
    roughly = rf"(?:\b{_ABOUT}|[~≈])\s*(?:the\s+year\s+)?{year}\b|\b{year}(?:-?ish\b|\s+or\s+(?:so|thereabouts)\b)"
    return re.search(rf"{roughly}|\b{year}\s+years\b", said, re.IGNORECASE) is not None


def _means_another(gold: str, said: str) -> bool:
    found = _MEANT.search(said)
    other = (found["other"] or found["keyed"]) if found is not None else None
    return other is not None and _PRONOUN.match(other) is None and gold.casefold() not in other.casefold()
