"""Ratios `a : b : c`, up to a common factor."""

from grading.equivalence.expressions import compare_expressions
from grading.equivalence.finding import Finding, Rules, all_equal, different
from grading.language.tree import Node, Number, Product, Quotient, Ratio


def compare_ratios(gold: Node, given: Node, rules: Rules) -> Finding:
    """Cross products agree; a ratio of two equals its quotient."""
    left = gold.parts if isinstance(gold, Ratio) else (gold,)
    right = given.parts if isinstance(given, Ratio) else (given,)
    if len(left) != len(right):
        return _against_quotient(left, right, rules)
    if any(isinstance(part, Number) and not part.value for part in (*left, *right)):
        return all_equal((compare_expressions(a, b, rules) for a, b in zip(left, right, strict=True)), "the same parts")
    first, other = left[0], right[0]
    pairs = ((Product((a, other)), Product((b, first))) for a, b in zip(left, right, strict=True))
    return all_equal((compare_expressions(a, b, rules) for a, b in pairs), "the same ratio")


def _against_quotient(left: tuple[Node, ...], right: tuple[Node, ...], rules: Rules) -> Finding:
    if {len(left), len(right)} != {1, 2}:
        return different("ratios of different lengths")
    first = left[0] if len(left) == 1 else Quotient(*left)
    second = right[0] if len(right) == 1 else Quotient(*right)
    return compare_expressions(first, second, rules)
