"""Exact rational arithmetic over the constants of a template: `2*a + b/3`, `min(a, b)`, and conditions on them.

The text is parsed, never run: only the syntax listed here has a meaning.
"""

import ast
import math
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TypeVar

T = TypeVar("T")
MAX_LENGTH = 500
MAX_EXPONENT = 64


class ExpressionError(ValueError):
    """The expression cannot be evaluated; the message says what is wrong and what would be right."""


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1 or abs(exponent) > MAX_EXPONENT:
        raise ExpressionError(f"an exponent must be a whole number of at most {MAX_EXPONENT}, not {exponent}")
    return Fraction(base ** int(exponent))


def _gcd(*values: Fraction) -> Fraction:
    if any(value.denominator != 1 for value in values):
        raise ExpressionError("gcd needs whole numbers")
    return Fraction(math.gcd(*(int(value) for value in values)))


def _factorial(value: Fraction) -> Fraction:
    if value.denominator != 1 or not 0 <= value <= MAX_EXPONENT:
        raise ExpressionError(f"factorial needs a whole number from 0 to {MAX_EXPONENT}, not {value}")
    return Fraction(math.factorial(int(value)))


_BINARY: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: lambda a, b: Fraction(a // b),
    ast.Mod: operator.mod,
    ast.Pow: _power,
}
_FUNCTIONS: dict[str, Callable[..., Fraction]] = {
    "abs": abs,
    "min": min,
    "max": max,
    "floor": lambda x: Fraction(math.floor(x)),
    "ceil": lambda x: Fraction(math.ceil(x)),
    "gcd": _gcd,
    "factorial": _factorial,
}
_COMPARE: dict[type[ast.cmpop], Callable[[Fraction, Fraction], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


def evaluate(expression: str, values: Mapping[str, Fraction]) -> Fraction:
    """The exact value of an arithmetic expression. Raises ExpressionError."""
    return _guarded(expression, lambda tree: _number(tree, values))


def holds(condition: str, values: Mapping[str, Fraction]) -> bool:
    """Whether a condition such as `a < b <= 10` or `a % b == 0` holds. Raises ExpressionError."""
    return _guarded(condition, lambda tree: _truth(tree, values))


def _guarded(text: str, read: Callable[[ast.expr], T]) -> T:
    if len(text) > MAX_LENGTH:
        raise ExpressionError(f"an expression has at most {MAX_LENGTH} characters; this one has {len(text)}")
    try:
        return read(ast.parse(text.strip().replace("^", "**"), mode="eval").body)
    except ZeroDivisionError as error:
        raise ExpressionError(f"'{text}' divides by zero") from error
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise ExpressionError(f"'{text}' is not arithmetic; write for example 2*a + b/3") from error


def _number(node: ast.expr, values: Mapping[str, Fraction]) -> Fraction:
    match node:
        case ast.Constant(value=int() | float()) if not isinstance(node.value, bool):
            return Fraction(str(node.value))
        case ast.Name(id=name):
            if name not in values:
                raise ExpressionError(f"'{name}' is no constant; known: {', '.join(sorted(values)) or 'none'}")
            return values[name]
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
            value = _number(operand, values)
            return -value if isinstance(node.op, ast.USub) else value
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _BINARY[type(op)](_number(left, values), _number(right, values))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in _FUNCTIONS and args:
            return _call(name, [_number(arg, values) for arg in args])
    known = ", ".join(sorted(_FUNCTIONS))
    raise ExpressionError(f"only + - * / // % ^, numbers, constants and {known} are known, not '{ast.unparse(node)}'")


def _call(name: str, arguments: list[Fraction]) -> Fraction:
    try:
        return Fraction(_FUNCTIONS[name](*arguments))
    except TypeError as error:
        raise ExpressionError(f"{name} does not take {len(arguments)} arguments") from error


def _truth(node: ast.expr, values: Mapping[str, Fraction]) -> bool:
    match node:
        case ast.BoolOp(op=op, values=parts):
            truths = [_truth(part, values) for part in parts]
            return all(truths) if isinstance(op, ast.And) else any(truths)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return not _truth(operand, values)
        case ast.Compare(left=left, ops=ops, comparators=others) if all(type(op) in _COMPARE for op in ops):
            numbers = [_number(part, values) for part in (left, *others)]
            return all(_COMPARE[type(op)](a, b) for op, a, b in zip(ops, numbers, numbers[1:], strict=False))
    raise ExpressionError(f"'{ast.unparse(node)}' is no condition; write for example a < b or a % b == 0")
