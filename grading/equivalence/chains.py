"""Chains of equal values: `35 + 70 = 105`, `sqrt(3)/3 ~ 0.577`."""

from fractions import Fraction

from grading.equivalence.expressions import symbols
from grading.equivalence.finding import Rules
from grading.equivalence.numbers import compare_constants, is_constant
from grading.equivalence.values import NOT_NUMBERS
from grading.language.tree import Constant, Matrix, Node, Relation, Symbol, Tuple
from grading.language.walking import walk

_NEARLY = Fraction(1, 20)


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
    """Whether an approximation is none: more than a twentieth away."""
    return compare_constants(value, rounded, Rules(rel_tol=_NEARLY)).different
