"""A value as the answer that a response commits to, with its formulas put back."""

import re
from dataclasses import dataclass

from grading.language.places import with_places
from grading.language.responses.equalities import says_untruly
from grading.language.responses.methods import END_OF_CHAIN, exact_side, worked_value
from grading.language.responses.segments import MARK, Response
from grading.language.responses.values import Refused, Value
from grading.language.unitnames import is_unit

_COUNTED_FORMULA = re.compile(rf"^({MARK})\s+((?!if\b|for\b|or\b|in\b|mod\b|per\b)[a-z][a-z -]{{2,80}})$")
"""`$2^{10}=1024$ subsets`: a chain worked out, and what is counted."""
_MEASURED_FORMULA = re.compile(
    rf"^(?P<mark>{MARK})\s+(?P<unit>[A-Za-zµΩ][\w/²³·^-]{{0,12}})\s+of\s+[a-z][a-z -]{{2,60}}$"
)
"""`$1.4\\times10^3$ J of work`"""
_OR_EQUATION = re.compile(
    rf"({MARK})\s*,?\s*or\s+(?:(?:equivalently|simply|rather|also|in\s+\w+[- ]\w+\s+form)\s*,?\s+)?({MARK})[\s.]*"
)
"""`$y - 9 = 6(x - 3)$, or $y = 6x - 9$`"""
_STEP_AND_LAST = re.compile(rf"({MARK})\s*,?\s*(?:and|so|hence|thus)?,?\s*({MARK})[\s.]*")
_SOLVED = re.compile(r"\s*\\?[A-Za-z]+(?:_\w|_\{\w+\})?(?:\([^()]{1,12}\))?\s*=")
_EQUALS_NUMBER = re.compile(rf"({MARK})\s*=\s*([-−]?\d[\d.,]*(?<![.,]))")
_COUNTED_LETTERS = re.compile(r"(?P<count>\d{1,6})\s+(?P<noun>[A-Z]{3,6}s?)")
"""What is counted by its initials: `2 ATP`."""
_SHARE_TOO = re.compile(
    r"\$?(?P<number>[-−]?\d*[.,]\d+)\$?\s*[(,]\s*(?:or\s+|i\.\s?e\.,?\s+)?(?:about\s+|≈\s*|\\approx\s*)?\$?(?P<share>[-−]?\d+(?:[.,]\d+)?)\s?\\?%\$?\s*\)?[\s.。*]*"
)
"""A probability, and the same in per cent: `0,0228 (2,28 %)`."""
_IN_UNITS = re.compile(rf"^({MARK})\s+(?:(?:square|cubic|sq\.|cu\.|area|volume|length)\s+)?units?$")
"""A formula in units that have no name."""


@dataclass(frozen=True, slots=True)
class Committed:
    """`text` is the value with its formulas put back, None where `problem` says why there is none.

    `condition` stands behind the value ("for x > 0"); `comma` is whether the language writes a decimal comma.
    """

    text: str | None
    rule: str
    condition: str = ""
    comma: bool = False
    problem: str | None = None

    @property
    def named(self) -> bool:
        """Whether something that commits was found, be it readable or not."""
        return self.rule != "none"


def is_exact(found: Committed | None) -> bool:
    """Whether a number is stated, with its unit at most: what is said to be about as much is said of it."""
    written = (found.text or "").rpartition("=")[2] if found is not None else ""
    said = re.sub(r"\\(?:d?frac|sqrt|pi|cdot|times|text|mathrm|,|\s)", "", written)
    return re.fullmatch(r"[^A-Za-z]*\d[^A-Za-z]*(?:[A-Za-z°%][\w/·^°%{} ]{0,15})?", said.strip()) is not None


def in_per_cent_too(text: str) -> str | None:
    """The number of a text that says it again in per cent; None of other texts."""
    found = _SHARE_TOO.fullmatch(text)
    if found is None:
        return None
    one, other = (float(found[name].replace(",", ".").replace("−", "-")) for name in ("number", "share"))
    return found["number"] if abs(100 * one - other) <= abs(other) / 100 else None


def made(response: Response, value: Value | Refused, rule: str, comma: bool = False) -> Committed:
    if isinstance(value, Refused):
        return Committed(None, rule, problem=value.reason)
    if (plain := _IN_UNITS.match(value.text)) is not None:
        value = Value(plain[1], value.condition)
    value = _without_step(response, value)
    counted = _COUNTED_FORMULA.match(value.text)
    measured = re.match(r"\S+", counted[2].split(" of ")[0]) if counted is not None else None
    if counted is not None and measured is not None and not is_unit(counted[2]) and is_unit(measured[0]):
        # What a formula measures is not dropped with the substance (`$9.6$ g of acid`).
        return Committed(
            f"{response.written(counted[1])} {measured[0]}", rule, response.written(value.condition), comma
        )
    either = _OR_EQUATION.fullmatch(value.text)
    if either is not None and not value.condition:
        first, second = response.formula(either[1]), response.formula(either[2])
        if _same_letters(first, second):
            return Committed(f"{first.strip()} \\iff {second.strip()}", rule)
    equals = _EQUALS_NUMBER.fullmatch(value.text)
    if equals is not None and "=" not in response.formula(equals[1]):
        return Committed(
            f"{response.formula(equals[1]).strip()} = {equals[2]}", rule, response.written(value.condition), comma
        )
    substance = _MEASURED_FORMULA.match(value.text)
    if substance is not None and is_unit(substance["unit"]):
        return Committed(
            response.written(f"{substance['mark']} {substance['unit']}"), rule, response.written(value.condition), comma
        )
    if counted is not None and not is_unit(counted[2]):
        value = Value(counted[1], value.condition)
    elif counted is not None and (end := END_OF_CHAIN.search(response.formula(counted[1]))) is not None:
        if says_untruly(response.formula(counted[1])):
            return Committed(None, rule, problem="an equation beside the value is false")
        exact = exact_side(response.formula(counted[1]))
        return Committed(f"${exact or end[1].strip()}$ {counted[2]}", rule, response.written(value.condition), comma)
    written = with_places(response.written(value.text))
    written = in_per_cent_too(written) or written
    things = _COUNTED_LETTERS.fullmatch(written)
    if things is not None and not is_unit(things["noun"]):
        written = things["count"]
    return Committed(worked_value(written) or written, rule, response.written(value.condition), comma)


def _without_step(response: Response, value: Value) -> Value:
    """A displayed equation that is solved, without the step beside it: `$-1/y = x - 1$, and $$y = 1/(1-x)$$`."""
    found = _STEP_AND_LAST.fullmatch(value.text)
    if found is None or not response.is_display(found[2]) or response.is_display(found[1]):
        return value
    step, last = response.formula(found[1]), response.formula(found[2])
    left = step.split("=")[0].strip()
    solved = _SOLVED.match(last) is not None and "=" in step and re.search(r"[-+−^]|\\(?:frac|int|ln|log)", left)
    return Value(found[2], value.condition) if solved else value


def _same_letters(first: str, second: str) -> bool:
    """Whether two formulas are equations in the same letters, more than one: one of them is the other again."""
    letters = [set(re.findall(r"[A-Za-z]", re.sub(r"\\[A-Za-z]+", "", each))) for each in (first, second)]
    return letters[0] == letters[1] and len(letters[0]) > 1 and "=" in first and "=" in second
