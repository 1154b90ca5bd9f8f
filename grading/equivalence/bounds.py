"""Sums, products, integrals, limits and derivatives, by number."""

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

from grading.equivalence.exactly import is_infinite
from grading.equivalence.infinite import MAX_INFINITE_TERMS, diverges, half_line, infinite_sum
from grading.equivalence.point import LARGEST, Point, UndefinedError, UnsupportedError, Value, context
from grading.language.limits import MAX_SUM_TERMS
from grading.language.tree import Bound, Indexed, Node, Number, Symbol
from grading.language.walking import walk

Evaluator = Callable[[Node, Point], Value]

FROM_BELOW = Number(Fraction(-1))
"""The upper end of a limit that is taken from below."""
INTEGRAL_DIGITS = 12
"""Digits that integrals, infinite sums and limits are trusted to."""
_BEYOND_POLES = 24
_APPROACHES = 15
"""Places at which a limit is seen to be approached, each nearer by a half power of ten."""
_TERMS = 120
"""Values that a limit is extrapolated from: the work grows with their square."""
_ENOUGH = _APPROACHES // 2
_SLACK = 2.5
"""By how much further values may be from the last of them than from a limit that they come to."""
_SMALLEST = 1e-18
"""Below it the value of an integral or a limit is not told from zero."""
_STEP = Fraction(1, 1000)
_DIFFERENCES, _SCALE = (672, -168, 32, -3), 840
"""Weights of the differences about a place, and their divisor: exact up to the eighth power of the step."""


def evaluate_bound(node: Bound, point: Point, evaluate: Evaluator) -> Value:
    """The value of a bound operator. Raises UndefinedError or UnsupportedError."""
    if _is_endless(node) and any(isinstance(part, Bound) and _is_calculated(part) for part in walk(node.body)):
        raise UnsupportedError("an integral or an endless sum inside a limit or an endless sum")
    rules = {"sum": _series, "product": _series, "integral": _integral, "limit": _limit, "derivative": _derivative}
    return rules[node.kind](node, point, evaluate)


def _is_endless(node: Bound) -> bool:
    return node.kind == "limit" or (node.kind in ("sum", "product") and is_infinite(node.upper or node) != 0)


def _is_calculated(node: Bound) -> bool:
    return node.kind == "integral" or _is_endless(node)


def _at(node: Bound, point: Point, evaluate: Evaluator) -> Callable[[Value], Value]:
    """The body as a function of the bound variable."""
    body = _indexed(node.body, node.variable)

    def value(argument: Value) -> Value:
        outer = point.given.get(node.variable)
        point.given[node.variable] = argument
        try:
            return evaluate(body, point)
        finally:
            if outer is None:
                del point.given[node.variable]
            else:
                point.given[node.variable] = outer

    return value


def _indexed(node: Any, variable: str) -> Any:
    """The tree with `a_k` made an indexed name where `k` is the bound variable."""
    if isinstance(node, Symbol):
        head, _, tail = node.name.rpartition("_")
        return Indexed(head, Symbol(variable)) if head and tail == variable else node
    if isinstance(node, tuple):
        return tuple(_indexed(part, variable) for part in node)
    if isinstance(node, Node):
        parts = {name: _indexed(getattr(node, name), variable) for name in node.__dataclass_fields__}
        return type(node)(**parts)
    return node


def _series(node: Bound, point: Point, evaluate: Evaluator) -> Value:
    ctx = context()
    if node.lower is None or node.upper is None:
        raise UnsupportedError("the sum has no bounds")
    start, stop = evaluate(node.lower, point), evaluate(node.upper, point)
    term = _at(node, point, evaluate)
    if not ctx.isint(start):
        raise UnsupportedError("the sum does not start at an integer")
    if any(ctx.isfinite(end) and abs(end) > LARGEST for end in (start, stop)):
        raise UnsupportedError("an end of the sum is too large")
    if stop == ctx.inf:
        return _infinite(node.kind, term, int(ctx.re(start)))
    if not ctx.isint(stop):
        raise UnsupportedError("the sum does not end at an integer")
    if abs(stop - start) > MAX_SUM_TERMS and stop > start:
        raise UnsupportedError(f"more than {MAX_SUM_TERMS} terms")
    first, last = int(ctx.re(start)), int(ctx.re(stop))
    values = [term(ctx.mpf(index)) for index in range(first, last + 1)]
    return ctx.fsum(values) if node.kind == "sum" else ctx.fprod(values)


def _infinite(kind: str, term: Callable[[Value], Value], start: int) -> Value:
    """A sum by what agrees; a product extrapolated from at most a thousand factors."""
    if kind == "sum":
        return infinite_sum(term, start)
    ctx = context()
    if diverges(lambda k: term(k) - 1):
        raise UndefinedError("the product does not converge")
    used = 0

    def counted(argument: Value) -> Value:
        nonlocal used
        used += 1
        if used > MAX_INFINITE_TERMS:
            raise UnsupportedError("the product converges too slowly")
        return term(argument)

    digits = ctx.dps
    ctx.dps = 16
    try:
        return ctx.nprod(counted, [start, ctx.inf])
    finally:
        ctx.dps = digits


def _integral(node: Bound, point: Point, evaluate: Evaluator) -> Value:
    ctx = context()
    if node.lower is None or node.upper is None:
        raise UnsupportedError("an indefinite integral")
    ends = [evaluate(node.lower, point), evaluate(node.upper, point)]
    term = _at(node, point, evaluate)
    digits = ctx.dps
    ctx.dps, point.underflow = 18, True
    try:
        whole = _over_half_lines(term, *ends)
        if whole is not None:
            return whole if abs(whole) > _SMALLEST else ctx.zero
        if ends == [-ctx.inf, ctx.inf]:
            # Each half of the line has to converge: over both at once an odd integrand cancels.
            if _stays(term) or _stays(lambda x: term(-x)):
                raise UndefinedError("the integral does not converge")
            ends = [-ctx.inf, ctx.zero, ctx.inf]
        pieces = [ctx.quad(_open(term, *part), part, error=True, maxdegree=7) for part in pairwise(ends)]
        value, error = ctx.fsum(each for each, _ in pieces), max(found for _, found in pieces)
        size = max(abs(each) for each, _ in pieces)
        if not _is_settled(size, error) and all(map(ctx.isfinite, ends)):
            # Digits are lost beside an end at which the integrand has no bound.
            ctx.dps = digits
            value, error = ctx.quad(_open(term, *ends), ends, error=True, maxdegree=6)
            size = abs(value)
    finally:
        ctx.dps, point.underflow = digits, False
    if not _is_settled(size, error):
        raise UnsupportedError("the integral does not converge fast enough")
    return value if abs(value) > _SMALLEST else ctx.zero


def _stays(term: Callable[[Value], Value]) -> bool:
    """Whether an integrand falls no faster than 1/x far out, where neither dying out nor waves have settled it."""
    ctx = context()

    def largest(power: int) -> Value:
        places = (ctx.mpf(10) ** power + ctx.mpf(step) * 37 / 41 for step in range(7))
        return max(abs(place * term(place)) for place in places)

    try:
        near, far = largest(6), largest(8)
    except (UndefinedError, UnsupportedError, ZeroDivisionError):
        return False
    return bool(far > near * ctx.mpf("0.9") and far > 0)


def _open(term: Callable[[Value], Value], low: Value, high: Value) -> Callable[[Value], Value]:
    """The integrand as zero where it has no value beside an end: the weights there are as good as zero."""
    ctx = context()
    near = abs(high - low) * ctx.mpf(10) ** -15

    def value(place: Value) -> Value:
        try:
            return term(place)
        except (UndefinedError, ZeroDivisionError):
            if not ctx.isfinite(near) or min(abs(place - low), abs(high - place)) > near:
                raise
            return ctx.zero

    return value


def _is_settled(value: Value, error: Value) -> bool:
    return bool(error <= abs(value) * context().mpf(10) ** -INTEGRAL_DIGITS + _SMALLEST)


def _over_half_lines(term: Callable[[Value], Value], low: Value, high: Value) -> Value | None:
    """An integral with an infinite end, by what dies out or oscillates there; None of any other."""
    ctx = context()
    if low == -ctx.inf and high == ctx.inf:
        right, left = half_line(term, ctx.zero), half_line(lambda x: term(-x), ctx.zero)
        return right + left if right is not None and left is not None else None
    if high == ctx.inf and ctx.isfinite(low):
        return half_line(term, low)
    if low == -ctx.inf and ctx.isfinite(high):
        return half_line(lambda x: term(-x), -high)
    return None


def _limit(node: Bound, point: Point, evaluate: Evaluator) -> Value:
    ctx = context()
    if node.lower is None:
        raise UnsupportedError("the limit has no target")
    target = evaluate(node.lower, point)
    body, side = _at(node, point, evaluate), -1 if node.upper == FROM_BELOW else 1
    digits = ctx.dps
    ctx.dps = 20
    try:
        near = _nearing(body, target, side)
        if near and not _is_approached(near, near[-1], _SLACK):
            raise UnsupportedError("the values do not settle towards any limit")
        value = _limit_towards(_counted(body, point), target, side)
        if not ctx.isfinite(value):
            raise UndefinedError("the limit is not finite")
        if not _is_approached(near, value):
            raise UnsupportedError("the values do not settle towards the limit")
        if node.upper is None and ctx.isfinite(target) and not _is_two_sided(body, target, value):
            raise UndefinedError("the limits from both sides differ")
    finally:
        ctx.dps = digits
    return value if abs(value) > _SMALLEST else ctx.zero


def _limit_towards(body: Callable[[Value], Value], target: Value, side: int) -> Value:
    """The limit; towards infinity from further out where a whole number before is a pole (`(2n + 1)/(n - 5)`)."""
    ctx = context()
    try:
        return ctx.limit(body, target, side, maxterms=_TERMS)
    except (UndefinedError, ZeroDivisionError):
        if ctx.isfinite(target):
            raise
        shift = _BEYOND_POLES if target > 0 else -_BEYOND_POLES
        return ctx.limit(lambda place: body(place + shift), target, side, maxterms=_TERMS)


def _counted(body: Callable[[Value], Value], point: Point) -> Callable[[Value], Value]:
    """A body of which each further value counts for more steps: it is extrapolated from all that came before."""
    taken = 0

    def value(place: Value) -> Value:
        nonlocal taken
        taken += 1
        point.steps += taken // 2
        return body(place)

    return value


def _nearing(body: Callable[[Value], Value], target: Value, side: int) -> list[Value]:
    """The values at places nearer and nearer to the target. Raises UndefinedError where they grow without bound."""
    ctx = context()
    found: list[Value] = []
    for step in range(_APPROACHES):
        near = ctx.mpf(10) ** (-1 - ctx.mpf(step) / 2) * ctx.mpf(37) / 41
        place = 1 / near if target == ctx.inf else -1 / near if target == -ctx.inf else target + side * near
        try:
            found.append(body(place))
        except (UndefinedError, UnsupportedError):
            continue
    sizes = [abs(each) for each in found]
    if len(found) >= _ENOUGH and sizes == sorted(sizes) and sizes[-1] > 1000 * (1 + sizes[0]):
        raise UndefinedError("the limit is not finite")
    return found


def _is_approached(near: list[Value], value: Value, slack: float = 1) -> bool:
    """Whether values near the target come closer to the limit the nearer they are: `sin(1/x)` does not."""
    if len(near) < _ENOUGH:
        return True
    ctx, part = context(), len(near) // 3
    first, last = (max(abs(each - value) for each in some) for some in (near[:part], near[-part:]))
    return bool(last <= slack * max(first * ctx.mpf("0.2"), (1 + abs(value)) * ctx.mpf(10) ** -8))


def _is_two_sided(body: Callable[[Value], Value], target: Value, value: Value) -> bool:
    """Whether the values below a target come to the limit from above, where they are real."""
    ctx = context()
    below = [target - ctx.mpf(10) ** (-1 - ctx.mpf(step)) * ctx.mpf(37) / 41 for step in range(_APPROACHES // 2)]
    try:
        if any(ctx.im(body(place)) for place in below):
            return True
        return _is_approached(_nearing(body, target, -1), value)
    except (UndefinedError, UnsupportedError, ZeroDivisionError):
        return True


def _derivative(node: Bound, point: Point, evaluate: Evaluator) -> Value:
    ctx = context()
    order = int(ctx.re(evaluate(node.lower, point))) if node.lower is not None else 1
    if order > 4:
        raise UnsupportedError("a derivative of order beyond four")
    body, place = _at(node, point, evaluate), point.symbol(node.variable)
    inside = {part.kind for part in walk(node.body) if isinstance(part, Bound)}
    if "limit" in inside or ("integral" in inside and order > 1):
        raise UnsupportedError("a limit inside a derivative, or a higher derivative of an integral")
    return _slope(body, place) if "integral" in inside else ctx.diff(body, place, order)


def _slope(body: Callable[[Value], Value], place: Value) -> Value:
    """The derivative of what is only known to the digits of an integral: differences over a step that they outweigh."""
    ctx = context()
    step = ctx.mpf(_STEP.numerator) / _STEP.denominator
    pairs = (weight * (body(place + n * step) - body(place - n * step)) for n, weight in enumerate(_DIFFERENCES, 1))
    return ctx.fsum(pairs) / (_SCALE * step)
