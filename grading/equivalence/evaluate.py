"""Values of expressions at a point, in high precision. Everything that could grow is bounded before it is computed."""

from collections.abc import Callable
from typing import Any, TypeVar

import mpmath

from grading.equivalence.bounds import evaluate_bound
from grading.equivalence.exactly import exact
from grading.equivalence.functions import apply, power
from grading.equivalence.point import (
    DIGITS,
    LARGEST,
    MAX_STEPS,
    Point,
    UndefinedError,
    UnsupportedError,
    Value,
    bits,
    context,
    rational,
    ten_to,
)
from grading.equivalence.special import special_value
from grading.language.tree import (
    Bound,
    Call,
    Constant,
    Function,
    Indexed,
    Listing,
    Node,
    Number,
    Piecewise,
    Power,
    Product,
    Quotient,
    Relation,
    Sum,
    Symbol,
)
from grading.language.walking import kept

_Found = TypeVar("_Found")
_CANCELLED = 100
"""Bits by which a sum may be smaller than its largest term, and surely be no rounding noise."""
_COSTLY = 800
"""Steps that a function with an order counts for."""


def evaluate(node: Node, point: Point) -> Value:
    """The value of `node`. Raises UndefinedError or UnsupportedError."""
    value = _guarded(_evaluate, node, point)
    if bits(value) is None and not context().isfinite(value):
        raise UndefinedError("not finite")
    return value


def known(node: Node, point: Point) -> Value:
    """The value of a reference's part at a point as drawn, kept with the tree. Raises as `evaluate` does.

    The point's `spread` is the one that the evaluation found.
    """
    values = _values(node)
    key = point.key()
    if key not in values:
        try:
            found: Value | ArithmeticError = evaluate(node, point)
        except (UndefinedError, UnsupportedError) as error:
            found = error
        values[key] = found, point.spread
    found, spread = values[key]
    point.spread = max(point.spread, spread)
    if isinstance(found, ArithmeticError):
        raise found.with_traceback(None)
    return found


@kept
def _values(node: Node) -> dict[tuple[object, ...], tuple[Value | ArithmeticError, int]]:
    del node
    return {}


def satisfied(condition: Node, point: Point) -> bool:
    """Whether relations are true at the point. Raises UndefinedError or UnsupportedError."""
    return _guarded(holds, condition, point)


def _guarded(function: Callable[[Node, Point], _Found], node: Node, point: Point) -> _Found:
    """The errors of arithmetic as this package's own."""
    try:
        return function(node, point)
    except (ZeroDivisionError, ValueError) as error:
        raise UndefinedError(str(error) or "a division by zero") from None
    except (OverflowError, MemoryError, RecursionError, mpmath.libmp.NoConvergence) as error:
        raise UnsupportedError(type(error).__name__) from None


def _evaluate(node: Node, point: Point) -> Value:
    point.steps += 1
    if point.steps > MAX_STEPS:
        raise UnsupportedError("too many steps")
    rule = _RULES.get(type(node))
    if rule is None:
        raise UnsupportedError(f"{type(node).__name__} has no numeric value")
    return rule(node, point)


def _number(node: Number, point: Point) -> Value:
    del point
    ctx = context()
    return ctx.make_mpf(rational(node.value.numerator, node.value.denominator, ctx.prec))


def _constant(node: Constant, point: Point) -> Value:
    del point
    return _CONSTANTS[node.name](context())


_CONSTANTS: dict[str, Callable[[Any], Value]] = {
    "pi": lambda ctx: +ctx.pi,
    "e": lambda ctx: +ctx.e,
    "i": lambda ctx: ctx.mpc(0, 1),
    "inf": lambda ctx: ctx.inf,
}


def _sum(node: Sum, point: Point) -> Value:
    """The sum; what cancels down to rounding noise is zero."""
    ctx = context()
    values = [_evaluate(term, point) for term in node.terms]
    total = ctx.fsum(values)
    if _is_plainly_summed(values, total, point):
        return total
    sizes = [abs(value) for value in values if value]
    largest = max(sizes, default=ctx.zero)
    if not largest or not ctx.isfinite(largest):
        return total
    point.notice(largest, min(sizes))
    if abs(total) < largest * ten_to(8 - max(DIGITS, ctx.dps)):
        return ctx.zero
    if total:
        point.notice(largest, total)
    return total


def _is_plainly_summed(values: list[Value], total: Value, point: Point) -> bool:
    """Whether real terms were added without much cancelling, by their exponents alone; notes the spread if so."""
    sizes = [bits(value) for value in (*values, total)]
    if None in sizes:
        return False
    *terms, whole = [size for size in sizes if size is not None]
    largest = max(terms)
    if whole <= largest - _CANCELLED:
        return False
    point.spread = max(point.spread, (largest - min(*terms, whole)) * 3 // 10)
    return True


def _product(node: Product, point: Point) -> Value:
    first, *others = node.factors
    result = _evaluate(first, point)
    for factor in others:
        result = result * _evaluate(factor, point)
    return result


def _quotient(node: Quotient, point: Point) -> Value:
    return _evaluate(node.over, point) / _evaluate(node.under, point)


def _power(node: Power, point: Point) -> Value:
    base, exponent = _evaluate(node.base, point), _evaluate(node.exponent, point)
    rational = exact(node.exponent)
    if rational is None:
        point.steps += 1
    return power(base, exponent, rational, point)


def _symbol(node: Symbol, point: Point) -> Value:
    return point.symbol(node.name)


def _indexed(node: Indexed, point: Point) -> Value:
    index = _evaluate(node.index, point)
    ctx = context()
    if abs(index) > LARGEST:
        raise UnsupportedError("the index is too large")
    if ctx.isint(index):
        return point.symbol(f"{node.name}_{int(ctx.re(index))}")
    return point.call(node.name, [index])


def _call(node: Call, point: Point) -> Value:
    arguments = [_evaluate(argument, point) for argument in node.arguments]
    known = special_value(node.name, arguments)
    point.steps += _COSTLY if known is not None else 0
    return point.call(node.name, arguments) if known is None else known


def _piecewise(node: Piecewise, point: Point) -> Value:
    for value, condition in node.branches:
        if condition is None or holds(condition, point):
            return _evaluate(value, point)
    raise UndefinedError("no branch applies")


def holds(condition: Node, point: Point) -> bool:
    """Whether a chain of inequalities is true at the point."""
    if isinstance(condition, Listing):
        truths = [holds(item, point) for item in condition.items]
        return any(truths) if condition.joiner == "or" else all(truths)
    if not isinstance(condition, Relation):
        raise UnsupportedError("a condition that is no relation")
    values = [_evaluate(operand, point) for operand in condition.operands]
    if any(context().im(value) for value in values):
        raise UndefinedError("complex values have no order")
    pairs = zip(values, values[1:], condition.operators, strict=False)
    return all(_ordered(left, right, sign) for left, right, sign in pairs)


def _ordered(left: Value, right: Value, sign: str) -> bool:
    """Whether the sign holds; values that differ by rounding noise are equal."""
    if abs(left - right) <= max(abs(left), abs(right)) * context().mpf(10) ** (8 - DIGITS):
        right = left
    tests: dict[str, Callable[[Value, Value], bool]] = {
        "<": lambda a, b: a < b,
        ">": lambda a, b: a > b,
        "<=": lambda a, b: a <= b,
        ">=": lambda a, b: a >= b,
        "=": lambda a, b: a == b,
        "!=": lambda a, b: a != b,
    }
    if sign not in tests:
        raise UnsupportedError(f"the relation '{sign}' has no truth value")
    return bool(tests[sign](context().re(left), context().re(right)))


def _bound(node: Bound, point: Point) -> Value:
    return evaluate_bound(node, point, _evaluate)


def _cross(node: Function, point: Point) -> Value:
    """One component of a cross product; its factors are taken along the two other axes."""
    left, right = node.arguments
    axis = point.axis
    parts = []
    for place in (1, 2):
        point.axis = (axis + place) % 3
        parts.append((_evaluate(left, point), _evaluate(right, point)))
    point.axis = axis
    return parts[0][0] * parts[1][1] - parts[1][0] * parts[0][1]


def _function(node: Function, point: Point) -> Value:
    if node.name == "cross":
        return _cross(node, point)
    values = [_evaluate(argument, point) for argument in node.arguments]
    return apply(node.name, values, point)


_RULES: dict[type[Node], Callable[[Any, Point], Value]] = {
    Number: _number,
    Constant: _constant,
    Sum: _sum,
    Product: _product,
    Quotient: _quotient,
    Power: _power,
    Symbol: _symbol,
    Indexed: _indexed,
    Call: _call,
    Piecewise: _piecewise,
    Bound: _bound,
    Function: _function,
}


def is_evaluated(node: Node) -> bool:
    """Whether nodes of this type have a numeric value."""
    return type(node) in _RULES
