"""Lists with dots: `0, 1, ..., 9` written out; `1, 3, ..., 2n - 1` and `1, 4, 9, ...` by the rule of their members."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from grading.equivalence.definitions import definition_of, value_of
from grading.equivalence.endless import PLACE, rule_of
from grading.equivalence.evaluate import evaluate
from grading.equivalence.exactly import exact
from grading.equivalence.expressions import symbols
from grading.equivalence.finding import Finding, different, equal
from grading.equivalence.point import Point, UndefinedError, UnsupportedError, context
from grading.equivalence.precision import same_value
from grading.equivalence.signs import substituted
from grading.equivalence.stated import formulas_in
from grading.language.tree import (
    Builder,
    Ellipsis,
    Listing,
    NamedSet,
    Node,
    Number,
    PlusMinus,
    Power,
    Product,
    Quotient,
    Relation,
    SetOf,
    Sum,
    Symbol,
    Tuple,
)

_FEWEST, _PAIR = 3, 2
_MOST_WRITTEN = 40
_FARTHEST = 300
_COMPARED = 8
"""Members of two rules that are looked at."""
_SHIFTS = (1, 0, 2, -1, 3, -2)
_SIZES = (6, 9)
"""What is put for a letter in which lists end."""
_DIGITS = 9
_WHOLES = (NamedSet("Z"), NamedSet("N"), Symbol("bb:Z^+"), Symbol("bb:Z_+"))


@dataclass(frozen=True, slots=True)
class Run:
    """Members by their rule in `PLACE`, from 0 on; `last` is the place of the last one, None of an endless list."""

    body: Node
    last: Node | None


@dataclass(frozen=True, slots=True)
class Dots:
    """The members that are written before and behind dots."""

    before: tuple[Node, ...]
    after: tuple[Node, ...]


def written_out(node: Node, other: Node) -> Node:
    """`0, 1, ..., 9` with all of its members, where they are few or the other side's are; any other node as it is."""
    dots = _dotted(node)
    members = _written(dots) if isinstance(dots, Dots) and not isinstance(_listed(node), Tuple) else None
    most = len(other.items) if isinstance(other := _listed(other), Listing | SetOf) else 0
    if members is None or len(members) > max(most, _MOST_WRITTEN):
        return node
    values = [(member, exact(member)) for member in members]
    items = tuple(member if value is None else Number(value) for member, value in values)
    return SetOf(items) if isinstance(_listed(node), SetOf) else Listing(items)


def compare_runs(gold: tuple[Node, str], given: tuple[Node, str]) -> Finding | None:
    """Two lists of which one has dots, or an end in letters, by their members; None where one is no such list.

    Each side is a tree, and the text of the conditions behind it. Lists without an end are compared by their first
    members, those that end in letters with whole numbers in their place.
    """
    dotted = [_dotted(node) for node, _ in (gold, given)]
    expected, found = (dots or _counted(*side) for dots, side in zip(dotted, (gold, given), strict=True))
    if expected is None or found is None:
        endless = found is None and isinstance(expected, Run) and expected.last is None
        named = _named(given[0]) if endless else []
        same = isinstance(expected, Run) and any(_same_members(expected, each) for each in named)
        return equal("the same members") if same else None
    letters = sorted(_ends(expected) | _ends(found))
    if not letters and dotted == [None, None]:
        return None
    if _is_endless(expected) or _is_endless(found):
        if not (isinstance(expected, Run) and isinstance(found, Run) and expected.last is found.last):
            return different("only one of the two lists has an end")
        # A set may be gone through in another order: `families` looks at more of it.
        return equal("the same members") if _same_members(expected, found) else None
    for size in _SIZES:
        values = {name: _number(size + place) for place, name in enumerate(letters)}
        ours, theirs = (_keys(_members(side, values)) for side in (expected, found))
        if ours is None or theirs is None:
            return None
        if ours != theirs:
            return different("a list with other members")
    return equal("the same members")


def _is_endless(side: Run | Dots) -> bool:
    return isinstance(side, Run) and side.last is None


def _ends(side: Run | Dots) -> frozenset[str]:
    """The letters in which a list ends."""
    if isinstance(side, Dots):
        return symbols(side.after[-1])
    return frozenset() if side.last is None else symbols(side.last)


def _listed(node: Node) -> Node:
    """A list without the name before it: of `n in {0, ..., 9}` and `A = {0, ..., 9}` the set."""
    if isinstance(node, Relation) and node.operators in (("in",), ("=",)) and isinstance(node.operands[0], Symbol):
        return node.operands[1]
    return node


def _dotted(node: Node) -> Run | Dots | None:
    """A list with dots, by its rule where it has no end or states it; None of any other node."""
    node = _listed(node)
    if not isinstance(node, Listing | SetOf | Tuple):
        return None
    first, *others = node.items
    items = [value_of(first), *others] if definition_of(first) is not None else [*node.items]
    dots = [place for place, item in enumerate(items) if isinstance(item, Ellipsis)]
    if not dots or not dots[0] or any(isinstance(item, Relation | PlusMinus | Tuple) for item in items):
        return None
    before, after = tuple(items[: dots[0]]), tuple(items[dots[0] + 1 :])
    if not after:
        body = _rule(before)
        return Run(body, None) if body is not None and len(before) >= _FEWEST else None
    if isinstance(after[-1], Ellipsis):
        run = _by_last(before, after[0]) if len(after) == _PAIR else None
        return Run(run.body, None) if run is not None else None
    if len(dots) > 1:
        return None
    return (_by_last(before, after[-1]) if len(after) == 1 else None) or Dots(before, after)


def _by_last(before: tuple[Node, ...], last: Node) -> Run | None:
    """The rule that the last member states in one of its letters: `2n - 1` of `1, 3, ..., 2n - 1`."""
    for letter in sorted(symbols(last)):
        for shift in _SHIFTS:
            body = substituted(last, letter, Sum((PLACE, _number(shift))))
            if _gives(body, before):
                return Run(body, Sum((Symbol(letter), _number(-shift))))
    return None


def _members(side: Run | Dots, values: dict[str, Number]) -> list[Node] | None:
    """All the members, with numbers for the letters in which a list ends."""
    if isinstance(side, Dots):
        return _written(Dots(_at_sizes(side.before, values), _at_sizes(side.after, values)))
    body, last = _at_sizes((side.body, side.last or side.body), values)
    count = exact(last)
    if count is None or count.denominator != 1 or not 0 <= count <= _FARTHEST:
        return None
    return [_at(body, place) for place in range(int(count) + 1)]


def _at_sizes(nodes: tuple[Node, ...], values: dict[str, Number]) -> tuple[Node, ...]:
    for name, value in values.items():
        nodes = tuple(substituted(node, name, value) for node in nodes)
    return nodes


def _written(dots: Dots) -> list[Node] | None:
    """The members of a list that ends in a number; None where no rule leads to its end."""
    bodies = [_steps(dots.before), _ratios(dots.before), rule_of(dots.before)]
    for body in bodies:
        if body is None or not _gives(body, dots.before):
            continue
        first = len(dots.before) - 1
        count = next((count for count in range(first, _FARTHEST) if _same(_at(body, count), dots.after[-1])), None)
        if count is None:
            continue
        members = [_at(body, place) for place in range(count + 1)]
        if all(_same(one, other) for one, other in zip(reversed(members), reversed(dots.after), strict=False)):
            return members
    return None


def _rule(before: tuple[Node, ...]) -> Node | None:
    even = _steps(before)
    return even if even is not None and _gives(even, before) else rule_of(before)


def _steps(before: tuple[Node, ...]) -> Node | None:
    """Equal steps, those of one where a whole number stands alone."""
    if len(before) == 1 and exact(before[0]) is None:
        return None
    step = Sum((before[1], _negative(before[0]))) if len(before) > 1 else _number(1)
    return Sum((before[0], Product((PLACE, step))))


def _ratios(before: tuple[Node, ...]) -> Node | None:
    return Product((before[0], Power(Quotient(before[1], before[0]), PLACE))) if len(before) > 1 else None


def _counted(node: Node, text: str) -> Run | None:
    """`2k - 1` for `k = 1, 2, ..., n` as the run of its members; None of what states no such range."""
    match node:
        case Builder(term=value, conditions=conditions):
            stated = list(conditions)
            if isinstance(value, Relation) and _is_of_wholes(value):
                value = value.operands[0]
        case Listing(items=(value, *rest)):
            stated = [*rest, *(formulas_in(text) if text else ())]
        case _:
            value, stated = node, formulas_in(text) if text else []
    value = value_of(value)
    kept = [each for each in stated if not _is_of_wholes(each)]
    found = _range(kept)
    if found is None or isinstance(value, Relation | Listing | SetOf | Tuple) or found[0] not in symbols(value):
        return None
    letter, low, high = found
    body = substituted(value, letter, Sum((PLACE, low)))
    return Run(body, None if high is None else Sum((high, _negative(low))))


def _is_of_wholes(node: Node) -> bool:
    return isinstance(node, Relation) and node.operators == ("in",) and node.operands[1] in _WHOLES


def _range(stated: list[Node]) -> tuple[str, Node, Node | None] | None:
    """The letter, its first value and its last one of `1 <= k <= n`, `k >= 1`, `k = 1, 2, ..., n`."""
    match stated:
        case [Relation(operands=(low, Symbol(name=name), high), operators=(one, other))] if {one, other} <= {"<", "<="}:
            return name, _moved(low, int(one == "<")), _moved(high, -int(other == "<"))
        case [Relation(operands=(Symbol(name=name), low), operators=(">=" | ">" as sign,))]:
            return name, _moved(low, int(sign == ">")), None
        case [Relation(operands=(Symbol(name=name), SetOf(items=items)), operators=("in",))]:
            run = [*items]
        case [Relation(operands=(Symbol(name=name), first), operators=("=",)), *rest]:
            run = [first, *rest]
        case _:
            return None
    dots = [place for place, item in enumerate(run) if isinstance(item, Ellipsis)]
    if len(dots) != 1 or any(isinstance(item, Relation) for item in run) or len(run) - dots[0] > _PAIR:
        return None
    before = run[: dots[0]]
    steps = all(_same(after, _moved(item, 1)) for item, after in pairwise(before))
    return (name, before[0], run[-1] if len(run) - dots[0] == _PAIR else None) if before and steps else None


def _named(node: Node) -> list[Run]:
    """`a_n = n^2` as the members from the first or the noughth on."""
    defined = definition_of(node)
    if defined is None or len(defined.arguments) != 1 or symbols(defined.value) != {*defined.arguments}:
        return []
    letter = defined.arguments[0]
    return [Run(substituted(defined.value, letter, _moved(PLACE, first)), None) for first in (1, 0)]


def _same_members(one: Run, other: Run) -> bool:
    return all(_same(_at(one.body, place), _at(other.body, place)) for place in range(_COMPARED))


def _gives(body: Node, items: tuple[Node, ...]) -> bool:
    return all(_same(_at(body, place), item) for place, item in enumerate(items))


def _at(body: Node, place: int) -> Node:
    return substituted(body, PLACE.name, _number(place))


def _same(one: Node, other: Node) -> bool:
    """Whether two values are one at two points of their letters."""
    try:
        places = [Point(f"run|{number}", 0.3, 1.9) for number in range(2)]
        return all(same_value(evaluate(one, place), evaluate(other, place), -20) for place in places)
    except (UndefinedError, UnsupportedError):
        return False


def _keys(members: list[Node] | None) -> Counter[tuple[float, float]] | None:
    """The values of members, each rounded; their order says nothing."""
    if members is None:
        return None
    try:
        values = [evaluate(member, Point("run|0", 0.3, 1.9)) for member in members]
    except (UndefinedError, UnsupportedError):
        return None
    ctx = context()
    return Counter((_rounded(float(ctx.re(value))), _rounded(float(ctx.im(value)))) for value in values)


def _rounded(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}") if abs(value) > 10**-_DIGITS else 0.0


def _moved(node: Node, by: int) -> Node:
    return Sum((node, _number(by))) if by else node


def _negative(node: Node) -> Node:
    return Product((_number(-1), node))


def _number(value: int) -> Number:
    return Number(Fraction(value))
