"""Labels of choices that are no letters, numbers or Roman numerals: a response in which letters stand for them."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from grading.language.responses.labelled import NEAR, OPTION, belongs_to_a_noun
from grading.language.romans import roman_value

_SPARE: Final = "PQRSTUVWXYZKLMNOJHGFEDCB"
"""Letters that may stand for a label, those first that seldom stand alone."""
_THINGS: Final = rf"(?:{OPTION}|item|number|no\.)s?"
_COUNTED: Final = re.compile(
    r"\b(?:eqs?\.|steps?|part|line|table|section|figure|case|equation|reaction)\s*$", re.IGNORECASE
)
"""What else is called by a number in brackets."""

_NUMBERED: Final = re.compile(r"^\s*(?:\d+|[ivxIVX]+)[.)]\s", re.MULTILINE)
"""A line of a numbered list: of several, the numbers count steps as well as choices."""


@lru_cache(maxsize=256)
def are_labels(choices: tuple[str, ...]) -> bool:
    """Whether choices are the first numbers, or the first Roman numerals, in their order."""
    counted = tuple(str(place) for place in range(1, len(choices) + 1))
    numbers = [roman_value(each.upper()) for each in choices]
    roman = numbers == list(range(1, len(choices) + 1)) and "".join(choices) in (
        "".join(choices).lower(),
        "".join(choices).upper(),
    )
    return len(choices) > 1 and (choices == counted or roman)


def relabelled(text: str, labels: Sequence[str], *, alone: bool) -> tuple[str, tuple[str, ...]]:
    """A response with letters for its labels, and these letters in the order of the labels.

    A number that stands `alone`, or behind `the answer is`, may be a label or the value of a choice.
    """
    free = [letter for letter in _SPARE if not re.search(rf"(?<![A-Za-z]){letter}(?![A-Za-z])", text)]
    if len(free) < len(labels):
        return text, ()
    letter_of = dict(zip(labels, free, strict=False))
    alone = alone and len(_NUMBERED.findall(text)) <= 1

    def put(found: re.Match[str]) -> str:
        start = found.start("label")
        before = text[max(0, start - NEAR) : start]
        if _COUNTED.search(before.rstrip("([")) or (not found["lead"].strip() and belongs_to_a_noun(before)):
            return found[0]
        return f"{found['lead']}{letter_of[found['label']]}"

    for pattern in _patterns(tuple(labels), alone):
        text = pattern.sub(put, text)
    return text, tuple(letter_of.values())


@lru_cache(maxsize=64)
def _patterns(labels: tuple[str, ...], alone: bool) -> tuple[re.Pattern[str], ...]:
    several = "|".join(sorted(labels, key=len, reverse=True))
    one = rf"(?P<label>{several})(?![\w%°]|[.,/-]\d|\s*[=^*/+]|\s?[-–]\s?\d)"
    joined = r"[)\]]?\s*(?:,|/|&|,?\s*\b(?:and|or|to|nor)\b)\s*[(\[]?"
    led = rf"(?<!\w)(?i:{_THINGS})\s+(?i:(?:number|no\.)\s*)?[(\[]?"
    forms = [rf"(?P<lead>{led}(?:\w{{1,4}}{joined}){{1,5}})"] * 4
    forms += [
        rf"(?P<lead>{led})",
        r"(?P<lead>(?<![\w)])[(\[])(?=\w{1,4}[)\]])",
    ]
    if alone:
        said = r"(?:\s+(?:is|must\s+be|would\s+be)\s*:?|\s*:)[\s*]*"
        forms.append(rf"(?P<lead>\b(?i:(?:answer|choice|option){said}))(?![^\n.;]{{0,40}}\b[a-z]{{3,}}s\b\s*\.)")
        forms.append(r"(?P<lead>(?:^|\n)[\s*]*)(?=\w+(?:[).:](?:\s|$)|\W*(?:\n|$)|\s+[–—-]\s))")
    if labels[0] != "1":
        long = "|".join(each for each in labels if len(each) > 1)
        forms.append(rf"(?P<lead>(?<![\w'’.-])(?:{long}){joined})")
        forms.append(rf"(?P<lead>)(?<![\w'’.-])(?=\w{joined}(?:{long})\b)")
        forms.append(r"(?P<lead>)(?<![\w'’.-])(?=\w\w)")
    return tuple(re.compile(form + one) for form in forms)
