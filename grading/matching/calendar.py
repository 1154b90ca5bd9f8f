"""Dates and months as people write them."""

import re
from dataclasses import dataclass
from datetime import date

from grading.matching.tokens import fold

_NAMES = "january february march april may june july august september october november december".split()  # noqa: SIM905
MONTHS = {name: place for place, name in enumerate(_NAMES, 1)} | {name[:3]: n for n, name in enumerate(_NAMES, 1)}
MONTHS |= {"sept": 9}
_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_DAY = r"(\d{1,2})(?:st|nd|rd|th)?"
_WEEKDAY = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s+)?"
_FORMS = (
    (re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})", re.ASCII), "ymd"),
    (re.compile(rf"{_WEEKDAY}({_MONTH})\.?\s+{_DAY}(?:\s*,?\s+(\d{{4}}))?", re.ASCII), "Mdy"),
    (re.compile(rf"{_WEEKDAY}(?:the\s+)?{_DAY}(?:\s+of)?\s+({_MONTH})\.?(?:\s*,?\s+(\d{{4}}))?", re.ASCII), "dMy"),
    (re.compile(r"(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})", re.ASCII), "mdy"),
    (re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})", re.ASCII), "dmy"),
)
_TIME = re.compile(r"[\s,t]+(?:at\s+)?\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?\s*(?:[ap]\.?m\.?|z)?", re.ASCII)
_BEFORE_CHRIST = re.compile(r",?\s+b\.?\s?c\.?(?:\s?e\b)?(?!\w)")


@dataclass(frozen=True)
class Day:
    """A day of the year, `year` None where it is not said."""

    month: int
    day: int
    year: int | None


def _build(match: re.Match[str], form: str) -> Day | None:
    parts = dict(zip(form.lower(), match.groups()[:3], strict=True))
    month = MONTHS[parts["m"]] if parts["m"] in MONTHS else int(parts["m"])
    day = int(parts["d"])
    if form == "mdy" and month > 12:
        month, day = day, month
    year = int(parts["y"]) if parts["y"] else None
    year = year + 2000 if year is not None and year < 100 else year
    try:
        date(year or 2000, month, day)
    except ValueError:
        return None
    return Day(month, day, year)


def day(text: str) -> Day | None:
    """A date: ISO, with a month's name, m/d/y (American unless impossible), d.m.y; a time after it is dropped."""
    folded = fold(text).strip(" .")
    for pattern, form in _FORMS:
        match = pattern.match(folded)
        if match and (match.end() == len(folded) or _TIME.fullmatch(folded[match.end() :])):
            return _build(match, form)
    return None


def find_days(text: str) -> list[Day]:
    """Dates in running text."""
    folded, found = fold(text), list[tuple[int, Day]]()
    for pattern, form in _FORMS:
        for match in re.finditer(rf"(?<![\w/.-]){pattern.pattern}(?![\w/-])", folded, re.ASCII):
            built = _build(match, form)
            if _BEFORE_CHRIST.match(folded, match.end()):
                continue
            if built is not None and all(abs(match.start() - place) > 3 for place, _ in found):
                found.append((match.start(), built))
    return [built for _, built in sorted(found, key=lambda entry: entry[0])]


def same_day(given: Day, expected: Day) -> bool | None:
    """Same day; None (undecided) where the given date does not say the expected year."""
    if (given.month, given.day) != (expected.month, expected.day):
        return False
    if expected.year is None:
        return True
    return None if given.year is None else given.year == expected.year


def month(text: str) -> int | None:
    """A month, 1 to 12, by its name, its abbreviation or its number."""
    folded = fold(text).strip(" .")
    if folded in MONTHS:
        return MONTHS[folded]
    return int(folded) if re.fullmatch(r"0?[1-9]|1[0-2]", folded, re.ASCII) else None
