"""Brings two trees to the same spelling before they are compared."""

import re
from fractions import Fraction

from grading.equivalence.ellipses import dots_summed
from grading.equivalence.signs import calls_resolved, rewrite
from grading.language.read import walk
from grading.language.tree import Call, NamedSet, Node, Number, Power, Product, SetOperation, Symbol

_DERIVATIVE = re.compile(r"^([DP])(\d)\[(.+);(.+)\]$")
_LAPLACE = Power(Symbol("nabla"), Number(Fraction(2), None, 1))
_DOTS = {"dot": 1, "ddot": 2, "dddot": 3}


def unified(gold: Node, given: Node) -> tuple[Node, Node]:
    """Both trees with products for calls of names that also stand alone, and one name for each derivative."""
    names = {part.name for node in (gold, given) for part in walk(node) if isinstance(part, Symbol)}
    called = {part.name for node in (gold, given) for part in walk(node) if isinstance(part, Call)}
    bare = frozenset(called & names)
    derivatives = _derivatives(names)
    laplacian = "nabla" in names

    def rule(part: Node) -> Node:
        if isinstance(part, Symbol):
            return _symbol(part, derivatives)
        if part == _LAPLACE:
            return Symbol("laplacian")
        if isinstance(part, Power) and isinstance(part.base, NamedSet):
            repeated = _repeated(part)
            return SetOperation("plus", tuple(repeated)) if len(repeated) > 1 else part
        if isinstance(part, Product) and len(part.factors) > 1 and all(_is_group(factor) for factor in part.factors):
            return _direct_sum(SetOperation("plus", part.factors))
        if isinstance(part, SetOperation) and part.operation == "plus":
            return _direct_sum(part)
        return part

    first, second = (rewrite(calls_resolved(dots_summed(node), bare), rule) for node in (gold, given))
    if laplacian:
        first, second = (_with_laplacian(node) for node in (first, second))
    return first, second


def _with_laplacian(node: Node) -> Node:
    def rule(part: Node) -> Node:
        return Symbol("laplacian") if part == Symbol("Delta") else part

    return rewrite(node, rule)  # type: ignore[no-any-return]


def _derivatives(names: set[str]) -> dict[str, str]:
    """Names of primes and dots to the full derivative that occurs beside them."""
    found: dict[str, str] = {}
    for name in names:
        match = _DERIVATIVE.match(name)
        if match is None or match[1] != "D":
            continue
        order, body = int(match[2]), match[3]
        found[body + "'" * order] = name
        if match[4] == "t":
            found.update({f"{dot}:{body}": name for dot, times in _DOTS.items() if times == order})
    return found


def _symbol(part: Symbol, derivatives: dict[str, str]) -> Symbol:
    return Symbol(derivatives[part.name]) if part.name in derivatives else part


def _direct_sum(part: SetOperation) -> Node:
    """`Z (+) Z` flat and sorted, with `Z^2` written out."""
    flat: list[Node] = []
    for operand in part.operands:
        if isinstance(operand, SetOperation) and operand.operation == "plus":
            flat.extend(operand.operands)
        else:
            flat.extend(_repeated(operand))
    return SetOperation("plus", tuple(sorted(flat, key=repr)))


def _is_group(node: Node) -> bool:
    base = node.base if isinstance(node, Power) else node
    return isinstance(base, NamedSet) or (isinstance(base, Symbol) and base.name.startswith("bb:"))


def _repeated(node: Node) -> list[Node]:
    if isinstance(node, Power) and isinstance(node.base, NamedSet) and isinstance(node.exponent, Number):
        count = node.exponent.value
        if count.denominator == 1 and 1 <= count <= 20:
            return [node.base] * int(count)
    return [node]
