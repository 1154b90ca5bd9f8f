"""Values of expressions whose letters are given, for templates."""

from fractions import Fraction

from grading.equivalence.evaluate import evaluate
from grading.equivalence.exactly import exact
from grading.equivalence.expressions import symbols
from grading.equivalence.point import Point, Value
from grading.equivalence.signs import rewrite
from grading.language.limits import LanguageError
from grading.language.read import read
from grading.language.tree import Node, Number, Symbol


def evaluate_constants(expression: str, values: dict[str, Fraction]) -> Fraction | Value:
    """The value with letters replaced: a Fraction where it is rational, else a 40-digit `mpf` or `mpc`."""
    parsed = read(expression, frozenset(values))
    if parsed.conditions:
        raise LanguageError("an expression to evaluate takes no conditions")
    missing = symbols(parsed.node) - set(values)
    if missing:
        raise LanguageError(f"no value for {', '.join(sorted(missing))}; values were given for {', '.join(values)}")

    def rule(part: Node) -> Node:
        return Number(Fraction(values[part.name])) if isinstance(part, Symbol) and part.name in values else part

    node: Node = rewrite(parsed.node, rule)
    rational = exact(node)
    return rational if rational is not None else evaluate(node, Point("template", 0, 1))
