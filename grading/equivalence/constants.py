"""Values of expressions whose letters are given, and truth of conditions on them, for templates."""

import operator
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

from grading.equivalence.evaluate import evaluate
from grading.equivalence.exactly import exact
from grading.equivalence.expressions import symbols
from grading.equivalence.point import Point, UnsupportedError, Value
from grading.equivalence.signs import rewrite
from grading.language.limits import LanguageError
from grading.language.read import read
from grading.language.tree import Listing, Node, Number, Relation, Symbol

_COMPARED: dict[str, Callable[[Fraction, Fraction], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "!=": operator.ne,
}


def evaluate_constants(expression: str, values: dict[str, Fraction]) -> Fraction | Value:
    """The value with letters replaced: a Fraction where it is rational, else a 40-digit `mpf` or `mpc`."""
    node = _filled(expression, values)
    rational = exact(node)
    return rational if rational is not None else evaluate(node, Point("template", 0, 1))


def constants_hold(condition: str, values: dict[str, Fraction]) -> bool:
    """Whether a chain of relations, or several joined by "and" or "or", is true of the values."""
    return _true(_filled(condition, values))


def _filled(text: str, values: dict[str, Fraction]) -> Node:
    """The tree with numbers for its letters."""
    parsed = read(text, frozenset(values))
    if parsed.conditions:
        raise LanguageError("an expression to evaluate takes no conditions")
    missing = symbols(parsed.node) - set(values)
    if missing:
        raise LanguageError(f"no value for {', '.join(sorted(missing))}; values were given for {', '.join(values)}")

    def rule(part: Node) -> Node:
        return Number(Fraction(values[part.name])) if isinstance(part, Symbol) and part.name in values else part

    node: Node = rewrite(parsed.node, rule)
    return node


def _true(node: Node) -> bool:
    if isinstance(node, Listing):
        truths = [_true(item) for item in node.items]
        return any(truths) if node.joiner == "or" else all(truths)
    if not isinstance(node, Relation) or not set(node.operators) <= _COMPARED.keys():
        raise LanguageError("a condition compares numbers; write for example a < b or a mod b = 0")
    numbers = [exact(operand) for operand in node.operands]
    if None in numbers:
        raise UnsupportedError("a side of the condition has no exact value")
    sides = pairwise(number for number in numbers if number is not None)
    return all(_COMPARED[sign](left, right) for sign, (left, right) in zip(node.operators, sides, strict=True))
