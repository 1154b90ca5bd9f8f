"""Sets that unions, intersections and differences make of letters: equal where each element is in both or in none."""

import itertools

from grading.equivalence.finding import Finding, different, equal
from grading.language.tree import NamedSet, Node, SetOperation, Symbol
from grading.language.walking import parts

_MOST = 8
_OPERATIONS = {"union", "intersection", "difference"}
_EMPTY = NamedSet("empty")


def compare_venn(gold: Node, given: Node) -> Finding | None:
    """The finding for two sets of which at least one joins letters; None of sets that have members of their own."""
    if not any(isinstance(side, SetOperation) for side in (gold, given)) or not (_is_drawn(gold) and _is_drawn(given)):
        return None
    names = sorted({part.name for side in (gold, given) for part in parts(side, Symbol)})
    if not names or len(names) > _MOST:
        return None
    for held in itertools.product((False, True), repeat=len(names)):
        inside = dict(zip(names, held, strict=True))
        if _holds(gold, inside) != _holds(given, inside):
            return different(
                f"differs in what is in {', '.join(name for name in names if inside[name]) or 'none'} only"
            )
    return equal("the same parts of the letters' sets")


def _is_drawn(node: Node) -> bool:
    if isinstance(node, SetOperation):
        return node.operation in _OPERATIONS and all(map(_is_drawn, node.operands))
    return node == _EMPTY or (isinstance(node, Symbol) and ":" not in node.name)


def _holds(node: Node, inside: dict[str, bool]) -> bool:
    """Whether an element is in a set, by the letters' sets that it is in."""
    if isinstance(node, Symbol):
        return inside[node.name]
    if not isinstance(node, SetOperation):
        return False
    first, *others = (_holds(operand, inside) for operand in node.operands)
    if node.operation == "union":
        return first or any(others)
    return first and (all(others) if node.operation == "intersection" else not any(others))
