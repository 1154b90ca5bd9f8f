"""Answers in words: what a phrase means, and how two texts are compared."""

import re
from fractions import Fraction

from grading.language.tree import Builder, Constant, NamedSet, Node, Number, Product, Relation, Sum, Symbol, Text

_K = Symbol("k")
_INTEGER = Relation((_K, NamedSet("Z")), ("in",))
_TWO_K = Product((Number(Fraction(2)), _K))
_NUMBERS = {
    word: Fraction(value)
    for value, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty",
        ]
    )
}
_FRACTIONS = {
    "one half": Fraction(1, 2), "half": Fraction(1, 2), "one third": Fraction(1, 3), "two thirds": Fraction(2, 3),
    "one quarter": Fraction(1, 4), "one fourth": Fraction(1, 4), "three quarters": Fraction(3, 4),
    "three fourths": Fraction(3, 4), "one fifth": Fraction(1, 5), "one sixth": Fraction(1, 6),
    "one eighth": Fraction(1, 8), "one hundred": Fraction(100), "thirty": Fraction(30), "forty": Fraction(40),
    "fifty": Fraction(50), "hundred": Fraction(100), "one tenth": Fraction(1, 10),
}  # fmt: skip
_HEDGES = re.compile(
    r"\b(?:maybe|perhaps|possibly|probably|either|not sure|unsure|guess|unless|if (?:that|this)"
    r"|or not|if\b.*\belse|otherwise wrong|some number|any (?:number|value|answer|of)|depends|unknown)\b"
    r"|[\w)}]\s*\?",
    re.IGNORECASE,
)
_NONE = re.compile(r"(?:there )?(?:no (?:real |integer |such )?(?:solutions?|values?|roots?)(?: exists?)?|empty set)")
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})(am|pm)?")
_ARTICLES = re.compile(r"\b(?:the|a|an|is|are|of|its?)\b")


def plain(text: str) -> str:
    """Letters, digits and signs of a text: LaTeX dress, case, punctuation and articles dropped."""
    text = re.sub(r"\\(?:text|textbf|textit|mathrm|mathbf|boxed|mbox|operatorname|emph)\b", " ", text)
    text = re.sub(r"\\[,;:! ]|\\quad|\\qquad|[{}$*`\"]|\\[()\[\]]", " ", text)
    text = re.sub(r"[.,;:!]+(?=\s|$)", " ", text).casefold()
    return " ".join(_ARTICLES.sub(" ", text).split())


def parts(text: str) -> list[str]:
    """The members of a list in words, sorted."""
    pieces = re.split(r",|\band\b|;", re.sub(r"\\(?:text|mathrm)\b|[{}$]", " ", text))
    return sorted(plain(piece) for piece in pieces if piece.strip())


def negated(first: str, second: str) -> bool:
    """Whether only one of two texts denies."""
    denials = [
        bool(re.search(r"\b(?:not|no|never|neither|nor|cannot|without)\b|n't", text)) for text in (first, second)
    ]
    return denials[0] != denials[1]


def clock(text: str) -> int | None:
    """Minutes after midnight of a time of day (`8:34 P.M.`, `20:34`), or None."""
    found = _CLOCK.fullmatch(plain(text).replace(".", "").replace(" ", ""))
    if found is None:
        return None
    hour, minute, half = int(found[1]), int(found[2]), found[3]
    if hour > 23 or minute > 59 or (half and not 1 <= hour <= 12):
        return None
    return (hour % 12 + (12 if half == "pm" else 0) if half else hour) * 60 + minute


def hedged(text: str) -> bool:
    """Whether a text does not commit to one answer."""
    return bool(_HEDGES.search(text))


def phrase(text: str) -> Node | None:
    """The tree of a phrase with a mathematical meaning, or None."""
    words = plain(text)
    if re.fullmatch(
        r"(?:there )?(?:no (?:real |integer |such )?(?:solutions?|values?|roots?)(?: exists?)?|empty set)", words
    ):
        return NamedSet("empty")
    if re.fullmatch(r"(?:set )?(?:all )?real(?:s| numbers)|all reals|any real number", words):
        return NamedSet("R")
    if re.fullmatch(r"(?:set )?(?:all )?integers", words):
        return NamedSet("Z")
    if re.fullmatch(r"(?:set )?(?:all )?even (?:integers|numbers)", words):
        return Builder(_TWO_K, (_INTEGER,))
    if re.fullmatch(r"(?:set )?(?:all )?odd (?:integers|numbers)", words):
        return Builder(Sum((_TWO_K, Number(Fraction(1)))), (_INTEGER,))
    if words in ("infinitely many", "infinity", "infinite"):
        return Constant("inf")
    if words in ("does not exist", "dne", "undefined", "not defined", "doesn't exist"):
        return Text("does not exist")
    value = _FRACTIONS.get(words.replace("-", " "), _NUMBERS.get(words))
    return Number(value) if value is not None else None
