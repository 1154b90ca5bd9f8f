"""Sets of reals given by conditions that were not solved (`x^2 < 4`), compared with sets written as intervals."""

from fractions import Fraction

from grading.equivalence.evaluate import satisfied
from grading.equivalence.exactly import is_infinite
from grading.equivalence.expressions import symbols
from grading.equivalence.finding import Finding, different, equal, unknown
from grading.equivalence.numbers import show, value_of
from grading.equivalence.point import Point, UndefinedError, UnsupportedError, Value, context
from grading.equivalence.reals import Piece
from grading.language.tree import Builder, Listing, NamedSet, Node, Relation, Symbol

_SIGNS = frozenset({"<", ">", "<=", ">=", "!="})
_NEAR = Fraction(1, 10**6)
_REACH = 60
_SAMPLES = 97


def condition_of(node: Node) -> tuple[str, Node] | None:
    """The one variable and the inequalities that a node states about it; None of any other node."""
    if isinstance(node, Builder) and isinstance(node.term, Symbol | Relation):
        stated = [part for part in (node.term, *node.conditions) if isinstance(part, Relation)]
    else:
        stated = [part for part in (node.items if isinstance(node, Listing) else (node,)) if isinstance(part, Relation)]
        if isinstance(node, Listing) and len(stated) != len(node.items):
            return None
    kept = [part for part in stated if not (part.operators == ("in",) and part.operands[1] == NamedSet("R"))]
    names = {name for part in kept for name in symbols(part)}
    if not kept or len(names) != 1 or any(sign not in _SIGNS for part in kept for sign in part.operators):
        return None
    joiner = node.joiner if isinstance(node, Listing) and node.joiner == "or" else "and"
    return names.pop(), kept[0] if len(kept) == 1 else Listing(tuple(kept), joiner)


def compare_with_conditions(pieces: list[Piece], node: Node) -> Finding | None:
    """Try the conditions at the ends of the intervals, close beside them, and at points all over the line."""
    stated = condition_of(node)
    if stated is None:
        return None
    name, condition = stated
    try:
        bounds = [(_end(piece.low), _end(piece.high)) for piece in pieces]
        if any(context().im(end) for pair in bounds for end in pair):
            return different("an end of the set is no real number")
        for value in _places(bounds):
            inside = _inside(value, pieces, bounds)
            if _true(condition, name, value) != inside:
                which = "outside" if inside else "inside"
                return different(f"{name} = {show(value)} lies {which} the set that the conditions describe")
    except (UndefinedError, UnsupportedError) as error:
        return unknown(f"the conditions could not be tried: {error}")
    return equal("the conditions hold inside the set, at its ends as stated, and nowhere else that was tried")


def _true(condition: Node, name: str, value: Value) -> bool:
    try:
        return satisfied(condition, Point("condition", 0, 1, given={name: value}))
    except UndefinedError:
        return False


def _end(node: Node) -> Value:
    infinite = is_infinite(node)
    return infinite * context().inf if infinite else value_of(node)


def _places(bounds: list[tuple[Value, Value]]) -> list[Value]:
    ctx = context()
    near = ctx.mpf(_NEAR.numerator) / _NEAR.denominator
    ends = [end for pair in bounds for end in pair if ctx.isfinite(end)]
    places = [end + step * near * (1 + abs(end)) for end in ends for step in (-1, 0, 1)]
    places += [(low + high) / 2 for low, high in bounds if ctx.isfinite(low) and ctx.isfinite(high)]
    reach = max([_REACH, *(2 * abs(end) for end in ends)])
    # An odd number of irrational steps, so that no sample falls on a round number that only one side excludes.
    step = 2 * reach / (_SAMPLES + 1 / ctx.pi)
    return places + [step * k - reach for k in range(_SAMPLES)]


def _inside(value: Value, pieces: list[Piece], bounds: list[tuple[Value, Value]]) -> bool:
    for piece, (low, high) in zip(pieces, bounds, strict=True):
        above = low < value or (piece.low_closed and low == value)
        below = value < high or (piece.high_closed and high == value)
        if above and below:
            return True
    return False
