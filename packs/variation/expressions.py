"""Exact rational arithmetic over the constants of a template: `2*a + b/3`, `\\frac{a}{b}`, `min(a, b)`, and conditions.

The text is read by the parser that reads answers, so it is bounded, and nothing is run.
"""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TypeVar

from grading.language import LanguageError, constants_hold, evaluate_constants

T = TypeVar("T")
MAX_LENGTH = 500
MAX_SIZE = 10**100
_NAME = re.compile(r"(?<![A-Za-z_0-9\\.])[A-Za-z_]\w*")
_WORDS = frozenset({"and", "or", "mod"})
_FUNCTIONS = frozenset({"abs", "min", "max", "floor", "ceil", "gcd", "lcm", "factorial", "sqrt"})


class ExpressionError(ValueError):
    """The expression cannot be evaluated; the message says what is wrong and what would be right."""


def evaluate(expression: str, values: Mapping[str, Fraction]) -> Fraction:
    """The exact value of an arithmetic expression. Raises ExpressionError."""

    def work(text: str, numbers: dict[str, Fraction]) -> Fraction:
        value = evaluate_constants(text, numbers)
        if not isinstance(value, Fraction):
            raise ExpressionError(f"'{expression}' has no exact value; a template's gold is a rational number")
        if max(abs(value.numerator), value.denominator) > MAX_SIZE:
            raise ExpressionError(f"the value of '{expression}' is too large to be written in a problem")
        return value

    return _guarded(expression, values, work)


def holds(condition: str, values: Mapping[str, Fraction]) -> bool:
    """Whether a condition such as `a < b <= 10` or `a % b == 0` holds. Raises ExpressionError."""
    return _guarded(condition, values, constants_hold)


def _guarded(text: str, values: Mapping[str, Fraction], work: Callable[[str, dict[str, Fraction]], T]) -> T:
    if len(text) > MAX_LENGTH:
        raise ExpressionError(f"an expression has at most {MAX_LENGTH} characters; this one has {len(text)}")
    try:
        return work(*_spelt(text, values))
    except LanguageError as error:
        raise ExpressionError(f"'{text}' is not arithmetic: {error}; write for example 2*a + b/3") from error
    except ArithmeticError as error:
        raise ExpressionError(f"'{text}' has no value: {str(error) or 'it divides by zero'}") from error


def _spelt(text: str, values: Mapping[str, Fraction]) -> tuple[str, dict[str, Fraction]]:
    """The text with a letter and an index in brackets for each name, so that none is taken for a product or for half
    an exponent; values by those letters."""
    if "//" in text:
        raise ExpressionError(f"'{text}': write floor(a / b) for a whole quotient")
    if "%" in text and any(re.search(r"[+-]", side) for side in _outside_brackets(text)):
        raise ExpressionError(f"'{text}': put brackets around what % divides and around the rest")
    names = {name: f"(x_{{{index}}})" for index, name in enumerate(sorted(values), 1)}
    for match in _NAME.finditer(text):
        if match.group() not in names and match.group() not in _WORDS | _FUNCTIONS:
            known = ", ".join(sorted(values)) or "none"
            raise ExpressionError(f"'{match.group()}' is no constant; known: {known}")
    spelt = _NAME.sub(lambda match: names.get(match.group(), match.group()), text)
    numbers = {f"x_{index}": Fraction(values[name]) for index, name in enumerate(sorted(values), 1)}
    return re.sub(r"%|\bmod\b", r" \\bmod ", spelt), numbers


def _outside_brackets(text: str) -> list[str]:
    """The sides of every relation in which `%` stands, what is in brackets left out."""
    for _ in range(20):
        text = re.sub(r"\([^()]*\)", "", text)
    return [side for side in re.split(r"<=|>=|[<>=!]=?|\band\b|\bor\b", text) if "%" in side]
