"""Values of the known functions, with bounds on their arguments."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from grading.equivalence.point import DIGITS, LARGEST, Point, UndefinedError, UnsupportedError, Value, context, ten_to

_DIRECT = frozenset(
    [
        "sin",
        "cos",
        "tan",
        "cot",
        "sec",
        "csc",
        "sinh",
        "cosh",
        "tanh",
        "coth",
        "sech",
        "csch",
        "asin",
        "acos",
        "atan",
        "acot",
        "asec",
        "acsc",
        "asinh",
        "acosh",
        "atanh",
        "acoth",
        "asech",
        "acsch",
        "exp",
        "ln",
        "erf",
        "erfc",
        "erfi",
        "re",
        "im",
        "arg",
        "conj",
        "floor",
        "ceil",
        "sign",
        "airyai",
        "airybi",
        "ei",
        "si",
        "ci",
        "li",
        "sinc",
        "zeta",
        "gamma",
    ]
)
_GROWING = frozenset(["sinh", "cosh", "exp", "gamma", "erfi", "airyai", "airybi", "ei"])
_PERIODIC = frozenset(["sin", "cos", "tan", "cot", "sec", "csc", "sinc"])
_EVEN = frozenset(["cos", "sec", "cosh", "sech", "sinc"])
_SHIFTED = frozenset(["acos", "acot", "erfc", "airyai", "airybi"])
"""Functions that are not zero at zero: a tiny argument moves them by a tiny part of their value."""
_TINY, _LEAST = 1e-12, 1e-100
"""What arguments below it add to a value is seen with more digits only."""
_SQUARE = 2
_LARGE_EXPONENT = 10**6
_MODERATE = 1000
"""Exponents, and bits before or behind the point, whose powers are within every bound."""
_MAX_GAMMA = 10**9
_MAX_ORDER, _MAX_ARGUMENT = 40, 1000
"""Of functions with an order, such as polylogarithms and Bessel functions."""


def power(base: Value, exponent: Value, rational: Fraction | None, point: Point) -> Value:
    """`base ** exponent`; real odd roots of negative numbers are real unless the point asks for complex ones."""
    ctx = context()
    if rational is not None and rational.denominator == 1 and _is_moderate(base) and abs(rational) <= _MODERATE:
        return ctx.power(base, exponent)
    large = not _is_moderate(base) or abs(exponent) > _LARGE_EXPONENT
    if large and abs(exponent) > LARGEST:
        if point.underflow and base and ctx.re(exponent * ctx.log(base)) < 0:
            return ctx.zero
        raise UnsupportedError("the exponent is too large")
    if large and base and ctx.isfinite(base) and abs(ctx.log(abs(base))) * abs(exponent) > LARGEST:
        raise UnsupportedError("the power is too large")
    if not base and ctx.re(exponent) <= 0:
        if exponent == 0 and rational == 0:
            return ctx.one
        raise UndefinedError("zero to a power that is not positive")
    if base and exponent and ctx.isfinite(base) and _LEAST < abs(exponent) < _TINY:
        point.notice(ctx.one, exponent)
    odd = rational is not None and rational.denominator % 2 == 1 and rational.denominator > 1
    if odd and rational is not None and point.real_roots and not ctx.im(base) and ctx.re(base) < 0:
        sign = -1 if rational.numerator % 2 else 1
        return sign * ctx.power(-ctx.re(base), exponent)
    return ctx.power(base, exponent)


def _is_moderate(value: Value) -> bool:
    """Whether a value is real, not zero and of no extreme size."""
    real = getattr(value, "_mpf_", None)
    return real is not None and bool(real[1]) and abs(real[2] + real[3]) <= _MODERATE


def apply(name: str, values: list[Value], point: Point) -> Value:
    """The value of function `name`. Raises UndefinedError or UnsupportedError."""
    rule = _SPECIAL.get(name)
    if rule is not None:
        return rule(values, point)
    if name == "exp" and values:
        return power(+context().e, values[0], None, point)
    if name in _DIRECT and len(values) == 1:
        return _direct(name, values[0], point)
    raise UnsupportedError(f"{name} of {len(values)} arguments")


def _direct(name: str, value: Value, point: Point) -> Value:
    ctx = context()
    size = abs(value)
    if (name in _GROWING and size > LARGEST) or (name == "gamma" and size > _MAX_GAMMA):
        raise UnsupportedError(f"the argument of {name} is too large")
    if name in _PERIODIC and size > ctx.mpf(10) ** 25:
        raise UnsupportedError(f"the argument of {name} is too large for its period")
    if name == "zeta" and (size > 10**4 or ctx.im(value)):
        raise UnsupportedError("zeta far from the origin")
    if name in ("tan", "sec") and _near_multiple(value - ctx.pi / 2):
        raise UndefinedError(f"{name} has a pole")
    if name in ("cot", "csc") and _near_multiple(value):
        raise UndefinedError(f"{name} has a pole")
    if name in ("sin", "cos", "tan", "cot") and _vanishes(value - ctx.pi / 2 if name[0] == "c" else value, size):
        return ctx.zero
    if value and size < _TINY and (name in _EVEN or name in _SHIFTED):
        point.notice(ctx.one, value if name in _SHIFTED else value * value)
    if name == "ln" and not value:
        raise UndefinedError("the logarithm of zero")
    return getattr(ctx, name)(value)


def _near_multiple(value: Value) -> bool:
    ctx = context()
    share = ctx.re(value) / ctx.pi
    return bool(not ctx.im(value) and abs(share - ctx.nint(share)) < ten_to(-30))


def _vanishes(angle: Value, size: Value) -> bool:
    """Whether an angle is a multiple of pi up to the rounding of a value of this size."""
    ctx = context()
    share = ctx.re(angle) / ctx.pi
    return bool(not ctx.im(angle) and abs(share - ctx.nint(share)) < size * ten_to(2 - DIGITS))


def _real(value: Value) -> Value:
    ctx = context()
    if ctx.im(value):
        raise UndefinedError("an order was asked of complex values")
    return ctx.re(value)


def _modulo(values: list[Value], point: Point) -> Value:
    del point
    left, right = (_real(value) for value in values)
    return left - right * context().floor(left / right)


def _root(values: list[Value], point: Point) -> Value:
    radicand, degree = values
    ctx = context()
    if degree == _SQUARE:
        return ctx.sqrt(radicand)
    whole = ctx.isint(degree) and not ctx.im(degree) and 0 < abs(degree) < 10**6
    if not degree:
        raise UndefinedError("the zeroth root")
    rational = Fraction(1, int(ctx.re(degree))) if whole else None
    return power(radicand, 1 / degree, rational, point)


def _log(values: list[Value], point: Point) -> Value:
    del point
    ctx = context()
    if not values[0] or not values[1] or values[1] == 1:
        raise UndefinedError("the logarithm of zero or to base one")
    return ctx.ln(values[0]) / ctx.ln(values[1])


def _factorial(values: list[Value], point: Point) -> Value:
    del point
    ctx = context()
    if abs(values[0]) > _MAX_GAMMA:
        raise UnsupportedError("the factorial is too large")
    if not ctx.im(values[0]) and ctx.isint(values[0]) and ctx.re(values[0]) < 0:
        raise UndefinedError("the factorial of a negative integer")
    return ctx.factorial(values[0])


def _double_factorial(values: list[Value], point: Point) -> Value:
    del point
    if abs(values[0]) > _MAX_GAMMA:
        raise UnsupportedError("the factorial is too large")
    return context().fac2(values[0])


def _binomial(values: list[Value], point: Point) -> Value:
    del point
    if any(abs(value) > 10**6 for value in values):
        raise UnsupportedError("the binomial is too large")
    return context().binomial(*values)


def _extreme(pick: Callable[..., Any]) -> Callable[[list[Value], Point], Value]:
    def extreme(values: list[Value], point: Point) -> Value:
        del point
        return pick([_real(value) for value in values])

    return extreme


def _absolute(values: list[Value], point: Point) -> Value:
    del point
    return abs(values[0])


def _percent(values: list[Value], point: Point) -> Value:
    del point
    return values[0] / 100


def _itself(values: list[Value], point: Point) -> Value:
    del point
    return values[0]


def _degrees(values: list[Value], point: Point) -> Value:
    del point
    ctx = context()
    total = sum((value / ctx.mpf(60) ** place for place, value in enumerate(values)), ctx.zero)
    return total * ctx.pi / 180


def _integer_fold(name: str) -> Callable[[list[Value], Point], Value]:
    def fold(values: list[Value], point: Point) -> Value:
        del point
        ctx = context()
        if any(not ctx.isint(value) or abs(value) > 10**30 for value in values):
            raise UnsupportedError(f"{name} of values that are no small integers")
        whole = [int(ctx.re(value)) for value in values]
        return ctx.mpf(math.gcd(*whole) if name == "gcd" else math.lcm(*whole))

    return fold


def _polylog(values: list[Value], point: Point) -> Value:
    del point
    ctx = context()
    order, argument = values
    if abs(order) > _MAX_ORDER or abs(argument) > _MAX_ARGUMENT:
        raise UnsupportedError("a polylogarithm far from the origin")
    return ctx.polylog(order, argument)


_SPECIAL: dict[str, Callable[[list[Value], Point], Value]] = {
    "root": _root,
    "log": _log,
    "factorial": _factorial,
    "factorial2": _double_factorial,
    "binomial": _binomial,
    "max": _extreme(max),
    "min": _extreme(min),
    "abs": _absolute,
    "degrees": _degrees,
    "percent": _percent,
    "mod": _modulo,
    "based": _itself,
    "polylog": _polylog,
    "gcd": _integer_fold("gcd"),
    "lcm": _integer_fold("lcm"),
}
