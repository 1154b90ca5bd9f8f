"""Left sides of an answer that can be worked out: expressions, and integrals beside their antiderivative."""

from dataclasses import replace
from fractions import Fraction

from grading.equivalence.expressions import compare_expressions, symbols
from grading.equivalence.finding import Finding, Rules
from grading.equivalence.members import Same
from grading.equivalence.signs import substituted
from grading.equivalence.values import NOT_NUMBERS
from grading.language.tree import Bound, Call, Node, Number, Product, Relation
from grading.language.walking import walk

_ROUNDED = Fraction(1, 100)
_EULER = Product((Number(Fraction(-1)), Call("psi", (Number(Fraction(1)),))))


def worked_out(gold: Node, given: Node, rules: Rules, same: Same) -> Finding | None:
    """`(q-5)(r+2) = qr + 2q - 5r - 10`: a chain of expressions that are all equal, of which the last is the answer.

    Of `12c/13 \\approx 0.923c` the exact side is the answer, where the other one is it rounded.
    """
    if not isinstance(given, Relation) or not set(given.operators) <= {"=", "~="} or not symbols(given.operands[-1]):
        return None
    if any(isinstance(part, NOT_NUMBERS) for part in given.operands):
        return None
    exact = given.operators.index("~=") + 1 if "~=" in given.operators else _exact_sides(given)
    (*before, last), rounded = given.operands[:exact], given.operands[exact:]
    if symbols(last) != symbols(given.operands[-1]):
        return None
    alike = [compare_expressions(last, part, Rules()).equal for part in before]
    alike += [compare_expressions(last, part, Rules(rel_tol=_ROUNDED)).equal for part in rounded]
    if not all(alike):
        return None
    finding = same(gold, last, rules)
    return same(gold, rounded[-1], rules) if rounded and not finding.equal else finding


def _exact_sides(given: Relation) -> int:
    """How many members of a chain are exact: a decimal behind `=` is the one before it rounded (`12c/13 = 0.923c`)."""
    *before, last = [any(_is_decimal(part) for part in walk(each)) for each in given.operands]
    return len(given.operands) - 1 if last and not any(before) else len(given.operands)


def _is_decimal(node: Node) -> bool:
    return isinstance(node, Number) and bool(node.places)


def is_other_integrand(head: Node, value: Node, rules: Rules) -> bool:
    """Whether a left side `\\int f dx` has another integrand than the derivative of what is said to be its value."""
    if not isinstance(head, Bound) or head.kind != "integral" or head.lower is not None:
        return False
    slope = Bound("derivative", value, head.variable, Number(Fraction(1)), None)
    return compare_expressions(slope, head.body, replace(rules, rel_tol=None, exact=False)).different


def with_eulers_constant(gold: Node, given: Node) -> tuple[Node, Node]:
    """Both with Euler's constant for gamma, where it is the only letter of one and the other is a number."""
    letters = symbols(gold), symbols(given)
    if all(letters) or letters[0] | letters[1] != {"gamma"}:
        return gold, given
    return substituted(gold, "gamma", _EULER), substituted(given, "gamma", _EULER)
