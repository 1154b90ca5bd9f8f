"""Whole numbers that conditions pick out: `{n in Z : n^2 < 10}` as its members, `n > 9` for whole n as `n >= 10`."""

from fractions import Fraction

from grading.equivalence.evaluate import satisfied
from grading.equivalence.exactly import is_infinite
from grading.equivalence.expressions import symbols
from grading.equivalence.finding import Rules
from grading.equivalence.indexes import INTEGERS, Index, index_of
from grading.equivalence.numbers import is_constant, value_of
from grading.equivalence.point import Point, UndefinedError, UnsupportedError, context
from grading.equivalence.stated import Stated
from grading.language.tree import Builder, Listing, Node, Number, Relation, SetOf, Symbol

_SIDES = frozenset({"<", ">", "<=", ">="})
_SIGNS = _SIDES | {"!="}
_COUNTING = frozenset("ijklmn")
_NEAR = 60
_WINDOW = 200
_FAR = (10**3, 10**4, 10**6, 10**9)
"""Sizes at which no member may lie of a set that is written out."""
_MOST = 40
_MOST_SIDES = 3
_LARGEST = 10**15
_ROUNDING = 1e-20


def picked(stated: Stated, *, zero: bool = False) -> Node:
    """A set of whole numbers by its conditions as the set of its members, where they are few; else the node.

    `zero` counts it among the natural numbers where nobody said whether it is one of them.
    """
    node = stated.node
    described = _described(node) or _bounded(stated)
    if described is None:
        return node
    name, index, conditions = described
    index = index.readings()[-1 if zero else 0]
    try:
        members = [member for member in index.members(_WINDOW) if _holds(conditions, name, member)]
        far = [sign * size for size in _FAR for sign in (1, -1) if _allows(index, sign * size)]
        endless = any(_holds(conditions, name, member) for member in far)
    except (UndefinedError, UnsupportedError):
        return node
    if endless or not 0 < len(members) <= _MOST or max(map(abs, members)) > _NEAR:
        return node
    return SetOf(tuple(Number(Fraction(member)) for member in members))


def _described(node: Node) -> tuple[str, Index, list[Relation]] | None:
    """The letter, what it runs through, and the conditions on it alone that a set builder or a list of them states."""
    match node:
        case Builder(term=term, conditions=conditions):
            stated = [term, *conditions] if isinstance(term, Relation) else list(conditions)
        case Listing(items=items, joiner="," | "and"):
            stated = list(items)
        case _:
            return None
    parts = [part for part in stated if isinstance(part, Relation)]
    inside = [part for part in parts if part.operators == ("in",) and isinstance(part.operands[0], Symbol)]
    others = [part for part in parts if part not in inside]
    if len(parts) < len(stated) or len(inside) != 1 or not others:
        return None
    letter, target = inside[0].operands
    index = index_of(target)
    name = letter.name if isinstance(letter, Symbol) else ""
    about = all(set(part.operators) <= _SIGNS and symbols(part) == {name} for part in others)
    return (name, index, others) if about and index is not None and not index.other else None


def _bounded(stated: Stated) -> tuple[str, Index, list[Relation]] | None:
    """The same of inequalities beside which it is said that their letter is a whole number."""
    node = stated.node
    letters = symbols(node)
    name = next(iter(letters)) if len(letters) == 1 and isinstance(node, Relation) else ""
    index = stated.indexes.get(name)
    if index is None or index.other or not isinstance(node, Relation) or not set(node.operators) <= _SIGNS:
        return None
    return name, index, [node]


def _allows(index: Index, member: int) -> bool:
    low = index.low is None or member >= index.low
    return low and (index.high is None or member <= index.high)


def _holds(conditions: list[Relation], name: str, member: int) -> bool:
    given = {name: context().mpf(member)}
    return all(satisfied(each, Point("whole", 0.5, 1.5, given=given)) for each in conditions)


def of_whole_numbers(gold: Stated, given: Stated, rules: Rules) -> tuple[Node, Node] | None:
    """Two sets of one letter that stands for whole numbers, with bounds that are whole and belong to them."""
    letters = symbols(gold.node)
    if len(letters) != 1 or not _is_bounded(gold.node) or not _is_bounded(given.node):
        return None
    name = next(iter(letters))
    asked = INTEGERS if rules.assumed.get(name, rules.assume) == "integer" else _index(gold, name)
    told = _index(given, name)
    if asked is None and (told is None or name not in _COUNTING):
        return None
    expected = _rounded(gold.node, name, asked or told or INTEGERS)
    found = _rounded(given.node, name, told or asked or INTEGERS)
    return None if expected is None or found is None else (expected, found)


def _index(stated: Stated, name: str) -> Index | None:
    """The whole numbers that a letter is said to run through, from some number on or all of them."""
    parts = stated.node.items if isinstance(stated.node, Listing) else (stated.node,)
    inside = [part.operands[1] for part in parts if isinstance(part, Relation) and _says_where(part, name)]
    index = stated.indexes.get(name) or (index_of(inside[0]) if len(inside) == 1 else None)
    if index is None or index.other or index.step != 1 or index.high is not None or index.without:
        return None
    return index.readings()[0]


def _says_where(part: Relation, name: str) -> bool:
    return part.operators == ("in",) and part.operands[0] == Symbol(name)


def _is_bounded(node: Node) -> bool:
    """Whether a tree is made of inequalities, perhaps with the set that their letter is in."""
    match node:
        case Relation(operators=operators):
            return set(operators) <= _SIDES
        case Listing(items=parts):
            return any(map(_is_bounded, parts)) and all(
                isinstance(part, Relation) and (set(part.operators) <= _SIDES or part.operators == ("in",))
                for part in parts
            )
    return False


def _rounded(node: Node, name: str, index: Index) -> Node | None:
    """Inequalities of a whole letter with whole bounds that belong to the set; None where they have no such bounds."""
    items = node.items if isinstance(node, Listing) else (node,)
    bounds = [_bounds(part, name) for part in items if isinstance(part, Relation) and not _says_where(part, name)]
    whole = [each for each in bounds if each is not None]
    if not whole or len(whole) < len(bounds):
        return None
    if isinstance(node, Listing) and node.joiner == "or":
        found = [_relation(name, *_within(index, *each)) for each in whole]
        return Listing(tuple(found), "or") if len(found) > 1 else found[0]
    lows = [low for low, _ in whole if low is not None]
    highs = [high for _, high in whole if high is not None]
    return _relation(name, *_within(index, max(lows, default=None), min(highs, default=None)))


def _within(index: Index, low: int | None, high: int | None) -> tuple[int | None, int | None]:
    lows = [bound for bound in (index.low, low) if bound is not None]
    return max(lows, default=None), high


def _relation(name: str, low: int | None, high: int | None) -> Node:
    ends = [Number(Fraction(end)) for end in (low, high) if end is not None]
    if len(ends) > 1:
        return Relation((ends[0], Symbol(name), ends[1]), ("<=", "<="))
    return Relation((Symbol(name), ends[0]), (">=" if low is not None else "<=",))


def _bounds(node: Relation, name: str) -> tuple[int | None, int | None] | None:
    """The least and the greatest whole number that a chain of inequalities allows."""
    letter = Symbol(name)
    if node.operands.count(letter) != 1 or len(node.operands) > _MOST_SIDES:
        return None
    place = node.operands.index(letter)
    ends: dict[bool, int] = {}
    for side in (place - 1, place + 1):
        if not 0 <= side < len(node.operands):
            continue
        sign = node.operators[min(side, place)]
        above = (sign[0] == "<") == (side > place)
        bound = _whole_bound(node.operands[side], above=above, closed=len(sign) > 1)
        if bound is None or above in ends:
            return None
        ends[above] = bound
    return ends.get(False), ends.get(True)


def _whole_bound(node: Node, *, above: bool, closed: bool) -> int | None:
    """The last whole number before a bound from above, or the first behind one from below."""
    if not is_constant(node) or is_infinite(node):
        return None
    try:
        value = value_of(node)
    except (UndefinedError, UnsupportedError):
        return None
    ctx = context()
    if ctx.im(value) or abs(value) > _LARGEST:
        return None
    nearest = int(ctx.nint(ctx.re(value)))
    if abs(value - nearest) < _ROUNDING:
        return nearest if closed else nearest + (-1 if above else 1)
    return int(ctx.floor(value)) if above else int(ctx.ceil(value))
