"""The answer language: bounded reading of mathematical answers into a typed tree. It evaluates nothing.

`parse(text)` reads one answer. `evaluate_constants` computes the value of an expression whose letters are given,
`constants_hold` tells whether a condition on them is true; they stand here for those who write templates, and do
their work in `grading.equivalence`.
"""

from fractions import Fraction
from typing import Any

from grading.language.limits import LanguageError, TooLargeError
from grading.language.read import Parsed, read

__all__ = ["LanguageError", "Parsed", "TooLargeError", "constants_hold", "evaluate_constants", "parse"]


def parse(text: str, variables: frozenset[str] = frozenset()) -> Parsed:
    """Read an answer. Linear in its length, bounded in everything; raises LanguageError with place and reason."""
    return read(text, variables)


def evaluate_constants(expression: str, values: dict[str, Fraction]) -> Fraction | Any:
    """The value of `expression` with its letters replaced: a Fraction where it is rational, else an mpf or mpc.

    Raises LanguageError for what cannot be read or has letters left over, ArithmeticError where there is no value.
    """
    from grading.equivalence.constants import evaluate_constants as work

    return work(expression, values)


def constants_hold(condition: str, values: dict[str, Fraction]) -> bool:
    """Whether a condition such as `a < b <= 10` or `a \\bmod b = 0` is true of the values.

    Raises LanguageError for what is no such condition, ArithmeticError where a side has no exact value.
    """
    from grading.equivalence.constants import constants_hold as work

    return work(condition, values)
