"""Spans of vectors: `span{(1,-1,0),(1,0,-1)}` is each span of other vectors with the same reduced rows."""

from fractions import Fraction

from grading.equivalence import members
from grading.equivalence.definitions import value_of
from grading.equivalence.exactly import exact
from grading.equivalence.finding import Finding, different, equal, unknown
from grading.language.tree import Function, Node, Number, SetOf, Tuple

_MOST = 12
_Rows = list[list[Fraction]]


def compare_span(gold: Node, given: Node) -> Finding | None:
    """Two spans by their reduced rows; None where neither is one."""
    vectors = _vectors(value_of(gold)), _vectors(value_of(given))
    if vectors == (None, None):
        return None
    if vectors[0] is None or vectors[1] is None:
        return different("only one of the two is a span")
    ours, theirs = (_rows(each) for each in vectors if each is not None)
    if ours is None:
        return unknown("a span of vectors that are not of rational numbers")
    if theirs is None:
        return different("a span of other vectors than those of rational numbers")
    return equal("the same span") if _reduced(ours) == _reduced(theirs) else different("another span")


def _vectors(node: Node) -> tuple[Node, ...] | None:
    """The vectors between the brackets of a span; None of any other node."""
    if not isinstance(node, Function) or node.name != "span":
        return None
    found = node.arguments
    if len(found) == 1 and isinstance(found[0], SetOf):
        found = found[0].items
    numbers = all(isinstance(each, Number) or exact(each) is not None for each in found)
    return (Tuple(found, "()"),) if numbers and found else found


def _rows(vectors: tuple[Node, ...]) -> _Rows | None:
    rows = []
    for vector in vectors:
        entries = [exact(entry) for entry in members.components(vector) or ()]
        if not entries or None in entries or max(len(entries), len(vectors)) > _MOST:
            return None
        rows.append([entry for entry in entries if entry is not None])
    return rows if len({len(row) for row in rows}) == 1 else None


def _reduced(rows: _Rows) -> _Rows:
    """The rows of the reduced echelon form that are not zero."""
    rows, found = [list(row) for row in rows], 0
    for column in range(len(rows[0])):
        pivot = next((place for place in range(found, len(rows)) if rows[place][column]), None)
        if pivot is None:
            continue
        rows[found], rows[pivot] = rows[pivot], rows[found]
        lead = rows[found][column]
        rows[found] = [entry / lead for entry in rows[found]]
        for place, row in enumerate(rows):
            if place != found and row[column]:
                rows[place] = [one - row[column] * other for one, other in zip(row, rows[found], strict=True)]
        found += 1
        if found == len(rows):
            break
    return rows[:found]
