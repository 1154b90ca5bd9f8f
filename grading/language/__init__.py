"""The answer language: bounded reading of mathematical answers into a typed tree. It evaluates nothing.

`parse(text)` reads one answer. `evaluate_constants` computes the value of an expression whose letters are given;
it stands here for those who write templates, and does its work in `grading.equivalence`.
"""

from fractions import Fraction
from typing import Any

from grading.language.limits import LanguageError, TooLargeError
from grading.language.read import Parsed, read

__all__ = ["LanguageError", "Parsed", "TooLargeError", "evaluate_constants", "parse"]


def parse(text: str, variables: frozenset[str] = frozenset()) -> Parsed:
    """Read an answer. Linear in its length, bounded in everything; raises LanguageError with place and reason."""
    return read(text, variables)


def evaluate_constants(expression: str, values: dict[str, Fraction]) -> Fraction | Any:
    """The value of `expression` with its letters replaced: a Fraction where it is rational, else an mpf or mpc.

    Raises LanguageError for what cannot be read or has letters left over, ArithmeticError where there is no value.
    """
    from grading.equivalence.constants import evaluate_constants as work

    return work(expression, values)
