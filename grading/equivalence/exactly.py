"""Exact rational values of constant expressions, within a bound on size."""

import math
from collections.abc import Callable
from fractions import Fraction

from grading.language.limits import MAX_BITS
from grading.language.tree import Constant, Function, Node, Number, Power, Product, Quotient, Sum
from grading.language.walking import kept

_MAX_FACTORIAL = 3000


@kept
def exact(node: Node) -> Fraction | None:
    """The rational value of `node`; None where it is not rational, not constant, undefined or too large."""
    try:
        return _value(node)
    except (ZeroDivisionError, OverflowError):
        return None


def _value(node: Node) -> Fraction | None:
    match node:
        case Number(value=value):
            return value
        case Sum(terms=terms):
            return _fold(terms, lambda a, b: a + b)
        case Product(factors=factors):
            return _fold(factors, lambda a, b: a * b)
        case Quotient(over=over, under=under):
            top, bottom = _value(over), _value(under)
            return None if top is None or bottom is None else top / bottom
        case Power(base=base, exponent=exponent):
            return _power(base, exponent)
        case Function(name=name, arguments=arguments):
            return _function(name, arguments)
    return None


def _fold(nodes: tuple[Node, ...], combine: Callable[[Fraction, Fraction], Fraction]) -> Fraction | None:
    result: Fraction | None = None
    for node in nodes:
        value = _value(node)
        if value is None:
            return None
        result = value if result is None else combine(result, value)
        if _bits(result) > 2 * MAX_BITS:
            return None
    return result


def _bits(value: Fraction) -> int:
    return value.numerator.bit_length() + value.denominator.bit_length()


def _power(base: Node, exponent: Node) -> Fraction | None:
    bottom, top = _value(base), _value(exponent)
    if bottom is None or top is None or top.denominator != 1:
        return None
    if abs(top) * _bits(bottom) > MAX_BITS:
        return bottom if bottom in (0, 1) and top > 0 else None
    return bottom ** int(top)


def _function(name: str, arguments: tuple[Node, ...]) -> Fraction | None:
    values = [_value(argument) for argument in arguments]
    if not values or any(value is None for value in values):
        return None
    numbers = [value for value in values if value is not None]
    first = numbers[0]
    if name == "percent":
        return first / 100
    if name == "abs":
        return abs(first)
    if name in ("max", "min"):
        return max(numbers) if name == "max" else min(numbers)
    if name in ("floor", "ceil"):
        return Fraction(math.floor(first) if name == "floor" else math.ceil(first))
    if name == "based":
        return first
    if name == "mod":
        return first % numbers[1]
    if name == "root":
        return _root(first, numbers[1])
    return _integers(name, numbers)


def _root(radicand: Fraction, degree: Fraction) -> Fraction | None:
    """Square roots of perfect squares."""
    if degree != 2 or radicand < 0:
        return None
    top, bottom = math.isqrt(radicand.numerator), math.isqrt(radicand.denominator)
    perfect = top * top == radicand.numerator and bottom * bottom == radicand.denominator
    return Fraction(top, bottom) if perfect else None


def _integers(name: str, numbers: list[Fraction]) -> Fraction | None:
    if any(value.denominator != 1 or abs(value) > 10**9 for value in numbers):
        return None
    values = [int(value) for value in numbers]
    if name == "factorial" and 0 <= values[0] <= _MAX_FACTORIAL:
        return Fraction(math.factorial(values[0]))
    if name == "binomial" and len(values) == 2 and 0 <= values[1] <= values[0] <= _MAX_FACTORIAL:
        return Fraction(math.comb(values[0], values[1]))
    if name in ("gcd", "lcm"):
        return Fraction(math.gcd(*values) if name == "gcd" else math.lcm(*values))
    return None


def is_infinite(node: Node) -> int:
    """1 for infinity, -1 for minus infinity, 0 for anything else."""
    match node:
        case Constant(name="inf"):
            return 1
        case Product(factors=(Number(value=value), Constant(name="inf"))):
            return 1 if value > 0 else -1
    return 0
