"""Which trees have no numeric value."""

from grading.language.tree import (
    Builder,
    Ellipsis,
    Interval,
    Listing,
    Matrix,
    NamedSet,
    Node,
    Piecewise,
    Ratio,
    Relation,
    SetOf,
    SetOperation,
    Text,
    Tuple,
)
from grading.language.walking import children, walk

NOT_NUMBERS = (
    Tuple,
    Interval,
    SetOf,
    SetOperation,
    Builder,
    NamedSet,
    Listing,
    Matrix,
    Relation,
    Ellipsis,
    Ratio,
    Text,
)

_ODD = frozenset(NOT_NUMBERS)


def is_odd(node: Node) -> bool:
    """Whether a tree holds what has no numeric value; the conditions of branches do not count."""
    parts = walk(node)
    if _ODD.isdisjoint(map(type, parts)):
        return False
    if isinstance(node, Piecewise):
        return any(is_odd(value) for value, _ in node.branches)
    return isinstance(node, NOT_NUMBERS) or any(is_odd(part) for part in children(node))
