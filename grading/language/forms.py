"""Demands on how an answer is written, beyond what it means."""

from fractions import Fraction
from math import gcd

from grading.language.limits import LanguageError
from grading.language.read import read
from grading.language.tree import Bound, Function, Node, Number, Power, Product, Quotient, Relation, Sum
from grading.language.walking import walk


def form_problem(text: str, form: str) -> str | None:
    """Why a text is not in the asked form (`closed`, `exact`, `factored`, `simplified`); None where it is."""
    try:
        node = read(text).node
    except LanguageError:
        return None
    while isinstance(node, Relation):
        node = node.operands[-1]
    checks = {"closed": _not_closed, "exact": _not_exact, "factored": _not_factored, "simplified": _not_simple}
    return checks[form](node)


def _not_closed(node: Node) -> str | None:
    bound = next((part for part in walk(node) if isinstance(part, Bound)), None)
    return f"a {bound.kind} that was not worked out" if bound else None


def _not_exact(node: Node) -> str | None:
    inexact = any(isinstance(part, Number) and part.places is not None for part in walk(node))
    return "a decimal where an exact form was asked for" if inexact else None


def _not_factored(node: Node) -> str | None:
    return "a sum where a product of factors was asked for" if isinstance(node, Sum) else None


def _not_simple(node: Node) -> str | None:
    for part in walk(node):
        if isinstance(part, Quotient) and _reducible(part):
            return "a fraction that is not in lowest terms"
        if isinstance(part, Function) and part.name == "root" and _square_inside(part):
            return "a root with a square left inside"
        if isinstance(part, Sum) and sum(isinstance(term, Number) for term in part.terms) > 1:
            return "a sum of numbers that was not added up"
        if isinstance(part, Product) and sum(_whole(factor) > 1 for factor in part.factors) > 1:
            return "a product of numbers that was not multiplied out"
        if isinstance(part, Power) and part.exponent == Number(Fraction(1)):
            return "a power of one"
    return None


def _whole(node: Node) -> int:
    return abs(int(node.value)) if isinstance(node, Number) and node.value.denominator == 1 else 0


def _reducible(part: Quotient) -> bool:
    top, bottom = _whole(part.over), _whole(part.under)
    return bool(bottom and (gcd(top, bottom) > 1 or bottom == 1))


def _square_inside(part: Function) -> bool:
    inside = _whole(part.arguments[0])
    return _whole(part.arguments[1]) == 2 and any(inside % (k * k) == 0 for k in range(2, min(1000, inside) + 1))
