"""Sums, products, integrals, limits and derivatives, by number."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from grading.equivalence.point import Point, UndefinedError, UnsupportedError, Value, context
from grading.language.limits import MAX_SUM_TERMS
from grading.language.tree import Bound, Indexed, Node, Number, Symbol

Evaluator = Callable[[Node, Point], Value]

FROM_BELOW = Number(Fraction(-1))
"""The upper end of a limit that is taken from below."""
MAX_INFINITE_TERMS = 1000
INTEGRAL_DIGITS = 12
"""Digits that integrals, infinite sums and limits are trusted to."""
_APPROACHES = 15
"""Places at which a limit is seen to be approached, each nearer by a half power of ten."""
_SMALLEST = 1e-18
"""Below it the value of an integral or a limit is not told from zero."""


def evaluate_bound(node: Bound, point: Point, evaluate: Evaluator) -> Value:
    """The value of a bound operator. Raises UndefinedError or UnsupportedError."""
    rules = {"sum": _series, "product": _series, "integral": _integral, "limit": _limit, "derivative": _derivative}
    return rules[node.kind](node, point, evaluate)


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
    if stop == ctx.inf:
        return _infinite(node.kind, term, int(ctx.re(start)))
    if not ctx.isint(stop):
        raise UnsupportedError("the sum does not end at an integer")
    first, last = int(ctx.re(start)), int(ctx.re(stop))
    if last - first > MAX_SUM_TERMS:
        raise UnsupportedError(f"more than {MAX_SUM_TERMS} terms")
    values = [term(ctx.mpf(index)) for index in range(first, last + 1)]
    return ctx.fsum(values) if node.kind == "sum" else ctx.fprod(values)


def _infinite(kind: str, term: Callable[[Value], Value], start: int) -> Value:
    """Extrapolated from at most a thousand terms."""
    ctx = context()
    unit = 0 if kind == "sum" else 1
    if _diverges(lambda k: term(k) - unit):
        raise UndefinedError(f"the {kind} does not converge")
    used = 0

    def counted(argument: Value) -> Value:
        nonlocal used
        used += 1
        if used > MAX_INFINITE_TERMS:
            raise UnsupportedError(f"the {kind} converges too slowly")
        return term(argument)

    digits = ctx.dps
    ctx.dps = 16
    try:
        return (ctx.nsum if kind == "sum" else ctx.nprod)(counted, [start, ctx.inf])
    finally:
        ctx.dps = digits


def _diverges(term: Callable[[Value], Value]) -> bool:
    """Whether the terms fall no faster than 1/k, by two far terms of one sign."""
    ctx = context()
    try:
        near, far = (ctx.mpf(10) ** power * term(ctx.mpf(10) ** power) for power in (6, 8))
    except (UndefinedError, UnsupportedError):
        return False
    same_sign = not ctx.im(near) and not ctx.im(far) and near * far > 0
    return bool(same_sign and abs(far) > abs(near) * ctx.mpf("0.9"))


def _integral(node: Bound, point: Point, evaluate: Evaluator) -> Value:
    ctx = context()
    if node.lower is None or node.upper is None:
        raise UnsupportedError("an indefinite integral")
    ends = [evaluate(node.lower, point), evaluate(node.upper, point)]
    term = _at(node, point, evaluate)
    digits = ctx.dps
    ctx.dps, point.underflow = 18, True
    try:
        value, error = ctx.quad(term, ends, error=True, maxdegree=7)
    finally:
        ctx.dps, point.underflow = digits, False
    if error > abs(value) * ctx.mpf(10) ** -INTEGRAL_DIGITS + _SMALLEST:
        raise UnsupportedError("the integral does not converge fast enough")
    return value if abs(value) > _SMALLEST else ctx.zero


def _limit(node: Bound, point: Point, evaluate: Evaluator) -> Value:
    ctx = context()
    if node.lower is None:
        raise UnsupportedError("the limit has no target")
    target = evaluate(node.lower, point)
    body, side = _at(node, point, evaluate), -1 if node.upper == FROM_BELOW else 1
    digits = ctx.dps
    ctx.dps = 20
    try:
        value = ctx.limit(body, target, side)
        if not ctx.isfinite(value):
            raise UndefinedError("the limit is not finite")
        if not _is_approached(body, target, side, value):
            raise UnsupportedError("the values do not settle towards the limit")
    finally:
        ctx.dps = digits
    return value if abs(value) > _SMALLEST else ctx.zero


def _is_approached(body: Callable[[Value], Value], target: Value, side: int, value: Value) -> bool:
    """Whether values near the target come closer to the limit the nearer they are: `sin(1/x)` does not."""
    ctx = context()
    gaps: list[Value] = []
    sizes: list[Value] = []
    for step in range(_APPROACHES):
        near = ctx.mpf(10) ** (-1 - ctx.mpf(step) / 2) * ctx.mpf(37) / 41
        place = 1 / near if target == ctx.inf else -1 / near if target == -ctx.inf else target + side * near
        try:
            found = body(place)
        except (UndefinedError, UnsupportedError):
            continue
        gaps.append(abs(found - value))
        sizes.append(abs(found))
    if len(gaps) < _APPROACHES // 2:
        return True
    if sizes == sorted(sizes) and sizes[-1] > 1000 * (1 + sizes[0]):
        raise UndefinedError("the limit is not finite")
    first, last = gaps[: len(gaps) // 3], gaps[-(len(gaps) // 3) :]
    return bool(max(last) <= max(max(first) * ctx.mpf("0.2"), (1 + abs(value)) * ctx.mpf(10) ** -8))


def _derivative(node: Bound, point: Point, evaluate: Evaluator) -> Value:
    ctx = context()
    order = int(ctx.re(evaluate(node.lower, point))) if node.lower is not None else 1
    if order > 4:
        raise UnsupportedError("a derivative of order beyond four")
    return ctx.diff(_at(node, point, evaluate), point.symbol(node.variable), order)
