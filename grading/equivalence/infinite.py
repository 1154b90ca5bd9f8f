"""Infinite sums and integrals over half-lines: summed directly, or extrapolated in two ways that have to agree."""

from collections.abc import Callable
from itertools import pairwise

from grading.equivalence.point import UndefinedError, UnsupportedError, Value, context

Terms = Callable[[Value], Value]

MAX_INFINITE_TERMS = 1000
_LOOKED_AT = 24
_AGREE = 10
"""Digits in which two ways of extrapolating have to agree."""
_EXTRAPOLATED = 44
_GUARDED = 100
"""Digits that terms are taken in before Levin's transform, which loses many."""
_FALLS = 0.8
_PAST = 300
"""Terms as far out as this fall by a steady part, or the sum is no geometric one."""
_DOUBLINGS = 34
_NEGLIGIBLE = -26
_SCANNED = 400
_STEP = 10
_HALF_WAVES = 26
_FEWEST_WAVES = 22


def infinite_sum(term: Terms, start: int) -> Value:
    """The sum of `term(k)` for k from `start`. Raises UndefinedError where it diverges, UnsupportedError in doubt."""
    ctx = context()
    first = [term(ctx.mpf(start + k)) for k in range(_LOOKED_AT)]
    late = first[_LOOKED_AT // 2 :]
    if not any(late):
        return _direct(term, start)
    if _alternates(late):
        return _alternating(term, start)
    far = [term(ctx.mpf(start + k)) for k in (_PAST, _PAST + 1, _PAST + 2)]
    if all(abs(b) <= abs(a) * ctx.mpf(_FALLS) for a, b in pairwise(far)):
        return _direct(term, start)
    grows = all(abs(b) > abs(a) for a, b in pairwise(far)) and abs(far[-1]) > max(map(abs, late))
    if grows or diverges(term):
        raise UndefinedError("the sum does not converge")
    return _agreed(term, start)


def _alternates(values: list[Value]) -> bool:
    ctx = context()
    return all(not ctx.im(a) and not ctx.im(b) and a * b < 0 for a, b in pairwise(values))


def _direct(term: Terms, start: int) -> Value:
    """Term by term until nothing is added."""
    ctx = context()
    total, last, quiet = ctx.zero, ctx.zero, 0
    for step in range(MAX_INFINITE_TERMS):
        last = term(ctx.mpf(start + step))
        total += last
        quiet = quiet + 1 if abs(last) <= abs(total) * ctx.mpf(10) ** -24 else 0
        if quiet >= 8:
            return total
    raise UnsupportedError("the sum converges too slowly")


def _alternating(term: Terms, start: int) -> Value:
    """Cohen, Rodriguez Villegas and Zagier's sums of two lengths."""
    ctx = context()
    near, far = (abs(_far(term, start, power)) for power in (5, 7))
    if far >= near * ctx.mpf("0.999") and far > ctx.mpf(10) ** -20:
        raise UndefinedError("the sum does not converge")
    sign = 1 if term(ctx.mpf(start)) > 0 else -1
    sums = [_accelerated(lambda k: abs(term(ctx.mpf(start) + k)), length) for length in (30, _EXTRAPOLATED)]
    regular = [term(ctx.mpf(start + k)) for k in range(_EXTRAPOLATED)]
    if not _alternates([value for value in regular if value]) or regular[0] == 0:
        return _agreed(term, start)
    return sign * _same(*sums)


def _far(term: Terms, start: int, power: int) -> Value:
    try:
        return term(context().mpf(start + 10**power))
    except (UndefinedError, UnsupportedError):
        return context().zero


def _accelerated(size: Terms, length: int) -> Value:
    ctx = context()
    d = (3 + ctx.sqrt(8)) ** length
    d = (d + 1 / d) / 2
    b, c, total = ctx.mpf(-1), -d, ctx.zero
    for k in range(length):
        c = b - c
        total += c * size(ctx.mpf(k))
        b = (k + length) * (k - length) * b / ((k + ctx.mpf(1) / 2) * (k + 1))
    return total / d


def _agreed(term: Terms, start: int) -> Value:
    """Levin's u transform of two lengths; else Richardson's and Shanks' extrapolation in two precisions."""
    ctx = context()
    digits = ctx.dps
    ctx.dps = _GUARDED
    try:
        terms = [term(ctx.mpf(start + k)) for k in range(_EXTRAPOLATED)]
        longer, shorter = _levin(terms), _levin(terms[:-8])
    finally:
        ctx.dps = digits
    if longer is not None and shorter is not None and _near(longer, shorter, _AGREE + 2):
        return longer
    found = [_extrapolated(term, start, precision) for precision in (16, 20)]
    if None not in found and _near(found[0], found[1]):
        return found[1]
    raise UnsupportedError("the sum converges too slowly")


def _extrapolated(term: Terms, start: int, precision: int) -> Value | None:
    ctx = context()
    used = 0

    def counted(argument: Value) -> Value:
        nonlocal used
        used += 1
        if used > MAX_INFINITE_TERMS:
            raise UnsupportedError("the sum converges too slowly")
        return term(argument)

    digits = ctx.dps
    ctx.dps = precision
    try:
        return ctx.nsum(counted, [start, ctx.inf])
    except (UnsupportedError, ValueError, ZeroDivisionError):
        return None
    finally:
        ctx.dps = digits


def _levin(terms: list[Value]) -> Value | None:
    ctx = context()
    sums: list[Value] = []
    total = ctx.zero
    for value in terms:
        if not value:
            return None
        total += value
        sums.append(total)
    try:
        return ctx.levin(method="levin", variant="u").update_psum(sums)[0]
    except (ValueError, ZeroDivisionError):
        return None


def _near(left: Value, right: Value, digits: int = _AGREE) -> bool:
    ctx = context()
    return bool(abs(left - right) <= max(abs(left), ctx.mpf(10) ** -12) * ctx.mpf(10) ** -digits)


def _same(left: Value, right: Value) -> Value:
    if not _near(left, right):
        raise UnsupportedError("two extrapolations do not agree")
    return right


def diverges(term: Terms) -> bool:
    """Whether the terms fall no faster than 1/k, by far terms of one sign."""
    ctx = context()
    try:
        places = [ctx.mpf(10) ** 6, ctx.mpf(10) ** 6 + 1, ctx.mpf(10) ** 8, ctx.mpf(10) ** 8 + 1]
        values = [place * term(place) for place in places]
    except (UndefinedError, UnsupportedError):
        return False
    if any(ctx.im(value) for value in values) or not all(value * values[0] > 0 for value in values):
        return False
    return bool(abs(values[2]) > abs(values[0]) * ctx.mpf("0.9"))


def half_line(body: Terms, start: Value) -> Value | None:
    """The integral from `start` to infinity where the integrand dies out or oscillates; None of any other."""
    reach = _dies_out(body, start)
    ctx = context()
    if reach is not None:
        ends, width = [start], ctx.one
        while ends[-1] < reach:
            ends.append(min(ends[-1] + width, reach))
            width *= 3
        head = ctx.quad(body, ends[:2], maxdegree=6)
        return head + ctx.quad(body, ends[1:], method="gauss-legendre", maxdegree=6) if len(ends) > 2 else head
    return _waves(body, start)


def _dies_out(body: Terms, start: Value) -> Value | None:
    """From where on the integrand is nothing beside its largest value, exponentially so."""
    ctx = context()
    largest, found = ctx.zero, None
    for power in range(_DOUBLINGS):
        place = start + ctx.mpf(2) ** (ctx.mpf(power) / 2) * ctx.mpf(37) / 41
        try:
            size = abs(body(place)) * (1 + abs(place))
        except UndefinedError:
            return None
        except UnsupportedError:
            # What overflows after it has died out is beyond the reach of numbers, and still nothing.
            return found
        if size > largest * ctx.mpf(10) ** _NEGLIGIBLE:
            found = None
        elif found is None:
            found = place
        largest = max(largest, size)
    return found


def _waves(body: Terms, start: Value) -> Value | None:
    """The integral of what changes its sign again and again, between its zeros and then extrapolated."""
    ctx = context()
    zeros: list[Value] = []
    before, place, step = None, start + ctx.mpf(1) / 97, ctx.one / _STEP
    for _ in range(_SCANNED):
        value = body(place)
        if ctx.im(value):
            return None
        if before is not None and before[1] * value < 0:
            zeros.append(_zero(body, before[0], place, before[1]))
            if len(zeros) > _HALF_WAVES:
                break
            step = (zeros[-1] - zeros[-2]) / 5 if len(zeros) > 3 else step
        before = (place, value)
        place += step
    if len(zeros) < _FEWEST_WAVES:
        return None
    pieces = [ctx.quad(body, list(pair), method="gauss-legendre", maxdegree=4) for pair in pairwise(zeros)]
    if not _alternates(pieces) or abs(pieces[-1]) >= abs(pieces[0]):
        return None
    skipped = 2
    pieces, zeros = pieces[skipped:], zeros[skipped:]
    head = ctx.quad(body, [start, zeros[0]], maxdegree=6)
    sign = 1 if pieces[0] > 0 else -1
    lengths = (len(pieces) - 3, len(pieces))
    sums = [head + sign * _accelerated(lambda k: abs(pieces[int(k)]), length) for length in lengths]
    if not _near(sums[0], sums[1], _AGREE + 1):
        raise UnsupportedError("the integral does not converge fast enough")
    return sums[1]


def _zero(body: Terms, low: Value, high: Value, below: Value) -> Value:
    for _ in range(34):
        middle = (low + high) / 2
        value = body(middle)
        if value * below > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2
