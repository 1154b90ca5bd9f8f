"""Numbers, money, durations, distances and coordinates as people write them. Parsers give None for anything else."""

import re
from dataclasses import dataclass
from decimal import Decimal

from grading.matching.tokens import fold

_NUMBER = r"[-+]?(?:\d{1,3}(?:,\d{3}){1,12}|\d+)(?:\.\d+)?|[-+]?\.\d+"
_PLAIN = re.compile(_NUMBER, re.ASCII)
_SMALL_TEXT = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen"""
_SMALL = _SMALL_TEXT.split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()  # noqa: SIM905
_WORDS = {word: value for value, word in enumerate(_SMALL)} | {word: 10 * n for n, word in enumerate(_TENS, 2)}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000}


def number(text: str) -> Decimal | None:
    """A plain decimal with or without thousands commas ("1,170.5"), or whole numbers in words ("twenty-one")."""
    folded = fold(text)
    if len(folded) > 80:
        return None
    if _PLAIN.fullmatch(folded):
        return Decimal(folded.replace(",", ""))
    return _in_words(folded)


def _in_words(text: str) -> Decimal | None:
    total, part = 0, 0
    words = [word for word in re.split(r"[\s-]+", text) if word != "and"]
    if not words or any(word not in _WORDS and word not in _SCALES for word in words):
        return None
    for word in words:
        if word in _WORDS:
            part += _WORDS[word]
        elif word == "hundred":
            part = max(part, 1) * 100
        else:
            total, part = total + max(part, 1) * _SCALES[word], 0
    return Decimal(total + part)


@dataclass(frozen=True)
class Money:
    """An amount and its currency (ISO 4217 code), None where it is not said."""

    amount: Decimal
    currency: str | None


_SYMBOLS = {"$": "USD", "us$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "usd": "USD", "eur": "EUR", "gbp": "GBP"}
_SYMBOLS |= {"dollars": "USD", "dollar": "USD", "euros": "EUR", "euro": "EUR", "pounds": "GBP", "jpy": "JPY"}
_MARK = "|".join(re.escape(symbol) for symbol in sorted(_SYMBOLS, key=len, reverse=True))
_MONEY = re.compile(
    rf"(?P<sign>-?)\s*(?P<before>{_MARK})\s*(?P<a>{_NUMBER})(?![\w.,]*\d)|(?<![\w.,])(?P<b>{_NUMBER})\s*(?P<after>{_MARK})(?!\w)",
    re.ASCII,
)


def _money(match: re.Match[str]) -> Money:
    amount = Decimal((match["a"] or match["b"]).replace(",", ""))
    return Money(-amount if match["sign"] else amount, _SYMBOLS[match["before"] or match["after"]])


def money(text: str) -> Money | None:
    """An amount of money, with or without its currency."""
    folded = fold(text)
    match = _MONEY.fullmatch(folded)
    if match:
        return _money(match)
    bare = number(folded)
    return None if bare is None else Money(bare, None)


def find_money(text: str) -> list[Money]:
    """Amounts with a currency in running text."""
    return [_money(match) for match in _MONEY.finditer(fold(text))]


_SECONDS = {"w": 604800, "d": 86400, "h": 3600, "m": 60, "s": 1}
_TIME_UNIT = r"(?:weeks?|days?|hours?|hrs?|h|minutes?|mins?|seconds?|secs?)"
_PART = rf"\d+(?:\.\d+)?\s*{_TIME_UNIT}(?![a-z])"
_SHORT_PART = r"\d+(?:\.\d+)?\s*[dhms](?![a-z])"
_DURATION = re.compile(rf"(?<![\w.,:])(?:{_PART})(?:(?:\s*,?\s*(?:and\s+)?)(?:{_PART}|{_SHORT_PART}))*", re.ASCII)
_SHORT_DURATION = re.compile(rf"{_SHORT_PART}(?:\s*{_SHORT_PART})*", re.ASCII)
_CLOCK = re.compile(r"(\d{1,3}):([0-5]\d)(?::([0-5]\d))?", re.ASCII)


def _seconds(text: str) -> Decimal:
    parts = re.findall(r"(\d+(?:\.\d+)?)\s*([a-z])", text, re.ASCII)
    return sum((Decimal(amount) * _SECONDS[unit] for amount, unit in parts), Decimal(0))


def duration(text: str) -> Decimal | None:
    """A duration in seconds: "1h 44min", "1 hour and 5 minutes", "1:30" (hours and minutes), "1:02:03"."""
    folded = fold(text).strip(".")
    if match := _CLOCK.fullmatch(folded):
        return Decimal(match[1]) * 3600 + Decimal(match[2]) * 60 + Decimal(match[3] or 0)
    whole = _DURATION.fullmatch(folded) or _SHORT_DURATION.fullmatch(folded)
    return _seconds(folded) if whole else None


def find_durations(text: str) -> list[Decimal]:
    """Durations with units in running text, in seconds."""
    return [_seconds(match[0]) for match in _DURATION.finditer(fold(text))]


_METRES: dict[str, Decimal | int] = {
    "km": 1000,
    "kilometer": 1000,
    "kilometre": 1000,
    "m": 1,
    "meter": 1,
    "metre": 1,
    "cm": Decimal("0.01"),
}
_METRES |= {"mi": Decimal("1609.344"), "mile": Decimal("1609.344"), "ft": Decimal("0.3048"), "foot": Decimal("0.3048")}
_METRES |= {"feet": Decimal("0.3048"), "yd": Decimal("0.9144"), "yard": Decimal("0.9144")}
_LENGTH = "|".join(sorted(_METRES, key=len, reverse=True))
_DISTANCE = re.compile(rf"(?<![\w.,])({_NUMBER})\s*({_LENGTH})s?(?!\w)", re.ASCII)


def _metres(match: re.Match[str]) -> Decimal:
    return Decimal(match[1].replace(",", "")) * _METRES[match[2]]


def distance(text: str) -> Decimal | None:
    """A distance with its unit, in metres."""
    match = _DISTANCE.fullmatch(fold(text).strip("."))
    return _metres(match) if match else None


def find_distances(text: str) -> list[Decimal]:
    """Distances with units in running text, in metres."""
    return [_metres(match) for match in _DISTANCE.finditer(fold(text))]


def same_distance(given: Decimal, expected: Decimal) -> bool:
    """Within 10 m or 2 %, whichever is more (WebArena-Verified), but never more than 10 % for short distances."""
    tolerance = min(max(Decimal(10), expected * Decimal("0.02")), expected * Decimal("0.1"))
    return abs(given - expected) <= tolerance


def coordinates(text: str) -> tuple[Decimal, Decimal] | None:
    """Latitude and longitude in degrees: "40.44, -79.93"."""
    match = re.fullmatch(rf"\(?\s*({_NUMBER})°?\s*[,; ]\s*({_NUMBER})°?\s*\)?", fold(text), re.ASCII)
    if not match:
        return None
    latitude, longitude = Decimal(match[1]), Decimal(match[2])
    return (latitude, longitude) if abs(latitude) <= 90 and abs(longitude) <= 180 else None
