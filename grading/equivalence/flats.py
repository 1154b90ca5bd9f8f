"""Lines, planes and spaces by the points on them: by a point and directions, by equations, by spanning vectors.

Where a question asks for such a thing, or for a basis or a direction, another description of the same one is right.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from grading.equivalence import members
from grading.equivalence.definitions import definition_of, value_of
from grading.equivalence.evaluate import evaluate
from grading.equivalence.exactly import exact
from grading.equivalence.expressions import symbols
from grading.equivalence.families import is_limited
from grading.equivalence.finding import Finding, Rules, different, equal
from grading.equivalence.point import Point, UndefinedError, UnsupportedError
from grading.equivalence.pointsets import compare_points
from grading.equivalence.precision import same_value
from grading.equivalence.signs import substituted
from grading.equivalence.stated import Stated
from grading.language.tree import (
    Builder,
    Call,
    Listing,
    NamedSet,
    Node,
    Number,
    Power,
    Product,
    Relation,
    SetOf,
    Symbol,
    Tuple,
)

Rows = list[list[Fraction]]
MOST: Final = 12
"""Entries of a vector, and vectors, that are looked at."""
_FLAT: Final = re.compile(
    r"parametri[sz]|\b(?:equations?|form|find|describe|give|determine|write)\b[^.?]{0,80}\b(?:line|plane)\b|\blinear\s+(?:system|equations)\b"
    r"|\bsystem\s+of\b|\bsolve\s+the\s+(?:linear\s+)?system\b|general\s+solution|solution\s+set|\ball\s+(?:real\s+|\$?2\s*\\times\s*2\$?\s+)?(?:matrices|vectors|polynomials)\b|\bintersection\b|null\s?space|kernel",
    re.IGNORECASE,
)
_MOVING: Final = re.compile(
    r"\b(?:time|particle|veloc\w+|speed|moves?|moving|segment|ray|integers?|Diophantine)\b", re.IGNORECASE
)
"""What makes of a point with a letter one that moves, or one among others."""
_BASIS: Final = re.compile(r"\bbas[ie]s\b(?!\s+(?:of|for)\s+(?:the\s+)?(?:decision|claim))", re.IGNORECASE)
_ONE_BASIS: Final = re.compile(
    r"ortho(?:normal|gonal)|standard|canonical|Gram|dual|Jordan|chain|reduced|Gr[öo]bner|normali", re.IGNORECASE
)
_DIRECTION: Final = re.compile(
    r"\beigenvectors?\b|\b(?:normal|direction(?:al)?|perpendicular|orthogonal)\s+vectors?\b|\bvectors?\s+(?:that\s+is\s+)?(?:normal|perpendicular|orthogonal|parallel)\s+to\b",
    re.IGNORECASE,
)
_OF_ONE_SIZE: Final = re.compile(
    r"\bunit\b|normali|length|norm\b|magnitude|whose|component|sum\s+to|probabilit|stationary|Perron|ortho(?:normal|gonal\s+matrix)",
    re.IGNORECASE,
)
_WEIGHTS: Final = tuple(Fraction(1009 + 37 * place, 11 + place) for place in range(MOST))
_FACTORS: Final = frozenset("cktsarλ")
"""Letters before a bracket that multiply it: `c(1, -2, 1)`."""
_COORDINATES: Final = ("x", "y", "z", "w")


_MULTIPLES: Final = re.compile(
    r"^\W*(?:any|every|all|each)\s+(?:(?:non-?\s?zero|scalar)\s+)*multiples?\s+of\s+(?:the\s+vector\s+)?(?P<vector>\$?[^$.,;]*\([^()]{1,60}\)\$?|\$[^$]{1,120}\$)[\s.]*$",
    re.IGNORECASE,
)
"""`any nonzero multiple of (1, -2, 1)`"""


def as_direction(text: str, question: str) -> str:
    """A vector of which the multiples are said, where the question asks for a direction; other texts as they are."""
    found = _MULTIPLES.match(text) if "multiple" in text and _DIRECTION.search(question) is not None else None
    return text if found is None else found["vector"]


@dataclass(frozen=True, slots=True)
class Flat:
    """A point, and the reduced rows of the directions in which others lie."""

    point: tuple[Fraction, ...]
    directions: tuple[tuple[Fraction, ...], ...]


def reduced(rows: Rows) -> Rows:
    """The rows of the reduced echelon form that are not zero."""
    rows, found = [list(row) for row in rows], 0
    for column in range(len(rows[0]) if rows else 0):
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


def described_otherwise(gold: Stated, given: Stated, rules: Rules) -> Finding | None:
    """Lines, planes, bases and directions that the question asks for, and sets of points: described as one likes."""
    sides = (gold, given)
    read = bool(rules.question) and not any(side.unread for side in sides)
    real = all(index.other == "R" for side in sides for index in side.indexes.values())
    if read and real and all(map(_is_not_zero, (*gold.relations, *given.relations))):
        found = compare_directions(gold.node, given.node, rules.question)
        found = found or compare_flats(gold.node, given.node, rules.question)
        if found is not None:
            return found
    if given.relations and not gold.relations and is_limited(given.relations, rules.question):
        return different("the constant is not arbitrary")
    return compare_points(gold.node, given.node, rules)


def _is_not_zero(relation: Relation) -> bool:
    """`c != 0`, which leaves a multiple of a vector what it is."""
    return relation.operators == ("!=",) and exact(relation.operands[1]) == 0


def compare_flats(gold: Node, given: Node, question: str) -> Finding | None:
    """Equal where both are the line, plane or space that the question asks for; None of anything else."""
    if _FLAT.search(question) is None or _MOVING.search(question) is not None:
        return None
    expected, found = flat_of(gold), flat_of(given)
    if expected is None or found is None:
        sizes = [len(side.point) for side in (expected, found) if side is not None]
        if not sizes:
            return None
        expected = expected or flat_of(gold, sizes[0])
        found = found or flat_of(given, sizes[0])
    return equal("the same points") if expected is not None and expected == found else None


def flat_of(node: Node, size: int = 0) -> Flat | None:
    """The flat that a node describes; equations without a tuple of their letters describe one in so many letters."""
    match node:
        case Builder():
            return _built(node)
        case Listing(items=items) if all(isinstance(item, Relation) for item in items):
            return _of_listing(node, size)
        case Relation(operators=operators, operands=(Tuple() | Symbol(), *_)) if set(operators) == {"="}:
            entries = _entries(value_of(node))
            return _parametric(entries) if entries else _equations((node,), _COORDINATES[:size]) if size else None
        case Relation():
            entries = _entries(value_of(node)) if definition_of(node) is not None else None
            return _parametric(entries) if entries else _equations((node,), _COORDINATES[:size]) if size else None
    entries = _entries(node)
    return _parametric(entries) if entries else None


def _built(node: Builder) -> Flat | None:
    """`{(x, y, z) : x + y + z = 0}`, `{(t, -2t) : t in R}`"""
    term = node.term.operands[0] if isinstance(node.term, Relation) and node.term.operators == ("in",) else node.term
    declared = [each for each in node.conditions if _is_real(each)]
    others = [each for each in node.conditions if each not in declared]
    entries = _entries(term)
    if entries is None:
        return None
    if not others:
        names = {name for each in declared for name in symbols(each)}
        return _parametric(entries) if {name for entry in entries for name in symbols(entry)} <= names else None
    names_of = [entry.name for entry in entries if isinstance(entry, Symbol)]
    letters = tuple(names_of) if len(names_of) == len(entries) == len({*names_of}) else ()
    return _equations(others, letters) if letters else None


def _is_real(node: Node) -> bool:
    """Whether a condition only says of letters that they are real."""
    if isinstance(node, Relation) and node.operators == ("in",):
        ranges = node.operands[1].base if isinstance(node.operands[1], Power) else node.operands[1]
        return ranges == NamedSet("R")
    return isinstance(node, Symbol)


def _of_listing(node: Listing, size: int) -> Flat | None:
    """`x = 1 + 2t, y = -t, z = 3`, `x = y/2, z = 0`"""
    relations = [item for item in node.items if isinstance(item, Relation) and not _is_real(item)]
    names = [defined.name for each in relations if (defined := definition_of(each)) is not None]
    values = members.components(Listing(tuple(relations)))
    known = {name for value in values or () for name in symbols(value)}
    letters = {*_COORDINATES, *(name for name in names if "_" in name)}
    if values and len(names) == len(relations) == len({*names}) and {*names} <= letters and not known & letters:
        return _parametric(values)
    indexed = sorted({name for each in relations for name in symbols(each)})
    if all(re.fullmatch(r"x_\d", name) for name in indexed):
        return _equations(relations, tuple(f"x_{place + 1}" for place in range(size or len(indexed))))
    return _equations(relations, _COORDINATES[:size]) if size else None


def _entries(node: Node) -> Sequence[Node] | None:
    if isinstance(node, Call) and len(node.arguments) > 1 and node.name in _FACTORS:
        return [Product((Symbol(node.name), entry)) for entry in node.arguments]
    matrix = members.as_matrix(node)
    if isinstance(node, Listing | SetOf | Relation):
        return None
    if matrix is not None and len(matrix.rows[0]) > 1:
        entries = [entry for row in matrix.rows for entry in row]
        return entries if len(entries) <= MOST else None
    found = members.components(matrix if matrix is not None else node)
    return found if found is not None and 1 < len(found) <= MOST else None


def _parametric(entries: Sequence[Node]) -> Flat | None:
    """What a point runs through whose entries are linear in letters; None of a point that stays where it is."""
    letters = sorted({name for entry in entries for name in symbols(entry)})
    if not 0 < len(letters) <= MOST:
        return None
    point = _row(entries, dict.fromkeys(letters, Fraction(0)))
    ends = [_row(entries, {other: Fraction(other == name) for other in letters}) for name in letters]
    for weights in (_WEIGHTS, _WEIGHTS[::-1]):
        mixed = _row(entries, dict(zip(letters, weights, strict=False)))
        if point is None or mixed is None or None in ends:
            return None
        sums = list(point)
        for weight, end in zip(weights, ends, strict=False):
            sums = [one + weight * (other - start) for one, other, start in zip(sums, end or (), point, strict=True)]
        if sums != mixed:
            return None
    return _flat(
        point or [], [[one - start for one, start in zip(end or (), point or (), strict=True)] for end in ends]
    )


def _equations(relations: Sequence[Node], names: Sequence[str]) -> Flat | None:
    """The solutions of linear equations in letters."""
    sides = [
        (left, right)
        for each in relations
        if isinstance(each, Relation) and set(each.operators) == {"="}
        for left, right in zip(each.operands, each.operands[1:], strict=False)
    ]
    if len({id(each) for each in relations if isinstance(each, Relation) and set(each.operators) == {"="}}) < len(
        relations
    ):
        return None
    rows: Rows = []
    for left, right in sides:
        zero = _gap(left, right, dict.fromkeys(names, Fraction(0)))
        ends = [_gap(left, right, {other: Fraction(other == name) for other in names}) for name in names]
        mixed = _gap(left, right, dict(zip(names, _WEIGHTS, strict=False)))
        if zero is None or mixed is None or None in ends:
            return None
        row = [end - zero for end in ends if end is not None]
        if zero + sum(weight * entry for weight, entry in zip(_WEIGHTS, row, strict=False)) != mixed:
            return None
        rows.append([*row, -zero])
    solved = reduced(rows)
    pivots = [next(place for place, entry in enumerate(row) if entry) for row in solved]
    if not rows or len(names) in pivots or len(pivots) == len(names):
        return None
    point, directions = [Fraction(0)] * len(names), []
    for row, pivot in zip(solved, pivots, strict=True):
        point[pivot] = row[-1]
    for free in sorted({*range(len(names))} - {*pivots}):
        direction = [Fraction(place == free) for place in range(len(names))]
        for row, pivot in zip(solved, pivots, strict=True):
            direction[pivot] = -row[free]
        directions.append(direction)
    return _flat(point, directions)


def _flat(point: Sequence[Fraction], directions: Rows) -> Flat | None:
    rows, start = reduced(directions), list(point)
    for row in rows:
        pivot = next(place for place, entry in enumerate(row) if entry)
        start = [one - start[pivot] * other for one, other in zip(start, row, strict=True)]
    return Flat(tuple(start), tuple(map(tuple, rows))) if rows else None


def _gap(left: Node, right: Node, values: dict[str, Fraction]) -> Fraction | None:
    one, other = _at(left, values), _at(right, values)
    return None if one is None or other is None else one - other


def _row(entries: Sequence[Node], values: dict[str, Fraction]) -> list[Fraction] | None:
    found = [_at(entry, values) for entry in entries]
    return None if None in found else [each for each in found if each is not None]


def _at(node: Node, values: dict[str, Fraction]) -> Fraction | None:
    for name, value in values.items():
        node = substituted(node, name, Number(value))
    return exact(node)


def compare_directions(gold: Node, given: Node, question: str) -> Finding | None:
    """Bases of one space, and vectors that point one way or the opposite one, where the question asks for those."""
    if _BASIS.search(question) is not None and _ONE_BASIS.search(question) is None:
        return _bases(gold, given)
    if _DIRECTION.search(question) is None or _OF_ONE_SIZE.search(question) is not None:
        return None
    ours, theirs = _vectors(gold), _vectors(given)
    if not ours or not theirs or len(ours) != len(theirs):
        return None
    left = list(theirs)
    for vector in ours:
        match = next((other for other in left if _is_parallel(vector, other)), None)
        if match is None:
            return None
        left.remove(match)
    return equal("the same directions")


def _vectors(node: Node) -> list[Sequence[Node]]:
    """The vectors that a node lists, or the one that it is; none where one of them is something else."""
    node = value_of(node)
    items = [value_of(item) for item in node.items] if isinstance(node, Listing | SetOf) else [node]
    found = [entries for item in items if (entries := _entries(item)) is not None]
    return found if len(found) == len(items) else []


def _bases(gold: Node, given: Node) -> Finding | None:
    sides: list[Rows] = []
    for node in (gold, given):
        rows = [_row(vector, {}) for vector in _vectors(node) or _others(node)]
        known = [row for row in rows if row is not None]
        if not known or len(known) < len(rows) or len({len(row) for row in known}) != 1:
            return None
        sides.append(known)
    expected, found = (reduced(side) for side in sides)
    if len(expected) < len(sides[0]):
        return None
    if len(found) < len(sides[1]):
        return different("vectors that depend on one another are no basis")
    return equal("a basis of the same space") if expected == found else different("a basis of another space")


def _others(node: Node) -> list[Sequence[Node]]:
    """The polynomials or the square matrices that a node lists, entry by entry."""
    node = value_of(node)
    items = [value_of(item) for item in node.items] if isinstance(node, Listing | SetOf) else []
    return [members.components(each) or [] for each in (entrywise(items) if items else None) or ()]


def entrywise(vectors: Sequence[Node], declared: frozenset[str] = frozenset()) -> list[Node] | None:
    """Matrices by their entries, and polynomials in one letter by as many values as tell them apart, as tuples.

    `declared` are letters that stand for numbers; None where the vectors are something else.
    """
    matrices = [members.as_matrix(vector) for vector in vectors]
    if all(matrix is not None for matrix in matrices):
        return [
            Tuple(tuple(entry for row in matrix.rows for entry in row)) for matrix in matrices if matrix is not None
        ]
    letters = {name for vector in vectors for name in symbols(vector)} - declared
    if len(letters) != 1 or any(isinstance(vector, Tuple | Relation | Listing | SetOf) for vector in vectors):
        return None
    name = min(letters)
    return [Tuple(tuple(substituted(vector, name, Number(weight)) for weight in _WEIGHTS)) for vector in vectors]


def _is_parallel(one: Sequence[Node], other: Sequence[Node]) -> bool:
    """Whether one vector is the other times a number that is not zero."""
    if len(one) != len(other):
        return False
    place = Point("direction", 0.4, 1.7)
    try:
        pairs = [(evaluate(a, place), evaluate(b, place)) for a, b in zip(one, other, strict=True)]
    except (UndefinedError, UnsupportedError):
        return False
    lead = next(((a, b) for a, b in pairs if a and b), None)
    if lead is None:
        return False
    return all(bool(a) == bool(b) and (not a or same_value(a * lead[1], b * lead[0], -20)) for a, b in pairs)
