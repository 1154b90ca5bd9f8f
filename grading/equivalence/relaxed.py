"""Equality up to a factor, a sign, an added constant or a permutation of the symbols."""

from fractions import Fraction
from itertools import permutations

from grading.equivalence.decide import compare
from grading.equivalence.definitions import definition_of
from grading.equivalence.expressions import difference, symbols
from grading.equivalence.finding import Rules
from grading.equivalence.members import compare_unordered, components
from grading.equivalence.normal import unified
from grading.equivalence.relations import constant_ratio, negated
from grading.equivalence.signs import renamed
from grading.language.limits import LanguageError
from grading.language.read import read
from grading.language.tree import Node, Number, Product

_MAX_PERMUTED = 4
_MAX_ENTRIES = 30


def relaxed(gold: str, given: str, how: str, rules: Rules) -> bool:
    """Whether the two agree up to `how`: `constant`, `sign`, `additive` or `permutation`."""
    try:
        left, right = read(gold, rules.variables).node, read(given, rules.variables).node
    except LanguageError:
        return False
    left, right = unified(_value(left), _value(right))
    return {"constant": _factor, "sign": _sign, "additive": _additive, "permutation": _permuted}[how](
        left, right, rules
    )


def _value(node: Node) -> Node:
    defined = definition_of(node)
    return defined.value if defined is not None else node


def _factor(left: Node, right: Node, rules: Rules) -> bool:
    return bool(constant_ratio(left, right, rules))


def _sign(left: Node, right: Node, rules: Rules) -> bool:
    first, second = unified(left, negated(right))
    return compare(first, second, rules).equal


def _additive(left: Node, right: Node, rules: Rules) -> bool:
    """The difference of the two does not change: it keeps its ratio to a constant."""
    gap = difference(left, right)
    one = Number(Fraction(1))
    if compare(left, right, rules).equal:
        return True
    return bool(constant_ratio(gap, Product((one, one)), rules))


def _permuted(left: Node, right: Node, rules: Rules) -> bool:
    entries, others = components(left), components(right)
    if entries is not None and others is not None and len(entries) > 1:
        ordered = len(entries) == len(others) <= _MAX_ENTRIES
        return ordered and compare_unordered(entries, others, rules, compare).equal
    names = sorted(symbols(right))
    if len(names) > _MAX_PERMUTED or len(names) != len(symbols(left)):
        return False
    targets = sorted(symbols(left))
    orders = (dict(zip(names, order, strict=True)) for order in permutations(targets))
    return any(compare(left, renamed(right, mapping), rules).equal for mapping in orders)
