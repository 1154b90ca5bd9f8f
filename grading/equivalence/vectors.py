"""Vectors and matrices before they are compared: points plus multiples of directions, unit vectors, `2 I_3`."""

import re
from collections.abc import Sequence
from fractions import Fraction

from grading.equivalence.definitions import definition_of, value_of
from grading.equivalence.expressions import symbols
from grading.equivalence.members import components
from grading.equivalence.signs import renamed, rewrite
from grading.language.tree import (
    Call,
    Interval,
    Listing,
    Matrix,
    Node,
    Number,
    Power,
    Product,
    Quotient,
    Relation,
    SetOf,
    Sum,
    Symbol,
    Tuple,
)
from grading.language.walking import parts, walk

_UNITS = {
    **{f"{dress}:{letter}": axis for dress in ("hat", "vec") for axis, letter in enumerate("ijk")},
    **{f"hat:{letter}": axis for axis, letter in enumerate("xyz")},
}
_IDENTITY = re.compile(r"(?:bb:|vec:|cal:)?(?:I|Id|1)(?:_(?P<size>\d|\w))?")
_NOUGHT = re.compile(r"(?:bb:|vec:)?[O0](?:_(?P<size>\d))?")
_NAMED = re.compile(r"(?:hat|vec):[ea]_([a-z]+)")
"""`\\mathbf e_r`, which is `\\hat r`."""
_AXES = ("x", "y", "z")
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
    given = _with_hats(gold, given)
    ours, theirs = (_units(node) for node in (gold, given))
    if not ours or not theirs or ours & theirs:
        return given
    dress, letters = min(ours)[:4], "ijk" if min(ours)[4] in "ijk" else "xyz"
    return renamed(given, {name: f"{dress}{letters[_UNITS[name]]}" for name in theirs})


def _with_hats(gold: Node, given: Node) -> Node:
    """The answer with `\\mathbf e_r` for `\\hat r` where the gold writes `\\mathbf e`, and the other way round."""
    ours, theirs = ({part.name for part in parts(node, Symbol)} for node in (gold, given))
    wanted = {found[1]: name for name in ours if (found := _NAMED.fullmatch(name)) is not None}
    if wanted:
        return renamed(given, {f"hat:{letter}": name for letter, name in wanted.items() if f"hat:{letter}" in theirs})
    named = {name: f"hat:{found[1]}" for name in theirs if (found := _NAMED.fullmatch(name)) is not None}
    return renamed(given, named) if named and all(name in ours | set(_UNITS) for name in named.values()) else given


def _units(node: Node) -> set[str]:
    return {part.name for part in parts(node, Symbol) if part.name in _UNITS}


def with_identities(node: Node, other: Node) -> Node:
    """`2 I_3`, `A^2 = I`, `A^2 = 0` with the matrices that they are, beside a square matrix; other nodes as they are.

    Nothing but numbers, `I` and what multiplies and adds them may stand there.
    """
    if len(matrices := parts(other, Matrix)) != 1:
        return node
    rows = matrices[0].rows
    if any(len(row) != len(rows) for row in rows):
        return node
    if isinstance(node, Relation):
        head, *forms = node.operands
        return Relation((head, *(_identity(form, len(rows)) for form in forms)), node.operators)
    return _identity(node, len(rows))


def _identity(node: Node, size: int) -> Node:
    if parts(node, Matrix):
        return node
    zero = isinstance(node, Number) and not node.value
    if zero or (isinstance(node, Symbol) and _is_of(node, _NOUGHT, size)):
        return _scalar(size, 0)
    letters = parts(node, Symbol)
    plain = all(isinstance(part, Symbol | Number | Sum | Product | Quotient | Power) for part in walk(node))
    if not plain or not letters or not all(_is_of(letter, _IDENTITY, size) for letter in letters):
        return node

    def rule(part: Node) -> Node:
        return _scalar(size, 1) if isinstance(part, Symbol) and _is_of(part, _IDENTITY, size) else part

    return rewrite(node, rule)  # type: ignore[no-any-return]


def _is_of(letter: Symbol, name: re.Pattern[str], size: int) -> bool:
    found = name.fullmatch(letter.name)
    return found is not None and found["size"] in (None, str(size))


def _scalar(size: int, value: int) -> Matrix:
    """The matrix with a number on its diagonal and nought beside it."""
    places = range(size)
    return Matrix(tuple(tuple(Number(Fraction(value * (row == column))) for column in places) for row in places))


def as_points(gold: Node, given: Node) -> tuple[Node, Node]:
    """A point that one side gives coordinate by coordinate, beside one that the other gives as a whole, as such a one.

    `x = 3 cos t, y = 3 sin t` is `(3 cos t, 3 sin t)`, whatever letter its point runs with.
    """
    gold, given = _one_by_one(gold, given), _one_by_one(given, gold)
    ours, theirs = _coordinates(gold), _coordinates(given)
    if ours is None and theirs is not None and _is_whole(gold, len(theirs)):
        return value_of(gold), _with_letter(Tuple(theirs), value_of(gold))
    if theirs is None and ours is not None and _is_whole(given, len(ours)):
        return Tuple(ours), _with_letter(value_of(given), Tuple(ours))
    return gold, given


def _one_by_one(node: Node, other: Node) -> Node:
    """`x = y = 0` as `x = 0, y = 0`, beside a list or a point."""
    if not isinstance(other, Listing | Tuple) or not isinstance(node, Relation) or set(node.operators) != {"="}:
        return node
    *heads, value = node.operands
    named = len({*heads}) == len(heads) > 1 and all(isinstance(head, Symbol) for head in heads)
    if not named or symbols(value):
        return node
    if isinstance(other, Tuple):
        return Tuple((value,) * len(heads))
    return Listing(tuple(Relation((head, value), ("=",)) for head in heads))


def _coordinates(node: Node) -> tuple[Node, ...] | None:
    """The values of `x = ..., y = ..., z = ...` in that order, of which one has a letter; None of other lists."""
    defined = [definition_of(item) for item in node.items] if isinstance(node, Listing) else []
    known = {item.name: item.value for item in defined if item is not None}
    names = _AXES[: len(known)]
    if len(known) < max(len(defined), 2) or {*known} != {*names}:
        return None
    values = tuple(known[name] for name in names)
    letters = {name for value in values for name in symbols(value)}
    return values if letters and not letters & {*names} else None


def _is_whole(node: Node, size: int) -> bool:
    """Whether a node is a point of so many coordinates, with or without a name."""
    value = value_of(node)
    if isinstance(value, Listing | SetOf | Interval):
        return False
    found = components(value)
    return found is not None and len(found) == size


def _with_letter(node: Node, other: Node) -> Node:
    """A point in the one letter that the other one runs with."""
    ours, theirs = symbols(node), symbols(other)
    alone = len(ours - theirs) == len(theirs - ours) == 1
    return renamed(node, {min(ours - theirs): min(theirs - ours)}) if alone else node
