"""Compares expressions with symbols by their values at random points of the declared domain."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice

from grading.equivalence.breaks import Edge, close_by, edges, places
from grading.equivalence.digits import apart_far_out, has_hidden_term, literal_digits, same_in, tell_apart
from grading.equivalence.evaluate import evaluate, known
from grading.equivalence.everywhere import asks_for_all, left_out
from grading.equivalence.exactly import exact
from grading.equivalence.finding import Finding, Rules, different, equal, unevaluated, unknown
from grading.equivalence.numbers import compare_constants, decimals, has_imaginary, is_constant, show
from grading.equivalence.point import Point, UndefinedError, UnsupportedError, Value, Work, bits, context, ten_to
from grading.equivalence.precision import same_value
from grading.language.tree import (
    Bound,
    Constant,
    Function,
    Indexed,
    Node,
    Number,
    Piecewise,
    Power,
    Product,
    Quantity,
    Sum,
    Symbol,
)
from grading.language.walking import is_calculated, is_finite, kept, parts, walk

_WANTED = 5
_WANTED_CALCULATED = 3
_WANTED_SERIES = 7
_SIZES_TRIED = 24
_STRIDES = (1, 5, 7, 11, 13, 17, 19, 23)
_WANTED_BRANCHES = 12
_RANGES = ((0.2, 1.0), (-6.0, -0.3), (1.2, 3.5), (-2.5, 2.5), (-0.9, 0.9), (0.5, 6.0))
_POSITIVE = ((0.2, 1.0), (0.5, 2.5), (1.2, 4.5), (0.1, 8.0))
_BREAK_STEP = 2
_OF_INTEGERS = frozenset({"binomial", "factorial", "factorial2", "gcd", "lcm", "mod"})
_KINKS = frozenset({"abs", "max", "min", "floor", "ceil", "sign"})
_MAX_VISITED = 20_000
"""Nodes that may be evaluated about the places where a rule changes."""
_LEAST_PLACES = 12
_PORTION = 96
_FINER_POINTS = 2
_PLAIN_FIGURES = 20
_MOST_CLOSE = 16
_MANY_TERMS = 8
_FAR = ((12, 20), (-60, -30), (43, 70), (-250, -150), (150, 250))
_CALCULATED = -9
_EXACT = -25
_COARSE = -8
"""Rounded coefficients are compared at positive values only, where no cancellation magnifies the rounding."""


@dataclass(frozen=True, slots=True)
class Domain:
    """Where symbols live: all `positive`, or the names in `positives` only, and which names take integers."""

    positive: bool
    integers: frozenset[str]
    real_roots: bool
    positives: frozenset[str] = frozenset()


@kept
def symbols(node: Node) -> frozenset[str]:
    """Names of the free symbols of a tree."""
    bound = {part.variable for part in parts(node, Bound)}
    named = {part.name for part in parts(node, Symbol)} | {part.name for part in parts(node, Indexed)}
    return frozenset(named - bound)


@kept
def integer_symbols(node: Node) -> frozenset[str]:
    """Symbols that must be integers: limits of sums, arguments of factorials and binomials, exponents of minus one."""
    found: set[str] = set()
    for bound in parts(node, Bound):
        if bound.kind in ("sum", "product"):
            found |= {n for end in (bound.lower, bound.upper) if end is not None for n in symbols(end)}
    for called in parts(node, Function):
        if called.name in _OF_INTEGERS:
            found |= {name for argument in called.arguments for name in symbols(argument)}
    for power in parts(node, Power):
        if isinstance(power.base, Number) and power.base.value == -1:
            found |= symbols(power.exponent)
    return frozenset(found - {part.variable for part in parts(node, Bound)})


def domain_of(gold: Node, given: Node, rules: Rules) -> Domain:
    """The domain that the rules and the two trees imply."""
    declared = {name for name, kind in rules.assumed.items() if kind == "integer"}
    everything = symbols(gold) | symbols(given)
    if rules.assume == "integer":
        declared |= everything
    integers = integer_symbols(gold) | integer_symbols(given) | declared
    complex_values = has_imaginary(gold) or has_imaginary(given)
    positives = frozenset(name for name in everything if is_positive(name, rules))
    # Without symbols (unknown functions of numbers) only the rule for everything can tell.
    positive = positives == everything if everything else rules.assume == "positive"
    return Domain(positive, frozenset(integers), not complex_values, positives)


def is_positive(name: str, rules: Rules) -> bool:
    """Whether a symbol takes positive values only: by its own assumption, or else by the one for all symbols."""
    return (rules.assumed.get(name) or rules.assume) == "positive"


def points(domain: Domain) -> Iterator[Point]:
    """Points of the domain, the same ones whatever is compared: what an answer's values cost depends on it alone."""
    ranges = _POSITIVE if domain.positive else _RANGES
    for number in range(30):
        low, high = ranges[number % len(ranges)]
        yield Point(f"values|{number}", low, high, domain.integers, None, domain.real_roots, domain.positives)


def compare_expressions(gold: Node, given: Node, rules: Rules) -> Finding:
    """Equal where they agree at every random point at which the gold is defined (and real, unless it is never real)."""
    same = gold == given
    if same and is_constant(gold):
        return equal("the same expression")
    if has_hidden_term(gold) != has_hidden_term(given):
        return unknown("a term too small to be seen beside what is calculated by number")
    if is_constant(gold) and is_constant(given):
        return compare_constants(gold, given, rules)
    if (is_constant(gold) and _cancelled(given)) or (_has_zero_powers(given) and not _has_zero_powers(gold)):
        return different("letters that change nothing are no part of an answer")
    domain = domain_of(gold, given, rules)
    precision = _precision(gold, given, rules)
    if precision > _COARSE:
        domain = replace(domain, positive=True)
    rounded = _is_rounded(gold, given, domain, rules)
    sample = _Sample(gold, given, domain, precision, rules.work)
    found = sample.compare(real_only=not has_imaginary(gold))
    if found is None and not has_imaginary(gold):
        found = sample.compare(real_only=False)
    # Both are looked at though the answer is known to be wrong: right and wrong take the same work.
    closer = _at_breaks(sample), _finer(sample), _far_out(sample), _left_out(sample, rules)
    if same:
        return equal("the same expression")
    if found is not None and found.different and rounded:
        return equal("equal within the tolerance at values of all sizes")
    if found is not None and found.equal:
        return next(filter(None, closer), found)
    return found or unknown("the gold has no value at any of the points tried")


@kept
def _cancelled(node: Node) -> bool:
    """Whether letters stand in a tree only to be multiplied by zero, raised to it, or as a power of one."""
    zero = Number(Fraction(0))
    for part in walk(node):
        if isinstance(part, Product) and symbols(part) and any(exact(factor) == 0 for factor in part.factors):
            return True
        if isinstance(part, Power) and symbols(part.base) and part.exponent == zero:
            return True
        if isinstance(part, Power) and symbols(part.exponent) and exact(part.base) == 1:
            return True
    return False


@kept
def _has_zero_powers(node: Node) -> bool:
    """Whether zero is raised to a power of letters (`0^n`), which is zero at all points but one."""
    return any(symbols(part.exponent) and exact(part.base) == 0 for part in parts(node, Power))


def _at_breaks(sample: "_Sample") -> Finding | None:
    """A difference on, beside or beyond the places where one of the two changes its rule; all of them are tried."""
    gold, given, domain = sample.gold, sample.given, sample.domain
    found = edges(gold, given)
    if not found:
        return None
    names = sorted(symbols(gold) | symbols(given))
    budget = max(_LEAST_PLACES, _MAX_VISITED // sum(2 for _ in walk(given)))

    def allowed(name: str, value: Value) -> bool:
        if name in domain.integers and not context().isint(value):
            return False
        return value > 0 or not (domain.positive or name in domain.positives)

    problem: Finding | None = None
    left, starts = budget, 1 if all(edge.far for edge in found) else 3
    for number, start in enumerate(points(domain)):
        if number % _BREAK_STEP:
            continue
        if number >= _BREAK_STEP * starts:
            break
        for name in names:
            start.symbol(name)
        for place in places(found, start, names, allowed):
            budget -= 1
            if budget < 0:
                return problem
            there = sample.differs_at(place)
            problem = problem or there
    closer = _closer(sample, found, names, allowed)
    # The answer is evaluated at some more points, so that their number does not tell how many edges the gold has.
    filling = -(left - budget) % _PORTION
    for _ in range(min(filling, budget)):
        sample.work.at(sample.given, next(points(domain)), evaluate)
    return problem or closer


def _closer(
    sample: "_Sample", found: list[Edge], names: list[str], allowed: Callable[[str, Value], bool]
) -> Finding | None:
    """A difference so close to such a place that it takes more digits."""
    if sample.precision != _EXACT:
        return None
    ctx, start = context(), next(points(sample.domain))
    before, ctx.dps = ctx.dps, 3 * ctx.dps
    try:
        for name in names:
            start.symbol(name)
        near = list(close_by(found, start, names, allowed))[:_MOST_CLOSE]
        seen = [sample.differs_at(place) for place in near]
        for _ in range(_MOST_CLOSE - len(near)):
            sample.work.at(sample.given, start, evaluate)
        return next(filter(None, seen), None)
    finally:
        ctx.dps = before


def _finer(sample: "_Sample") -> Finding | None:
    """A difference that only more digits show: a tiny term beside a large one, or the last figures of a long number."""
    if sample.precision != _EXACT:
        return None
    gold, given, work = sample.gold, sample.given, sample.work
    tried = list(islice(points(sample.domain), _FINER_POINTS))
    apart = [tell_apart(gold, given, point, work) for point in tried]
    figures = max(literal_digits(gold), literal_digits(given))
    if figures > _PLAIN_FIGURES:
        apart += [not same_in(figures, gold, given, point, work) for point in tried]
    return different("differs by a term that is small beside the others") if any(apart) else None


def _far_out(sample: "_Sample") -> Finding | None:
    """A difference far out, of a sum that stops (`1 + x + ... + x^60/60!`) and of a product that is zero near zero."""
    gold, given, domain = sample.gold, sample.given, sample.domain
    if not (_stops(gold) or _stops(given)) or is_calculated(gold) or is_calculated(given):
        return None
    if sample.precision != _EXACT:
        return None
    names = sorted(symbols(gold) | symbols(given))
    apart = []
    for number, (low, high) in enumerate(_FAR if not domain.positive else _FAR[::2]):
        place = Point(f"far|{number}", low, high, domain.integers, None, domain.real_roots, domain.positives)
        # Of two whole numbers that choose or sum, the later letter is usually the larger one.
        ranks = [(name, rank) for rank, name in enumerate(names) if name in domain.integers]
        place.given = {name: context().mpf(int(abs(low)) + rank) for name, rank in ranks}
        apart.append(apart_far_out(gold, given, place, sample.work))
    return different("differs far out") if any(apart) else None


@kept
def _stops(node: Node) -> bool:
    """Whether a sum of many terms, or one between fixed ends, takes part."""
    ended = (part for part in parts(node, Bound) if part.kind != "derivative" and is_finite(part))
    fixed = any(not any(symbols(end) for end in (part.lower, part.upper) if end is not None) for part in ended)
    return fixed or any(len(part.terms) > _MANY_TERMS for part in parts(node, Sum))


def _left_out(sample: "_Sample", rules: Rules) -> Finding | None:
    """A real number for which the answer says nothing, where all are asked for, or where letters are to cancel."""
    gold, given = sample.gold, sample.given
    number = is_constant(gold) and not parts(gold, Bound)
    if has_imaginary(gold) or has_imaginary(given) or not (number or asks_for_all(rules.question)):
        return None
    names = sorted((symbols(gold) | symbols(given)) - sample.domain.integers - sample.domain.positives)
    starts = list(islice(points(sample.domain), _WANTED + 1))
    place = left_out(gold, given, starts, names)
    return different(f"the answer has no value at {place}") if place is not None else None


def _is_rounded(gold: Node, given: Node, domain: Domain, rules: Rules) -> bool:
    """Whether two expressions in the same symbols, decimals in one of them, agree within the stated tolerance.

    Each symbol takes sizes from a thousandth to a thousand, so that every term is the largest somewhere.
    """
    if not rules.rel_tol or rules.exact or domain.integers or symbols(gold) != symbols(given):
        return False
    powers = [part for node in (gold, given) for part in parts(node, Power)]
    if bool(decimals(gold)) == bool(decimals(given)) or any(decimals(part.exponent) for part in powers):
        return False
    ctx, agreed, apart = context(), 0, False
    tolerance = ctx.mpf(rules.rel_tol.numerator) / rules.rel_tol.denominator
    for number in range(_SIZES_TRIED):
        values = {name: ctx.mpf(10) ** _size(name, number) for name in symbols(gold)}
        place = Point("rounded", 0, 1, given=values, real_roots=domain.real_roots)
        found = rules.work.at(given, place, evaluate)
        try:
            expected = evaluate(gold, place)
        except (UndefinedError, UnsupportedError):
            continue
        if found is None:
            continue
        agreed += 1
        apart = apart or abs(expected - found) > tolerance * abs(expected)
    return agreed >= _WANTED and not apart


def _size(name: str, number: int) -> Value:
    """A power of ten between -3 and 3 for a letter: all of them once, in an order of the letter's own."""
    drawn = Point("size", 1, len(_STRIDES)).symbol(name)
    stride = _STRIDES[int(drawn) - 1]
    return ((number * stride) % _SIZES_TRIED + drawn % 1) * 6 / _SIZES_TRIED - 3


def _precision(gold: Node, given: Node, rules: Rules) -> int:
    if is_calculated(gold) or is_calculated(given):
        return _CALCULATED
    left, right = decimals(gold), decimals(given)
    # Rounding brings no letter in and takes none away.
    powers = [part for node in (gold, given) for part in parts(node, Power)]
    rounded = not rules.exact and symbols(gold) == symbols(given)
    if bool(left) != bool(right) and rounded and not any(symbols(p.base) and decimals(p.exponent) for p in powers):
        fewest = min(number.digits for number in left or right)
        if fewest >= 4:
            return -min(fewest - 1, 6)
    return _EXACT


def points_needed(node: Node, domain: Domain) -> int:
    """At how many points two expressions have to agree, as far as one of them tells."""
    if _is_series(node):
        return _WANTED_SERIES
    if any(part.kind != "derivative" for part in parts(node, Bound)):
        return _WANTED_CALCULATED
    names = {part.name for part in parts(node, Function)}
    kinked = parts(node, Piecewise) or names & _KINKS or ("root" in names and not domain.positive)
    return _WANTED_BRANCHES if kinked else _WANTED


def _counts(node: Node, name: str) -> bool:
    """Whether a binomial or a factorial of letters takes part."""
    return any(part.name == name and symbols(part) for part in parts(node, Function))


@kept
def _is_series(node: Node) -> bool:
    """Whether a sum to infinity in a letter takes part."""
    endless = (part for part in parts(node, Bound) if part.upper == Constant("inf"))
    return any(part.kind == "sum" and symbols(part.body) - {part.variable} for part in endless)


def _wanted(gold: Node, given: Node, domain: Domain) -> int:
    counts = points_needed(gold, domain), points_needed(given, domain)
    return min(counts) if _WANTED_CALCULATED in counts else max(counts)


@dataclass(frozen=True, slots=True)
class _Sample:
    """Two expressions at points at which the gold has a value.

    The answer is evaluated at all of them before any value is compared: right and wrong take the same work.
    """

    gold: Node
    given: Node
    domain: Domain
    precision: int
    work: Work

    def compare(self, *, real_only: bool) -> Finding | None:
        """A finding; None where the gold has a value at too few points."""
        wanted = _wanted(self.gold, self.given, self.domain)
        places, problem = self._places(wanted, real_only)
        try:
            values = [self._value(point) for point, _ in places]
        except UnsupportedError as error:
            return unevaluated(f"the answer could not be evaluated: {error}")
        pairs = list(zip(places, values, strict=True))
        if _is_series(self.given) and sum(found is not None for found in values) >= _WANTED_CALCULATED:
            # Outside its circle of convergence a series says nothing.
            pairs = [pair for pair in pairs if pair[1] is not None]
        for (point, expected), found in pairs:
            if found is None or not same_value(expected, found, self.precision):
                return different(_witness(point, self.gold, self.given, expected, found))
        if problem is not None and isinstance(self.gold, Quantity):
            return different("no quantity was given where one was asked for")
        if problem is not None:
            return unknown(f"the gold could not be evaluated: {problem}")
        if len(places) >= wanted:
            return equal(f"equal at {len(places)} random points")
        return equal(f"equal at the {len(places)} points of its domain") if len(places) >= 3 else None

    def differs_at(self, place: Point) -> Finding | None:
        """A difference at a place that an edge gave; the answer is evaluated there whether or not the gold can be."""
        ctx = context()
        found = self.work.at(self.given, place, evaluate)
        try:
            expected = evaluate(self.gold, place)
        except (UndefinedError, UnsupportedError):
            return None
        if _is_complex(expected):
            return None
        if found is None:
            # A quotient may have a hole on an edge; branches that leave out a place say less than the gold.
            if not isinstance(self.given, Piecewise):
                return None
            return different(_witness(place, self.gold, self.given, ctx.zero, None))
        if same_value(expected, found, self.precision):
            return None
        return different(_witness(place, self.gold, self.given, expected, found))

    def _places(self, wanted: int, real_only: bool) -> tuple[list[tuple[Point, Value]], str | None]:
        """Points with the gold's values, and what kept it from being evaluated at more of them."""
        found: list[tuple[Point, Value]] = []
        beyond = _counts(self.gold, "binomial") and _counts(self.given, "factorial")
        for point in points(self.domain):
            try:
                expected = known(self.gold, point)
            except UndefinedError:
                continue
            except UnsupportedError as error:
                return found, str(error)
            if beyond and not expected:
                # Nothing can be chosen there, of which a quotient of factorials has no value.
                continue
            if real_only and _is_complex(expected):
                continue
            found.append((point, expected))
            if len(found) >= wanted:
                break
        return found, None

    def _value(self, point: Point) -> Value | None:
        """The answer's value; None where it is undefined. Raises UnsupportedError."""
        try:
            return self.work.value(self.given, point.fresh(), evaluate)
        except UndefinedError:
            return None


def _is_complex(value: Value) -> bool:
    """Whether a value has an imaginary part that is no rounding noise."""
    return bits(value) is None and bool(abs(context().im(value)) > abs(value) * ten_to(-20))


def _witness(point: Point, gold: Node, given: Node, expected: Value, found: Value | None) -> str:
    names = sorted(symbols(gold) | symbols(given))[:3]
    where = ", ".join(f"{name} = {context().nstr(point.symbol(name), 3)}" for name in names)
    value = "undefined" if found is None else show(found)
    return f"differs at {where}: {value} against {show(expected)}" if where else f"{value} against {show(expected)}"


def difference(left: Node, right: Node) -> Node:
    """`left - right`."""
    return Sum((left, Product((Number(Fraction(-1)), right))))
