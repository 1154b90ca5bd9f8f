"""Sets that unions, intersections and differences make of letters: equal where each element is in both or in none."""

import itertools

from grading.equivalence.finding import Finding, different, equal
from grading.equivalence.signs import rewrite
from grading.language.tree import Function, NamedSet, Node, Power, SetOperation, Symbol
from grading.language.walking import parts

_MOST = 8
_OPERATIONS = {"union", "intersection", "difference"}
_EMPTY = NamedSet("empty")
_ALL = NamedSet("all")
_PRIMED = 2


def compare_venn(gold: Node, given: Node) -> Finding | None:
    """The finding for two sets of which at least one joins letters; None of sets that have members of their own."""
    if not parts(gold, SetOperation) and not parts(given, SetOperation):
        return None
    gold, given = (rewrite(side, _complement) for side in (gold, given))
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


def _complement(node: Node) -> Node:
    """`A^c`, `\\bar A`, `A'` and `\\overline{A \\cap B}` as all that is not in the set."""
    match node:
        case Power(base=Symbol() | SetOperation() as inner, exponent=Symbol(name="c" | "C")):
            return SetOperation("difference", (_ALL, inner))
        case Function(name="conj", arguments=(Symbol() | SetOperation() as inner,)):
            return SetOperation("difference", (_ALL, inner))
        case Symbol(name=name) if name.startswith("bar:") or (name.endswith("'") and len(name) == _PRIMED):
            return SetOperation("difference", (_ALL, Symbol(name.removeprefix("bar:").removesuffix("'"))))
    return node


def _is_drawn(node: Node) -> bool:
    if isinstance(node, SetOperation):
        return node.operation in _OPERATIONS and all(map(_is_drawn, node.operands))
    return node in (_EMPTY, _ALL) or (isinstance(node, Symbol) and ":" not in node.name)


def _holds(node: Node, inside: dict[str, bool]) -> bool:
    """Whether an element is in a set, by the letters' sets that it is in."""
    if isinstance(node, Symbol):
        return inside[node.name]
    if not isinstance(node, SetOperation):
        return node == _ALL
    first, *others = (_holds(operand, inside) for operand in node.operands)
    if node.operation == "union":
        return first or any(others)
    return first and (all(others) if node.operation == "intersection" else not any(others))
