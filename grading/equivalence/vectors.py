"""Vectors before they are compared: points plus multiples of directions, and one dress for unit vectors."""

from collections.abc import Sequence

from grading.equivalence.signs import renamed
from grading.language.tree import Call, Node, Product, Sum, Symbol, Tuple
from grading.language.walking import parts

_UNITS = {
    **{f"{dress}:{letter}": axis for dress in ("hat", "vec") for axis, letter in enumerate("ijk")},
    **{f"hat:{letter}": axis for axis, letter in enumerate("xyz")},
}
_FUNCTIONS = frozenset("fghFGHPT")


def summed(part: Sum) -> Node:
    """`(1, 2, 0) + t (1, -1, 3)` entry by entry; any other sum as it is."""
    points = [term for term in part.terms if isinstance(term, Tuple)]
    if not points or points[0].bracket not in ("()", "<>"):
        return part
    rows = [_entries(term, len(points[0].items)) for term in part.terms]
    if any(row is None for row in rows):
        return part
    known = [row for row in rows if row is not None]
    return Tuple(tuple(Sum(tuple(entries)) for entries in zip(*known, strict=True)), points[0].bracket)


def _entries(term: Node, size: int) -> Sequence[Node] | None:
    """Entries of a tuple, or of what a letter before a bracket multiplies (`t(1, -1, 3)`)."""
    if isinstance(term, Product) and len(term.factors) > 1:
        inner = _entries(term.factors[-1], size)
        return None if inner is None else [Product((*term.factors[:-1], entry)) for entry in inner]
    if isinstance(term, Tuple):
        return term.items if len(term.items) == size else None
    if isinstance(term, Call) and len(term.arguments) == size and term.name not in _FUNCTIONS:
        return [Product((Symbol(term.name), entry)) for entry in term.arguments]
    return None


def one_dress(gold: Node, given: Node) -> Node:
    """The answer with its unit vectors as the gold writes them (`\\hat x` as `\\mathbf i`)."""
    ours, theirs = (_units(node) for node in (gold, given))
    if not ours or not theirs or ours & theirs:
        return given
    dress, letters = min(ours)[:4], "ijk" if min(ours)[4] in "ijk" else "xyz"
    return renamed(given, {name: f"{dress}{letters[_UNITS[name]]}" for name in theirs})


def _units(node: Node) -> set[str]:
    return {part.name for part in parts(node, Symbol) if part.name in _UNITS}
