"""More digits where terms of very different sizes meet: `x^2 + 10^{-30}` is not `x^2`."""

from contextlib import suppress
from fractions import Fraction

from grading.equivalence.evaluate import evaluate, known
from grading.equivalence.exactly import exact
from grading.equivalence.point import DIGITS, Point, UndefinedError, UnsupportedError, Value, Work, context
from grading.equivalence.precision import same_value
from grading.language.tree import Node, Number, Sum
from grading.language.walking import is_calculated, kept, parts

MOST_DIGITS = 600
_PLAIN = 15
"""Spreads of so many digits are seen at the usual precision."""
_MARGIN = 25
_KEPT = 10
_HIDDEN = Fraction(1, 10**8)


def has_hidden_term(node: Node) -> bool:
    """Whether a tiny constant is added in a tree in which an integral, a limit or an endless sum is calculated."""
    if not is_calculated(node):
        return False
    terms = (term for part in parts(node, Sum) for term in part.terms)
    values = (exact(term) for term in terms)
    return any(value is not None and 0 < abs(value) < _HIDDEN for value in values)


def tell_apart(gold: Node, given: Node, point: Point, work: Work) -> bool:
    """Whether more digits tell two trees apart that agree at `point` in the usual ones."""
    plain = _spread(gold, point)
    spread = max(plain, work.spread)
    if spread <= _PLAIN:
        return False
    if spread + _MARGIN > MOST_DIGITS:
        return plain <= _PLAIN
    return not _same_with_digits(gold, given, point, spread + _MARGIN, work)


def apart_far_out(gold: Node, given: Node, place: Point, work: Work) -> bool:
    """Whether two trees that agree near zero differ at a place far from it, with digits for all that cancels there."""
    ctx = context()
    place.spread = 0
    work.at(given, place, evaluate)
    with suppress(UndefinedError, UnsupportedError):
        evaluate(gold, place)
    if place.spread + _MARGIN > MOST_DIGITS:
        return False
    before = ctx.dps
    ctx.dps = DIGITS + place.spread + _MARGIN
    try:
        found = work.at(given, place, evaluate)
        return found is not None and not same_value(evaluate(gold, place), found, -_MARGIN)
    except (UndefinedError, UnsupportedError):
        return False
    finally:
        ctx.dps = before


@kept
def literal_digits(node: Node) -> int:
    """Figures of the longest number that is written out in a tree, zeros at its ends not counted."""
    written = [part.value for part in parts(node, Number)]
    return max((len(str(size).strip("0")) for value in written for size in value.as_integer_ratio()), default=0)


def same_in(digits: int, gold: Node, given: Node, point: Point, work: Work) -> bool:
    """Whether two trees agree when so many digits more are used."""
    return digits > MOST_DIGITS or _same_with_digits(gold, given, point, digits + _MARGIN, work)


def factor_varies(gold: Node, given: Node, places: list[Point], work: Work) -> bool:
    """Whether more digits show that `gold / given`, one number at all `places` in the usual ones, is not."""
    plain = max((_spread(gold, point) for point in places), default=0)
    spread = max(plain, work.spread)
    if spread <= _PLAIN:
        return False
    if spread + _MARGIN > MOST_DIGITS:
        return plain <= _PLAIN
    ctx = context()
    before = ctx.dps
    ctx.dps = DIGITS + spread + _MARGIN
    try:
        ratios = [_ratio(gold, given, point.fresh(), work) for point in places]
        known_ratios = [ratio for ratio in ratios if ratio is not None]
        return any(not same_value(known_ratios[0], ratio, _KEPT - ctx.dps) for ratio in known_ratios[1:])
    finally:
        ctx.dps = before


def _ratio(gold: Node, given: Node, point: Point, work: Work) -> Value | None:
    under = work.at(given, point, evaluate)
    try:
        over = evaluate(gold, point)
    except (UndefinedError, UnsupportedError):
        return None
    return over / under if under else None


def _spread(node: Node, point: Point) -> int:
    """By how many powers of ten terms differ that a tree adds at `point`."""
    point.spread = 0
    try:
        known(node, point)
    except (UndefinedError, UnsupportedError):
        return 0
    return point.spread


def _same_with_digits(gold: Node, given: Node, point: Point, digits: int, work: Work) -> bool:
    """Whether the two agree when computed with more digits; so they do where one cannot be computed."""
    ctx = context()
    before = ctx.dps
    ctx.dps = DIGITS + digits
    try:
        found = work.at(given, point, evaluate)
        expected = evaluate(gold, point)
        return found is None or same_value(expected, found, _KEPT - ctx.dps)
    except (UndefinedError, UnsupportedError):
        return True
    finally:
        ctx.dps = before
