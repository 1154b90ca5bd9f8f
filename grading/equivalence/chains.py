"""Chains of equal values: `35 + 70 = 105`, `sqrt(3)/3 ~ 0.577`."""

from fractions import Fraction
from functools import partial

from grading.equivalence.evaluate import satisfied
from grading.equivalence.exactly import exact
from grading.equivalence.expressions import symbols
from grading.equivalence.finding import Rules
from grading.equivalence.numbers import compare_constants, is_constant
from grading.equivalence.point import Point, UndefinedError, UnsupportedError
from grading.equivalence.signs import rewrite
from grading.equivalence.values import NOT_NUMBERS
from grading.language.tree import Constant, Matrix, Node, Number, Power, Product, Quantity, Relation, Symbol, Tuple
from grading.language.walking import parts, walk

_NEARLY = Fraction(1, 20)
_PI = (Fraction(22, 7), Fraction(314, 100), Fraction(31416, 10000), Fraction(3142, 1000))
_TEN, _LARGEST, _TRIED = 10, 60, 4


def computed(given: Node) -> Relation | None:
    """A chain that goes from an expression to its value in two steps or more (`z + 1/z = -z/z = -1`)."""
    if not isinstance(given, Relation) or not set(given.operators) <= {"=", "~="}:
        return None
    head, *between, last = given.operands
    if isinstance(last, Tuple | Matrix) and not isinstance(head, Tuple | Matrix) and _is_worked(head, between):
        return given
    if isinstance(head, Tuple) and isinstance(last, Tuple):
        return given if all(_entries_agree(each, last) for each in given.operands[:-1]) else None
    return given if between and not symbols(last) and not isinstance(head, Symbol) and not is_constant(head) else None


def _is_worked(head: Node, between: list[Node]) -> bool:
    """Whether a tuple or a matrix comes after a product of such, or after such a product and a name."""
    if isinstance(head, Constant) and not between:
        return True  # `\\pi = (1/2, 1/2)`: a letter that names a distribution.
    return all(any(isinstance(part, Tuple | Matrix) for part in walk(each)) for each in (between or [head]))


def _entries_agree(one: Node, other: Node) -> bool:
    """Whether two tuples of constants have the same entries."""
    if not isinstance(one, Tuple) or not isinstance(other, Tuple) or len(one.items) != len(other.items):
        return False
    pairs = list(zip(one.items, other.items, strict=True))
    return all(is_constant(a) and is_constant(b) and compare_constants(a, b, Rules()).equal for a, b in pairs)


def chain_value(node: Node) -> Node:
    """`35 + 70 = 105` is 105, `sqrt(3)/3 ~ 0.577` is its exact side: chains of equal constants."""
    if not isinstance(node, Relation) or not set(node.operators) <= {"=", "~="}:
        return node
    if not all(is_constant(operand) and not isinstance(operand, NOT_NUMBERS) for operand in node.operands):
        return node
    exact = [node.operands[0]]
    for operand, sign in zip(node.operands[1:], node.operators, strict=True):
        if sign == "=":
            exact.append(operand)
    if any(not compare_constants(exact[0], other, Rules(exact=True)).equal for other in exact[1:]):
        return node
    if any(is_far(exact[0], other) for other in node.operands):
        return node
    return exact[-1]


def is_far(value: Node, rounded: Node) -> bool:
    """Whether an approximation is none: a decimal that is wrong in a digit, or more than a twentieth away.

    The last digit may be rounded or cut, and pi may stand for one of its usual fractions.
    """
    place = _last_place(rounded)
    if place is None or compare_constants(value, rounded, Rules(rel_tol=_NEARLY)).different:
        return compare_constants(value, rounded, Rules(rel_tol=_NEARLY)).different
    forms = (value, *(rewrite(value, partial(_with_pi, pi=each)) for each in _PI if parts(value, Constant)))
    return all(compare_constants(each, rounded, Rules(abs_tol=(place,))).different for each in forms)


def _with_pi(part: Node, pi: Fraction) -> Node:
    return Number(pi) if part == Constant("pi") else part


def _last_place(node: Node) -> Fraction | None:
    """The unit of the last digit that a decimal is written to; None of other nodes."""
    match node:
        case Number(places=int(places)):
            return Fraction(1, 10**places)
        case Number(value=value, places=None) if value and value.denominator == 1:
            whole = str(value.numerator)
            return Fraction(10 ** (len(whole) - len(whole.rstrip("0"))))
        case Product(factors=(Number(value=sign), inner)) if sign == -1:
            return _last_place(inner)
        case Product(factors=(inner, Power(base=Number(value=base), exponent=exponent))) if base == _TEN:
            power, place = exact(exponent), _last_place(inner)
            small = power is not None and power.denominator == 1 and abs(power) <= _LARGEST
            return place * Fraction(10) ** int(power) if small and place is not None and power is not None else None
    return None


def may_hold(remark: Relation) -> bool:
    """Whether a comparison is true at a point at which all letters are positive."""
    for number in range(_TRIED):
        try:
            return satisfied(remark, Point(f"remark|{number}", 0.2, 3.0))
        except (UndefinedError, UnsupportedError):
            continue
    return False


def is_formula_for(value: Node, other: Node) -> bool:
    """Whether a chain goes from a formula in letters to its number (`a = F/m = 9.8`)."""
    number = isinstance(value, Quantity) or is_constant(value)
    return number and not isinstance(other, Quantity) and bool(symbols(other))
