"""Compares constants: exactly where both are rational, else by value at 40 digits, within the tolerance asked for."""

from fractions import Fraction

from grading.equivalence.digits import same_in, tell_apart
from grading.equivalence.evaluate import evaluate, known
from grading.equivalence.exactly import exact, is_infinite
from grading.equivalence.finding import Finding, Rules, different, equal, unevaluated, unknown
from grading.equivalence.point import Point, UndefinedError, UnsupportedError, Value, context
from grading.equivalence.precision import SAME, same_value
from grading.language.tree import Bound, Call, Constant, Function, Indexed, Node, Number, PlusMinus, Power, Sum, Symbol
from grading.language.walking import is_calculated, is_finite, kept, parts, walk

_SAME_BY_QUADRATURE = -10
_SLACK = Fraction(1, 10**9)
_UNSAFE_SIZE = 10**30
_ROUNDED_FROM = 3
"""Digits of a decimal from which on it stands for what rounds to it."""
_DIGITS_OF_SUMS = 400


@kept
def is_constant(node: Node) -> bool:
    """Whether the tree holds no symbols, apart from variables bound inside it."""
    bound = {part.variable for part in parts(node, Bound)}
    free = any(part.name not in bound for part in parts(node, Symbol))
    return not free and not any(parts(node, kind) for kind in (Call, Indexed, PlusMinus))


def decimals(node: Node) -> list[Number]:
    """The decimal literals of a tree."""
    return [part for part in parts(node, Number) if part.places is not None]


def value_of(node: Node) -> Value:
    """The value of a constant. Raises UndefinedError or UnsupportedError."""
    return known(node, place_of(node))


def place_of(constant: Node) -> Point:
    """The one point that a constant is evaluated at."""
    return Point("constant", 0, 1, real_roots=not has_imaginary(constant))


@kept
def has_imaginary(node: Node) -> bool:
    """Whether the imaginary unit occurs."""
    return any(part.name == "i" for part in parts(node, Constant))


def show(value: Value) -> str:
    """A value in six figures for a sentence."""
    if isinstance(value, Fraction):
        if value.denominator == 1 and abs(value.numerator) < 10**9:
            return str(value.numerator)
        return str(context().nstr(context().mpf(value.numerator) / value.denominator, 6))
    return str(context().nstr(value, 6))


def compare_constants(gold: Node, given: Node, rules: Rules) -> Finding:
    """Compare two constants under the tolerances of `rules`."""
    infinite = is_infinite(gold), is_infinite(given)
    if any(infinite):
        same = infinite[0] == infinite[1]
        return equal("both infinite") if same else different("one is infinite, the other not")
    left, right = exact(gold), exact(given)
    if left is not None and right is not None:
        return _compare_exact(left, right, gold, given, rules)
    try:
        found, expected = rules.work.value(given, place_of(given), evaluate), value_of(gold)
    except UndefinedError as error:
        return different(f"has no finite value: {error}")
    except UnsupportedError as error:
        return unevaluated(f"could not be evaluated: {error}")
    return _compare_values(expected, found, gold, given, rules)


def _compare_exact(left: Fraction, right: Fraction, gold: Node, given: Node, rules: Rules) -> Finding:
    if left == right:
        return equal(f"both are {show(left)}")
    if rules.significant_figures:
        return _by_figures(left, right, rules.significant_figures)
    if rules.exact:
        return different(f"{show(right)} is not {show(left)}")
    tolerance = _tolerance(abs(left), rules) or _from_digits(gold, given, abs(left))
    if tolerance and abs(left - right) <= tolerance * (1 + _SLACK):
        return equal(f"{show(right)} is {show(left)} within the tolerance")
    return different(f"{show(right)} is not {show(left)}")


def _tolerance(size: Fraction, rules: Rules) -> Fraction | None:
    """The declared tolerance as an absolute one."""
    if rules.exact:
        return Fraction(0)
    if rules.abs_tol:
        return max(rules.abs_tol[0], (rules.rel_tol or Fraction(0)) * size)
    return rules.rel_tol * size if rules.rel_tol is not None else None


def _from_digits(gold: Node, given: Node, size: Fraction) -> Fraction | None:
    """Without a declared tolerance: a rounded decimal stands for what rounds to it.

    A gold of at least three figures accepts an exact value that rounds to it (or is cut to it); a decimal given for
    an exact gold needs six figures.
    """
    stated, written = _literal(gold), _literal(given)
    if stated is not None and (written is None or _finer(written, stated)):
        return _unit_in_last_place(stated) if stated.digits >= 3 else None
    if stated is None and written is not None and written.digits >= 6:
        return min(_unit_in_last_place(written), size / 100_000)
    return None


def _literal(node: Node) -> Number | None:
    """The one decimal literal of a number, perhaps with a power of ten, a sign or a per cent sign."""
    found = decimals(node)
    return found[0] if len(found) == 1 and sum(1 for _ in walk(node)) <= 8 else None


def _finer(written: Number, stated: Number) -> bool:
    return (written.places or 0) > (stated.places or 0)


def _unit_in_last_place(number: Number) -> Fraction:
    return Fraction(1, 10 ** (number.places or 0))


def _scaled(gold: Node) -> Fraction:
    """By what the literal of a number is multiplied (a power of ten, a per cent)."""
    literal, value = _literal(gold), exact(gold)
    if literal is None or value is None or not literal.value:
        return Fraction(1)
    return abs(value / literal.value)


def _by_figures(left: Fraction, right: Fraction, figures: int) -> Finding:
    same = rounded(left, figures) == rounded(right, figures)
    return (equal if same else different)(f"{show(right)} against {show(left)} in {figures} significant figures")


def rounded(value: Fraction, figures: int) -> Fraction:
    """`value` rounded half away from zero to significant `figures`."""
    if not value:
        return value
    power = 0
    size = abs(value)
    while size >= 10:
        size, power = size / 10, power + 1
    while size < 1:
        size, power = size * 10, power - 1
    unit = Fraction(10) ** (power - figures + 1)
    whole = abs(value) / unit + Fraction(1, 2)
    return (1 if value > 0 else -1) * (whole.numerator // whole.denominator) * unit


def _compare_values(expected: Value, found: Value, gold: Node, given: Node, rules: Rules) -> Finding:
    precision = _precision(gold, given)
    # Looked at though the values may differ: right and wrong take the same work.
    apart = precision == SAME and _told_apart(gold, given, rules)
    if same_value(expected, found, precision):
        if gold != given and abs(expected) > _UNSAFE_SIZE and not _smooth(gold, given):
            return unknown("too large to be told apart from its neighbours")
        if apart:
            return different("differs by a term that is small beside the others")
        return equal(f"both are {show(expected)}")
    if rules.exact:
        return different(f"{show(found)} is not {show(expected)}")
    if rules.significant_figures:
        return _figures_of_values(expected, found, rules.significant_figures)
    size = abs(expected)
    tolerance = _tolerance(Fraction(1), rules)
    if rules.abs_tol or tolerance is None:
        exact_size = to_fraction(size)
        tolerance = _tolerance(exact_size, rules) or _digits_tolerance(gold, given, exact_size)
        allowed = context().mpf(tolerance.numerator) / tolerance.denominator if tolerance else 0
    else:
        allowed = size * tolerance.numerator / tolerance.denominator
    if allowed and abs(expected - found) <= allowed * (1 + context().mpf(10) ** -9):
        return equal(f"{show(found)} is {show(expected)} within the tolerance")
    return different(f"{show(found)} is not {show(expected)}")


def _told_apart(gold: Node, given: Node, rules: Rules) -> bool:
    """Whether more digits tell the two apart."""
    imaginary = has_imaginary(gold) or has_imaginary(given)
    place = Point("constant", 0, 1, real_roots=not imaginary)
    if any(is_finite(part) for node in (gold, given) for part in parts(node, Bound)):
        # A series that stops comes as near to its sum as one likes.
        return not same_in(_DIGITS_OF_SUMS, gold, given, place, rules.work)
    return tell_apart(gold, given, place, rules.work)


def _digits_tolerance(gold: Node, given: Node, size: Fraction) -> Fraction | None:
    if _turn(gold) is not None or _turn(given) is not None:
        return _turned_tolerance(gold, given, size)
    plain = _from_digits(gold, given, size)
    if plain is None:
        return None
    return plain * (_scaled(gold) if _literal(gold) is not None else _scaled(given))


def _turn(node: Node) -> Node | None:
    """The exponent of `e` with the imaginary unit: of `5 \\angle 53.13^\\circ` the angle; None of other numbers."""
    powers = [part.exponent for part in parts(node, Power) if part.base == Constant("e") and has_imaginary(part)]
    return powers[0] if len(powers) == 1 else None


def _turned_tolerance(gold: Node, given: Node, size: Fraction) -> Fraction | None:
    """By how much complex numbers may differ where one is written by size and angle.

    A gold is rounded as it is written. What is given is held to its own digits only where the two are written in
    different ways (`3 + 4i`, `5 \\angle 53.13^\\circ`), which rounds one of them.
    """
    ours, theirs = (_rounding(node, size) for node in (gold, given))
    if ours is None or theirs is None:
        return None
    if (_turn(gold) is None) != (_turn(given) is None):
        return ours + theirs / 2
    return ours if theirs < ours else None


def _rounding(node: Node, size: Fraction) -> Fraction | None:
    """The units in the last places of all decimals together, as far as they move the number; None of coarse ones."""
    literals = decimals(node)
    if any(literal.digits < _ROUNDED_FROM for literal in literals):
        return None
    turn = _turn(node)
    angles = decimals(turn) if turn is not None else []
    radians = size / 57 if turn is not None and any(f.name == "degrees" for f in parts(turn, Function)) else size
    turned = sum((_unit_in_last_place(angle) * radians for angle in angles), Fraction(0))
    lengths = sum((_unit_in_last_place(literal) for literal in literals), Fraction(0))
    return turned + lengths - sum((_unit_in_last_place(angle) for angle in angles), Fraction(0))


def _figures_of_values(expected: Value, found: Value, figures: int) -> Finding:
    if context().im(expected) or context().im(found):
        return different(f"{show(found)} is not {show(expected)}")
    return _by_figures(to_fraction(expected), to_fraction(found), figures)


def to_fraction(value: Value) -> Fraction:
    """A real value as the exact rational it stands for; bounded in size."""
    real = context().mpf(context().re(value))
    sign, mantissa, exponent, _ = real._mpf_
    if abs(int(exponent)) > 20_000:
        return Fraction(0) if exponent < 0 else Fraction(10) ** 6000
    return Fraction((-1) ** sign * int(mantissa)) * Fraction(2) ** int(exponent)


def _smooth(gold: Node, given: Node) -> bool:
    """Whether both are single products or powers of small parts, where no `+1` could hide."""
    stepped = (part.name in ("floor", "ceil") for node in (gold, given) for part in parts(node, Function))
    return not parts(gold, Sum) and not parts(given, Sum) and not any(stepped)


def _precision(gold: Node, given: Node) -> int:
    return _SAME_BY_QUADRATURE if is_calculated(gold) or is_calculated(given) else SAME
