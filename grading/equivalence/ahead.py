"""The answer's own values, found before anything is compared: the work they take says nothing about the gold.

An answer that cannot be evaluated is unparseable whatever the gold. Otherwise an expression that is costly or
impossible only at some points, added to a guess, would tell from the outside whether the guess is right.
"""

from collections.abc import Iterator
from itertools import islice

from grading.equivalence.definitions import definition_of
from grading.equivalence.evaluate import evaluate, is_evaluated
from grading.equivalence.exactly import exact
from grading.equivalence.expressions import Domain, integer_symbols, is_positive, points, points_needed, symbols
from grading.equivalence.finding import Rules
from grading.equivalence.numbers import has_imaginary, is_constant, place_of
from grading.equivalence.point import Point, UndefinedError, UnsupportedError, Work
from grading.language.tree import Bound, Function, Node, Piecewise, Relation, Symbol
from grading.language.walking import children, parts

_FAILURES = 5
"""Places at which an integral with letters may fail, if it converges elsewhere."""
_POINTS = 6
"""One point of every range."""


def evaluate_ahead(node: Node, rules: Rules, work: Work) -> str | None:
    """Evaluate every part of an answer that has a value, at points that depend on the answer and the rules alone.

    Values go to `work`, where the comparison finds them. Says what cannot be evaluated, or None.
    """
    problem: str | None = None
    for part in numeric_parts(node):
        # An integral with a letter for a bound need not converge at every place of that letter.
        known, failed, tries = 0, None, _FAILURES if not isinstance(node, Relation) and _bounded_by_letters(part) else 1
        for point in _places(part, rules):
            try:
                work.value(part, point, evaluate)
                known += 1
            except UndefinedError:
                continue
            except UnsupportedError as error:
                failed, tries = str(error), tries - 1
                if not tries:
                    break
        problem = problem or (failed if not tries or not known else None)
    return problem


def _bounded_by_letters(node: Node) -> bool:
    """Whether an integral in it has a bound or an integrand with letters other than its own."""
    return any(part.kind == "integral" and symbols(part) for part in parts(node, Bound))


def _places(part: Node, rules: Rules) -> Iterator[Point]:
    if is_constant(part):
        return iter(() if exact(part) is not None else (place_of(part),))
    domain = _domain(part, rules)
    return islice(points(domain), max(_POINTS, points_needed(part, domain)))


def numeric_parts(node: Node) -> Iterator[Node]:
    """The largest parts of a tree that have a numeric value each: members of lists, sides of relations."""
    if _is_numeric(node):
        yield node
        return
    if isinstance(node, Relation) and _is_name(node):
        # The name of what was asked for (`\\int_0^1 f(x) dx = 3`) has no value of its own.
        node = Relation((Symbol("name"), *node.operands[1:]), node.operators)
    for part in children(node):
        yield from numeric_parts(part)


def _is_name(node: Relation) -> bool:
    return bool(parts(node.operands[0], Bound)) and definition_of(node) is not None


def _is_numeric(node: Node) -> bool:
    if not is_evaluated(node) or (isinstance(node, Function) and node.name in ("diag", "span")):
        return False
    if isinstance(node, Piecewise):
        return all(_is_numeric(value) for value, _ in node.branches)
    return all(_is_numeric(part) for part in children(node))


def _domain(node: Node, rules: Rules) -> Domain:
    names = symbols(node)
    integers = integer_symbols(node) | {name for name, kind in rules.assumed.items() if kind == "integer"}
    if rules.assume == "integer":
        integers |= names
    positives = frozenset(name for name in names if is_positive(name, rules))
    positive = positives == names if names else rules.assume == "positive"
    return Domain(positive, frozenset(integers), not has_imaginary(node), positives)


def behind_what_is_named(node: Node) -> Node | None:
    """The end of a chain that begins with an integral or a sum, or takes a determinant of letters; None of others."""
    if not isinstance(node, Relation) or set(node.operators) != {"="}:
        return None
    if any(part.name == "det" for side in node.operands[1:-1] for part in parts(side, Function)):
        return Relation((node.operands[0], node.operands[-1]), ("=",))
    if not isinstance(node.operands[0], Bound):
        return None
    *between, last = node.operands[1:]
    return Relation((*between, last), node.operators[1:]) if between else last
