"""Where expressions change their rule (branches, abs, min, max, floor, roots of squares), and points about there."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise

from grading.equivalence.evaluate import evaluate
from grading.equivalence.point import Point, UndefinedError, UnsupportedError, Value, context
from grading.equivalence.precision import same_value
from grading.language.tree import (
    Bound,
    Function,
    Listing,
    Node,
    Number,
    Piecewise,
    Power,
    Product,
    Relation,
    Sum,
    Symbol,
)
from grading.language.walking import parts, walk

_MAX_EDGES = 16
_MAX_NAMES = 3
_MAX_PLACES = 24
_FAR = (2, 30, 1000, 10**6)
_NEAR = 10**-4
_CLOSE = (-12, -30)
"""Powers of ten: steps from an edge that are taken with more digits than usual."""
_CLOSELY = 2
_SIZES = (0.01, 0.3, 1.1, 2.3, 4.7, 9.1, 17, 43, 110, *(11 * 10**power for power in (2, 3, 5, 8, 19, 40)))
_SCAN = tuple(sign * size for sign in (-1, 1) for size in _SIZES)

_CHANGING: tuple[type[Node], ...] = (Piecewise, Function)


@dataclass(frozen=True, slots=True)
class Edge:
    """An expression that vanishes where a rule changes; `jumps` where the value there has to be right too.

    Of a radicand the `far` side alone is looked at: where it is a square it changes no sign.
    """

    node: Node
    jumps: bool
    far: bool = False


def edges(*nodes: Node) -> list[Edge]:
    """Where one of the trees changes its rule; edges with bound letters are left out."""
    found: list[Edge] = []
    bound = {part.variable for node in nodes for part in parts(node, Bound)}
    for node in nodes:
        for part in walk(node) if any(parts(node, kind) for kind in _CHANGING) else ():
            found.extend(_edges(part))
    free = [edge for edge in dict.fromkeys(found) if not _names(edge.node) & bound]
    return [edge for edge in free if _names(edge.node)][:_MAX_EDGES]


def _edges(part: Node) -> list[Edge]:
    match part:
        case Piecewise(branches=branches):
            return [edge for _, condition in branches if condition is not None for edge in _of_condition(condition)]
        case Function(name="abs" | "sign", arguments=(inner,)):
            return [Edge(inner, jumps=False)]
        case Function(name="root", arguments=(Power(base=base), _)):
            return [Edge(base, jumps=False)]
        case Function(name="root", arguments=(radicand, _)):
            return [Edge(radicand, jumps=False, far=True)] if isinstance(radicand, Sum) else []
        case Function(name="max" | "min", arguments=values):
            return [Edge(_minus(a, b), jumps=False) for a, b in combinations(values[:4], 2)]
        case Function(name="floor" | "ceil", arguments=(inner,)):
            return [Edge(_minus(inner, _number(k)), jumps=True) for k in (0, 1, -1, 3, -7)]
    return []


def _of_condition(condition: Node) -> list[Edge]:
    if isinstance(condition, Listing):
        return [edge for item in condition.items for edge in _of_condition(item)]
    if not isinstance(condition, Relation):
        return []
    return [Edge(_minus(a, b), jumps=True) for a, b in pairwise(condition.operands)]


def _number(value: int) -> Number:
    from fractions import Fraction

    return Number(Fraction(value))


def _minus(left: Node, right: Node) -> Node:
    return Sum((left, Product((_number(-1), right))))


def _names(node: Node) -> set[str]:
    return {part.name for part in parts(node, Symbol)}


def places(found: list[Edge], point: Point, names: list[str], allowed: Callable[[str, Value], bool]) -> Iterator[Point]:
    """Points on, beside, between and far beyond the edges, each letter in turn moved from its value at `point`."""
    for name in names[:_MAX_NAMES]:
        if not any(name in _names(edge.node) for edge in found):
            continue
        roots: list[Value] = []
        jumps: list[Value] = []
        for edge in found:
            if name in _names(edge.node) and not edge.far:
                there, exact = _roots(edge.node, name, point)
                roots.extend(there)
                jumps.extend(there if exact and edge.jumps else [])
        for value in [*jumps[:_MAX_PLACES], *_about(sorted(roots)[:_MAX_PLACES])]:
            if allowed(name, value):
                moved = point.fresh()
                moved.given = {**point.given, name: value}
                yield moved


def vanishing(node: Node, name: str, point: Point) -> list[Value]:
    """Values of one letter at which a tree vanishes, the others as they are at `point`."""
    return _roots(node, name, point)[0][:_MAX_PLACES]


def close_by(
    found: list[Edge], point: Point, names: list[str], allowed: Callable[[str, Value], bool]
) -> Iterator[Point]:
    """Points so close to an edge that what only comes near a jump or a kink there (`tanh(10^9 x)`) is off it."""
    ctx = context()
    for name in names[:_MAX_NAMES]:
        near = [edge.node for edge in found if not edge.far and name in _names(edge.node)]
        roots = [root for node in near for root in _roots(node, name, point)[0]]
        for root in roots[:_CLOSELY]:
            for step in _CLOSE:
                for value in (root - ctx.mpf(10) ** step, root + ctx.mpf(10) ** step):
                    if allowed(name, value):
                        moved = point.fresh()
                        moved.given = {**point.given, name: value}
                        yield moved


def _about(roots: list[Value]) -> list[Value]:
    """The two sides of the roots, what lies between them, and far away."""
    ctx = context()
    values: list[Value] = []
    for root in roots:
        step = (1 + abs(root)) * _NEAR
        values += [root - step, root + step]
    values += [(a + b) / 2 for a, b in pairwise(roots) if b - a > (1 + abs(a)) * _NEAR]
    reach = max([ctx.one, *(abs(root) for root in roots)])
    values += [sign * far * reach * ctx.mpf(37) / 41 for far in _FAR for sign in (1, -1)]
    return values


def _roots(edge: Node, name: str, point: Point) -> tuple[list[Value], bool]:
    """Where the edge vanishes along one letter: exactly where it is linear, by changes of sign where it is not."""
    ctx = context()

    def value(at: Value) -> Value | None:
        probe = Point(point.seed, point.low, point.high, point.integers, {**point.given, name: at}, point.real_roots)
        try:
            found = evaluate(edge, probe)
        except (UndefinedError, UnsupportedError):
            return None
        return None if ctx.im(found) else ctx.re(found)

    ends = [found for k in (1, 2, 3) if (found := value(ctx.mpf(k))) is not None]
    if len(ends) == 3 and same_value(ends[2] - ends[1], ends[1] - ends[0], -30) and ends[1] != ends[0]:
        return [1 - ends[0] / (ends[1] - ends[0])], True
    scanned = [(ctx.mpf(at), value(ctx.mpf(at))) for at in sorted(_SCAN)]
    known = [(at, found) for at, found in scanned if found is not None]
    roots = [at for at, found in known if not found]
    for (low, below), (high, above) in pairwise(known):
        if below and above and (below < 0) != (above < 0):
            roots.append(_bisected(value, low, high, below))
    return roots, False


def _bisected(value: Callable[[Value], Value | None], low: Value, high: Value, below: Value) -> Value:
    ctx = context()
    for step in range(160):
        # Far from zero the middle is taken of the sizes, so that a bracket of many powers of ten closes as fast.
        wide = step < 80 and low * high > 0 and max(abs(low), abs(high)) > 4 * min(abs(low), abs(high))
        middle = ctx.sign(low) * ctx.sqrt(low * high) if wide else (low + high) / 2
        if abs(high - low) <= abs(middle) * ctx.mpf(10) ** -16:
            return middle
        found = value(middle)
        if not found:
            return middle
        low, high = (middle, high) if (found < 0) == (below < 0) else (low, middle)
    return (low + high) / 2
