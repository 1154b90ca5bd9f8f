"""English number words: cardinals, ordinals, fractions, mixed numbers, and words that scale a number."""

import re
from fractions import Fraction
from functools import lru_cache
from typing import Final

_SMALL: Final = {
    word: value
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
        ]
    )
}
_TENS: Final = {
    word: 10 * value
    for value, word in enumerate(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], start=2
    )
}
SCALES: Final = {
    "hundred": 100,
    "thousand": 1000,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
    "quadrillion": 10**15,
    "dozen": 12,
}
"""Words that multiply the number before them."""
_ORDINALS: Final = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "eighth": 8,
    "ninth": 9,
    "tenth": 10,
    "eleventh": 11,
    "twelfth": 12,
    "thirteenth": 13,
    "fourteenth": 14,
    "fifteenth": 15,
    "sixteenth": 16,
    "seventeenth": 17,
    "eighteenth": 18,
    "nineteenth": 19,
    "twentieth": 20,
    "thirtieth": 30,
    "fortieth": 40,
    "fiftieth": 50,
    "hundredth": 100,
    "thousandth": 1000,
}
_PARTS: Final = {
    "half": 2,
    "halve": 2,
    "quarter": 4,
    **{word: value for word, value in _ORDINALS.items() if value > 2},
    **{f"{word[:-1]}ieth": value for word, value in _TENS.items()},
}
_SIGNS: Final = frozenset({"minus", "negative"})
_ALSO: Final = {"nought": "zero", "naught": "zero"}
"""Words that are said for others of the grammar."""
OPERATIONS: Final = frozenset(
    [
        "squared",
        "cubed",
        "times",
        "plus",
        "minus",
        "over",
        "divided",
        "multiplied",
        "factorial",
        "th",
        "power",
        "root",
        "less",
        "more",
        "fewer",
        "percent",
        "to",
        "by",
        "raised",
        "mod",
        "modulo",
        "choose",
        "point",
        "twice",
        "thrice",
        "half",
        "halves",
        *SCALES,
    ]
)
"""Words that change the number beside them, so that they cannot name what is counted."""

_BEGINS: Final = re.compile(
    rf"[-–−\s]*(?:{'|'.join([*_SIGNS, *_SMALL, *_TENS, *SCALES, *_ORDINALS, *_PARTS, *_ALSO, 'a', 'point'])})",
    re.IGNORECASE,
)
"""How every number in words begins."""
_SIGNED: Final = re.compile(r"^\s*[-–−](?=\w)")
_HYPHEN: Final = re.compile("[-–]")
_COMPOUND: Final = re.compile(
    r"[a-z]+-(?!\w*(?:one|two|three|four|five|six|seven|eight|nine|half|third|th)s?\b)[a-z]", re.IGNORECASE
)
"""A word with a hyphen that is no number: `two-sided`."""


def cardinal(words: list[str]) -> int | None:
    """`one hundred and five` as a whole number; None for anything else."""
    total = group = 0
    last = ""
    for word in words:
        if word == "and" and last in SCALES:
            continue
        if word in ("a", "an") and not last:
            group, last = 1, "one"
        elif word in _SMALL and last not in _SMALL and (last not in _TENS or 0 < _SMALL[word] < 10):
            group, last = group + _SMALL[word], word
        elif word in _TENS and last not in _SMALL and last not in _TENS:
            group, last = group + _TENS[word], word
        elif word in ("hundred", "dozen") and ((last in _SMALL and group < 100) or not last):
            group, last = (group or 1) * SCALES[word], word
        elif SCALES.get(word, 0) >= 1000 and (group or not last):
            total, group, last = total + (group or 1) * SCALES[word], 0, word
        else:
            return None
    return total + group if last and words[-1] != "and" else None


def number_of(text: str) -> Fraction | None:
    """The number that a text of words only is: `twenty-one`, `two thirds`, `one and a half`, `third`, `minus four`."""
    if _BEGINS.match(text) is None:
        return None
    words = [_ALSO.get(word, word) for word in _HYPHEN.sub(" ", _SIGNED.sub("minus ", text.lower())).split()]
    sign = 1
    if words and words[0] in _SIGNS:
        sign, words = -1, words[1:]
    if not words or words in (["a"], ["an"]) or len(words) > 12 or not all(word.isalpha() for word in words):
        return None
    value = _value(words)
    return sign * value if value is not None else None


def _value(words: list[str]) -> Fraction | None:
    whole = cardinal(words)
    if whole is not None:
        return Fraction(whole)
    if words[-1] == "score":
        scores = cardinal(words[:-1]) if len(words) > 1 else None
        return Fraction(20 * scores) if scores is not None else None
    return _point(words) or _scaled(words) or _mixed(words) or _ordinal(words)


def _scaled(words: list[str]) -> Fraction | None:
    """`one and a quarter million`, `one point five billion`; `a million and a half`, half of a million more."""
    if words[-1] in SCALES and len(words) > 2:
        if words[-3:-1] == ["of", "a"]:
            part = _fraction(words[:-3]) if words[:-3] else None
            return part * SCALES[words[-1]] if part is not None else None
        before = _point(words[:-1]) or (_mixed(words[:-1]) if "and" in words else None)
        return before * SCALES[words[-1]] if before is not None else None
    if "and" not in words:
        return None
    place = len(words) - 1 - words[::-1].index("and")
    scale = SCALES.get(words[place - 1], 1) if place else 1
    if scale < 1000 and words[place - 1] != "dozen":
        return None
    whole, rest = cardinal(words[:place]), _fraction(words[place + 1 :]) if words[place + 1 :] else None
    return whole + scale * rest if whole is not None and rest is not None and rest < 1 else None


def _part(word: str) -> int | None:
    return _PARTS.get(word) or _PARTS.get(word.removesuffix("s"))


def _fraction(words: list[str]) -> Fraction | None:
    """`two thirds`, `a half`, `half`."""
    size = _part(words[-1])
    if size is None:
        return None
    if len(words) > 2 and words[-2] in _TENS and size < 10 and _ORDINALS.get(words[-1].removesuffix("s")):
        size, words = size + _TENS[words[-2]], [*words[:-2], words[-1]]
    if len(words) == 1:
        return Fraction(1, size) if words[0] in ("half", "quarter") else None
    count = cardinal(words[:-1])
    plural = words[-1].endswith("s") or words[-1] == "halves"
    return Fraction(count, size) if count is not None and (plural or count == 1) else None


def _mixed(words: list[str]) -> Fraction | None:
    """`one and a half`, or a fraction alone."""
    if "and" in words:
        place = len(words) - 1 - words[::-1].index("and")
        whole, rest = cardinal(words[:place]), _fraction(words[place + 1 :]) if words[place + 1 :] else None
        if whole is not None and rest is not None and rest < 1:
            return whole + rest
    if words[:2] == ["half", "a"] and len(words) == 3 and words[2] in SCALES:
        return Fraction(SCALES[words[2]], 2)
    return _fraction(words)


def _point(words: list[str]) -> Fraction | None:
    """`three point one four`."""
    if words.count("point") != 1:
        return None
    place = words.index("point")
    whole, digits = cardinal(words[:place] or ["zero"]), [_SMALL.get(word, 10) for word in words[place + 1 :]]
    if whole is None or not digits or max(digits) > 9:
        return None
    return whole + Fraction(int("".join(map(str, digits))), 10 ** len(digits))


def _ordinal(words: list[str]) -> Fraction | None:
    """`third`, `twenty first`."""
    last = _ORDINALS.get(words[-1])
    if last is None or (len(words) > 1 and last >= 10):
        return None
    before = cardinal(words[:-1]) if len(words) > 1 else 0
    return Fraction(before + last) if before is not None and (before % 10 == 0) else None


def scaled(words: list[str]) -> tuple[int, list[str]]:
    """The factor of leading words such as `million`, and the words after them."""
    factor = 1
    while words and words[0].lower() in SCALES:
        factor, words = factor * SCALES[words[0].lower()], words[1:]
    return factor, words


@lru_cache(maxsize=256)
def leading(text: str) -> str | None:
    """A text that begins with number words and goes on, its number in digits: `seven apples` is `7 apples`."""
    if _BEGINS.match(text) is None or _COMPOUND.match(text.strip()):
        return None
    words = text.replace("-", " ").split()
    for count in range(min(len(words) - 1, 8), 0, -1):
        value = number_of(" ".join(words[:count]))
        mixed = "and" in words[:count] and value is not None and value > 1
        if value is not None and count > 1 and value.denominator > 1 and not mixed and value < 1:
            return None
        if value is not None and (value.denominator == 1 or mixed) and words[0].lower() != "a":
            return f"{value} {' '.join(words[count:])}" if words[0].lower() not in _ORDINALS else None
    return None


WHOLE: Final = (*_SMALL, "nought", "naught", *_TENS, *SCALES)
"""Words of which whole numbers are made."""
PARTS: Final = tuple(_PARTS)
"""Words for a part of a whole, in the singular."""
_RUN: Final = re.compile(
    rf"\b(?:{'|'.join([*list(_SMALL)[2:], *_TENS])}|one(?=\s+(?:{'|'.join(SCALES)})\b))\b"
    rf"(?:[\s-]+(?:{'|'.join([*_SMALL, *_TENS, *SCALES, 'and'])})\b)*"
    r"(?!\s+(?:halves|thirds|quarters|\w+ths)\b)",
    re.IGNORECASE,
)


@lru_cache(maxsize=256)
def in_digits(text: str) -> str:
    """A text with the cardinals from two on in digits: `exactly seventeen of them` is `exactly 17 of them`."""

    def digits(match: re.Match[str]) -> str:
        value = number_of(match[0])
        return str(value) if value is not None else match[0]

    return _RUN.sub(digits, text)
