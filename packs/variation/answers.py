"""Whether an answer is the gold of a variant: for tracing, which asks this of every answer and every variant."""

import re
from fractions import Fraction

from grading import Answer, grade, parse_reference
from grading.language.extract import extract_text
from grading.registry import kinds
from packs.variation.variants import Variant


def is_gold(answer: str, variant: Variant) -> bool:
    """By the grader where that is cheap, else as a number or as a text."""
    if kinds()[variant.reference["kind"]].inline:
        return grade(Answer(text=answer), variant.reference).score == 1.0
    gold = variant.gold if variant.gold is not None else parse_reference(variant.reference).gold_text() or ""
    answer = extract_text(answer).text or ""
    given, right = _number(answer), _number(gold)
    if given is not None and right is not None:
        return given == right
    return bool(gold) and _plain(answer) == _plain(gold)


def _number(text: str) -> Fraction | None:
    try:
        return Fraction(text.strip().strip("$").replace(",", "").replace(" ", ""))
    except (ValueError, ZeroDivisionError):
        return None


def _plain(text: str) -> str:
    return re.sub(r"[\s$.,]+", "", text).casefold()
