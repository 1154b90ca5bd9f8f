"""Which way a thing goes: an equilibrium, by what stands on its sides, or what flows from one place to another."""

import re
from functools import lru_cache
from typing import Final

from grading.equivalence.finding import Finding, different, equal
from grading.language.formulae import plainly
from grading.language.responses.namewords import words
from grading.matching.stem import stem

_LEFT: Final = r"left(?:-hand\s+side)?|reactants?|starting\s+materials?|reverse|backwards?"
_RIGHT: Final = r"right(?:-hand\s+side)?|products?|forwards?"
_WAY: Final = re.compile(rf"\b(?:(?P<left>{_LEFT})|(?P<right>{_RIGHT}))\b", re.IGNORECASE)
_MOVES: Final = r"(?:shift(?:s|ed)?|mov(?:es|ed)|displaced|pushed|driven|goes|lies|favou?rs?|favou?red|proceeds)"
_STATED: Final = re.compile(
    rf"\W*(?:(?:so|thus|hence|therefore)\W+)?(?:(?:it|(?:the\s+)?(?:chemical\s+)?(?:equilibrium(?:\s+position)?|reaction|position(?:\s+of\s+(?:the\s+)?equilibrium)?))\s+)?(?:is\s+|will\s+)?(?:\b{_MOVES}\s+)?"
    r"(?P<way>(?:further\s+|more\s+)?(?:to|towards?|in|the|left|right|backwards?|forwards?)\b[^;:?!]{0,120}?)(?:,?\s+(?:so|because|since|as|which|where|thus|and\s+so|to\s+\w+\s+the)\s[^;:?]{3,160})?[\s.!*]*",
    re.IGNORECASE,
)
_SUBSTANCE: Final = re.compile(
    r"(?<![A-Za-z])(?:[A-Z][a-z]?\d{0,2}|\([A-Z][A-Za-z0-9]{0,6}\)\d{0,2}){1,8}(?:\^?\d?[+-])?(?![A-Za-z0-9])"
)
_ARROW: Final = re.compile(r"⇌|⇄|↔|→|<=+>|<?-+>|\\rightleftharpoons|\\(?:right|leftright)arrow|\\to\b")
_UNSAID: Final = re.compile(
    r"\b(?:not|no|never|neither|nor|or|but|if|unless|maybe|perhaps|possibly|might|may|could|would|away|from|first|then|only)\b|n['’]t\b|\?",
    re.IGNORECASE,
)
_ABOUT: Final = re.compile(r"equilibri|shift|le\s+chatelier|⇌|⇄|direction", re.IGNORECASE)
_COURSE: Final = re.compile(
    r"\W*(?P<lead>[^,;:.?!]{2,60}?\s)?from\s+(?P<begin>[^,;:.?!]{2,60}?)\s+(?:in)?to(?:wards?)?\s+(?P<end>[^,;:.?!]{2,60})[\s.!]*",
    re.IGNORECASE,
)
_COURSE_ASKED: Final = re.compile(
    r"\bdirection\b|\bwhich\s+way\b|\bfrom\s+where\b|\bflows?\b|\bmoves?\b", re.IGNORECASE
)
_ANY_PLACE: Final = words(
    "the a an one body bodies object region regions area areas side end place places part parts of its that in with"
)
_DEGREES: Final = {
    "hotter": "hot", "warmer": "hot", "warm": "hot", "hottest": "hot", "colder": "cold", "cooler": "cold",
    "cool": "cold", "coldest": "cold", "higher": "high", "highest": "high", "greater": "high",
    "lower": "low", "lowest": "low", "smaller": "low", "denser": "dense",
}  # fmt: skip
_LONGEST: Final = 240


def same_course(gold: str, text: str, question: str) -> Finding | None:
    """The finding where both texts say from where to where something goes; None of other texts."""
    if max(len(gold), len(text)) > _LONGEST or not _COURSE_ASKED.search(question):
        return None
    both = [_COURSE.fullmatch(" ".join(each.replace("*", "").split())) for each in (gold, text)]
    if None in both or any(_UNSAID.search(each["lead"] or "") for each in both if each is not None):
        return None
    (one, other), (begin, end) = ((_place(each["begin"]), _place(each["end"])) for each in both if each is not None)
    if _is_one(one, begin) and _is_one(other, end):
        return equal("the same course")
    return different("the other course") if _is_one(one, end) and _is_one(other, begin) else None


def _place(text: str) -> frozenset[str]:
    """The words of a place, comparatives as what they compare."""
    plain = (_DEGREES.get(word, word) for word in re.findall(r"[^\W\d_]+", text.lower()))
    return frozenset(stem(word) for word in plain if word not in _ANY_PLACE)


def _is_one(first: frozenset[str], second: frozenset[str]) -> bool:
    return bool(first and second) and (first <= second or second <= first)


def same_shift(gold: str, text: str, question: str) -> Finding | None:
    """The finding where both texts say which way an equilibrium goes; None of other texts."""
    if max(len(gold), len(text)) > _LONGEST or not (_ABOUT.search(question) or _ABOUT.search(gold)):
        return None
    expected = _way(gold, question)
    found = _way(text, question) if expected is not None else None
    if found is None:
        return None
    return equal("the same way") if expected == found else different("the other way")


@lru_cache(maxsize=256)
def _way(text: str, question: str) -> str | None:
    """`left` or `right` where a text says that an equilibrium goes there, by all that it names; else None."""
    stated = _STATED.fullmatch(" ".join(text.replace("*", "").replace("$", "").split()))
    if stated is None or _UNSAID.search(stated["way"]):
        return None
    rest = stated[0][stated.end("way") :]
    ways = {"left" if found["left"] else "right" for found in _WAY.finditer(stated["way"])}
    sides = _sides(question)
    for substance in _SUBSTANCE.findall(_spaced(stated["way"][:1].lower() + stated["way"][1:]) if sides else ""):
        on = {way for way, named in zip(("left", "right"), sides, strict=True) if substance in named}
        ways |= on or {"neither"}
    if _WAY.search(rest) and {"left" if found["left"] else "right" for found in _WAY.finditer(rest)} - ways:
        return None
    return ways.pop() if len(ways) == 1 and "neither" not in ways else None


@lru_cache(maxsize=64)
def _sides(question: str) -> tuple[frozenset[str], ...]:
    """The substances on both sides of the one reaction in a question; empty where there is none."""
    parts = _ARROW.split(question)
    if len(parts) != 2:
        return ()
    return tuple(frozenset(_SUBSTANCE.findall(_spaced(part))) for part in parts)


def _spaced(text: str) -> str:
    """A side in plain signs, each substance apart from its coefficient and its neighbours."""
    return " ".join(plainly(word) for word in re.sub(r"(?<![A-Za-z0-9)])\d+(?=[A-Z])", "", text).split())
