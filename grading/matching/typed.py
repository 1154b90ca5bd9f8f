"""Typed comparison of one value with its reference: what WebArena-Verified normalises, without guessing."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Literal

from pydantic import JsonValue

from grading.matching import calendar, places, quantities
from grading.matching.tokens import fold, tokens, unaccented

Format = Literal[
    "string",
    "number",
    "currency",
    "duration",
    "date",
    "distance",
    "coordinates",
    "url",
    "month",
    "boolean",
    "address",
    "location-name",
    "null",
    "auto",
]

MAX_VALUE = 4000
NOTHING = frozenset({"", "n/a", "na", "none", "null", "nil", "not available", "not applicable", "-"})
_TRUE, _FALSE = frozenset({"true", "yes", "y"}), frozenset({"false", "no", "n"})
_GENERIC = frozenset({"the", "hotel", "restaurant", "cafe", "inc", "llc"})


def is_nothing(value: JsonValue) -> bool:
    """Whether a value says that there is none."""
    return value is None or (isinstance(value, str) and fold(value).strip(" .") in NOTHING)


def boolean(value: JsonValue) -> bool | None:
    """A truth value: JSON's, or yes/no/true/false."""
    if isinstance(value, bool):
        return value
    folded = fold(value).strip(" .!") if isinstance(value, str) else ""
    return True if folded in _TRUE else False if folded in _FALSE else None


def _same_string(given: str, expected: str) -> bool:
    left, right = _words(given), _words(expected)
    if right and any(part.isalnum() for part in right):
        return left == right and _signs(given) == _signs(expected)
    return fold(given) == fold(expected)


def _words(text: str) -> list[str]:
    """Whole tokens, blind to hyphens and to the accents of Latin letters."""
    return tokens(unaccented(text).replace("-", " "))


def _signs(text: str) -> bool:
    value = quantities.number(text)
    return value is not None and value < 0


def _same_money(given: str, expected: str, tolerance: Decimal) -> bool | None:
    left, right = quantities.money(given), quantities.money(expected)
    if left is None or right is None:
        return None if right is None else False
    conflict = left.currency is not None and right.currency is not None and left.currency != right.currency
    return not conflict and abs(left.amount - right.amount) <= tolerance


def _same_name(given: str, expected: str) -> bool:
    left, right = ([word for word in _words(side) if word not in _GENERIC] for side in (given, expected))
    return left == right if right else _same_string(given, expected)


def _same_coordinates(given: str, expected: str, tolerance: Decimal) -> bool | None:
    left, right = quantities.coordinates(given), quantities.coordinates(expected)
    if right is None:
        return None
    return left is not None and all(abs(a - b) <= tolerance for a, b in zip(left, right, strict=True))


def _same_by(parse: Callable[[str], Decimal | None], given: str, expected: str, tolerance: Decimal) -> bool | None:
    left, right = parse(given), parse(expected)
    return None if right is None else left is not None and abs(left - right) <= tolerance


def _same_date(given: str, expected: str) -> bool | None:
    left, right = calendar.day(given), calendar.day(expected)
    if right is None:
        return None
    return False if left is None else calendar.same_day(left, right) is True


def _same_distance(given: str, expected: str) -> bool | None:
    left, right = quantities.distance(given), quantities.distance(expected)
    return None if right is None else left is not None and quantities.same_distance(left, right)


def _same_url(given: str, expected: str) -> bool:
    """Addresses of other schemes (ssh clones, mail) are compared as text."""
    same = places.same_url(given, expected)
    return given.strip() == expected.strip() if same is None else same


def detect(expected: str) -> Format:
    """The format of a reference text; "string" where none of the typed ones fits it."""
    if quantities.distance(expected) is not None:
        return "distance"
    if quantities.duration(expected) is not None and ":" not in expected:
        return "duration"
    amount = quantities.money(expected)
    if amount is not None:
        return "currency" if amount.currency else "number"
    if calendar.day(expected) is not None:
        return "date"
    return "url" if "://" in expected and places.url(expected) is not None else "string"


def same(given: JsonValue, expected: JsonValue, form: Format = "auto", tolerance: float | None = None) -> bool | None:
    """Whether `given` is the value `expected`; None where `expected` itself does not have the stated format.

    `tolerance` (absolute) applies to numbers, money (default 0.005), durations (seconds) and coordinates (default
    0.001 degrees). Raises nothing.
    """
    if form == "null" or expected is None:
        return is_nothing(given)
    if form == "boolean" or isinstance(expected, bool):
        right = boolean(expected)
        return None if right is None else boolean(given) is right
    if isinstance(expected, Mapping):
        return _same_object(given, expected, form, tolerance)
    if isinstance(given, bool) or not isinstance(given, str | int | float) or isinstance(expected, list):
        return False
    left, right_text = str(given), str(expected)
    if form == "auto":
        form = detect(right_text)
    if len(left) > MAX_VALUE and form != "string":
        return False
    return _same_text(left, right_text, form, tolerance)


def _same_text(given: str, expected: str, form: Format, tolerance: float | None) -> bool | None:
    allowed = Decimal(str(tolerance)) if tolerance is not None else None
    exact = allowed if allowed is not None else Decimal(0)
    if form == "currency":
        return _same_money(given, expected, allowed if allowed is not None else Decimal("0.005"))
    if form == "coordinates":
        return _same_coordinates(given, expected, allowed if allowed is not None else Decimal("0.001"))
    if form == "number":
        return _same_by(quantities.number, given, expected, exact)
    if form == "duration":
        return _same_by(quantities.duration, given, expected, exact)
    if form == "month":
        right = calendar.month(expected)
        return None if right is None else calendar.month(given) == right
    by_text: dict[Format, Callable[[str, str], bool | None]] = {
        "date": _same_date,
        "distance": _same_distance,
        "url": _same_url,
        "location-name": _same_name,
    }
    return by_text.get(form, _same_string)(given, expected)


def _same_object(
    given: JsonValue, expected: Mapping[str, JsonValue], form: Format, tolerance: float | None
) -> bool | None:
    if set(expected) == {"latitude", "longitude"}:
        pair = f"{expected['latitude']}, {expected['longitude']}"
        text = f"{given.get('latitude')}, {given.get('longitude')}" if isinstance(given, dict) else str(given)
        return same(text, pair, "coordinates", tolerance)
    if form != "address":
        return None
    parts = {name: "" if value is None else str(value) for name, value in expected.items()}
    if isinstance(given, dict):
        return places.same_address({name: "" if v is None else str(v) for name, v in given.items()}, parts)
    return isinstance(given, str) and places.same_address(given, parts)


_FINDERS: dict[Format, Callable[[str], list[str]]] = {
    "duration": lambda text: [f"{value} seconds" for value in quantities.find_durations(text)],
    "distance": lambda text: [f"{value} m" for value in quantities.find_distances(text)],
    "currency": lambda text: [f"{value.amount} {value.currency}" for value in quantities.find_money(text)],
    "date": lambda text: [
        f"{value.year or 0:04d}-{value.month:02d}-{value.day:02d}" if value.year else f"{_month(value)} {value.day}"
        for value in calendar.find_days(text)
    ],
}


def _month(value: calendar.Day) -> str:
    return next(name for name, place in calendar.MONTHS.items() if place == value.month)


def occurs_in(text: str, expected: str, form: Format = "auto") -> bool | None:
    """Whether the one value of the expected format in running text is the expected one.

    None where the text holds none, or several that differ, or the format cannot be recognised in text.
    """
    kind = detect(expected) if form == "auto" else form
    finder = _FINDERS.get(kind)
    if finder is None or len(text) > MAX_VALUE:
        return None
    verdicts = {_same_text(value, expected, kind, None) for value in finder(text)}
    return verdicts.pop() if len(verdicts) == 1 else None
