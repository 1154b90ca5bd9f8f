"""Families of solutions: integer parameters (`k pi`) and arbitrary constants (`x^2 + C`)."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from grading.equivalence.evaluate import evaluate
from grading.equivalence.expressions import compare_expressions, symbols
from grading.equivalence.finding import Finding, Rules, different, equal, unevaluated, unknown
from grading.equivalence.indexes import Index
from grading.equivalence.point import Point, UndefinedError, UnsupportedError, Value, context, ten_to
from grading.equivalence.precision import same_value
from grading.equivalence.signs import substituted
from grading.language.tree import Builder, Constant, Function, Node, Number, Product, Quotient, Relation, Sum, Symbol
from grading.language.walking import walk

PARAMETERS = frozenset(["k", "n", "m", "l", "j", "p", "q", "s", "t", "z"])
_REACH = 60
_FIRST = 9
"""Members of a family that the other one must have wherever they lie."""
_CELLS = 1000
_FARTHEST = 3000
"""Power of ten beyond which a member is not compared."""
_SAME = -20
_MOST_PARTS = 24
_MAX_CONSTANTS = 4
_ALL_OF_THEM = re.compile(r"\ball\s+(?:\w+\s+){0,3}(?:functions|polynomials|solutions)\b", re.IGNORECASE)
_CONSTANT = re.compile(r"[A-Za-dkmpqrλ](?:_\d)?|alpha|beta|lambda|C_\d")
_PLANE = "xy"
_RADII = frozenset(["r", "R"])
_GENERAL = re.compile(
    r"differential\s+equation|general\s+solution|\bODE\b|[a-z]['′]\s*=|\bd[yx]\s*/\s*d[xt]", re.IGNORECASE
)
"""What asks for a solution with an arbitrary constant."""
_NUMBERED = re.compile(r"[Cc]_[1-9]")
_ARBITRARY = frozenset(["A", "B", "C", "D", "a", "b", "c", "d", "K", "k"])
_AMPLITUDES = frozenset(["A", "B", "C", "D", "R", "K", "a", "c", "r"])
_PHASES = frozenset(["phi", "delta", "theta", "alpha", "beta", "gamma", "psi", "phi_0", "theta_0", "epsilon"])
_INTEGRATION = frozenset(["C", "c", "K", "k", "const", "C_0", "C_1", "C_2", "c_0", "c_1"])


def is_residue_class(node: Node) -> bool:
    """Whether a set was written as a congruence."""
    return isinstance(node, Builder) and "residue:k" in symbols(node.term)


def periodic_parameter(node: Node) -> str | None:
    """The lone parameter letter beside pi, as in `pi/6 + k pi`."""
    name = next(iter(symbols(node))) if len(symbols(node)) == 1 else ""
    has_pi = name in PARAMETERS and any(isinstance(part, Constant) and part.name == "pi" for part in walk(node))
    return name if has_pi and linear_in(node, name) else None


def linear_in(node: Node, name: str) -> bool:
    """Whether the value moves by the same step with each whole number that is put for `name`."""
    ctx = context()
    try:
        values = [evaluate(node, Point("family", 0, 1, given={name: ctx.mpf(k)})) for k in (0, 1, 2, 5)]
    except (UndefinedError, UnsupportedError):
        return False
    zero, one, two, five = values
    step = one - zero
    return bool(step) and not ctx.im(step) and same_value(two - zero, 2 * step) and same_value(five - zero, 5 * step)


def steps_of(items: list[Node]) -> tuple[Node, Node] | None:
    """The first and the step of at least three constants that rise or fall by equal steps, in whatever order."""
    if len(items) < 3 or any(symbols(item) for item in items):
        return None
    try:
        valued = [(evaluate(item, Point("family", 0, 1)), item) for item in items]
    except (UndefinedError, UnsupportedError):
        return None
    if any(context().im(value) for value, _ in valued):
        return None
    rising = valued == sorted(valued, key=lambda pair: pair[0])
    valued.sort(key=lambda pair: pair[0], reverse=not rising and valued[0][0] > valued[-1][0])
    steps = [after - before for (before, _), (after, _) in pairwise(valued)]
    if not steps[0] or not all(same_value(step, steps[0]) for step in steps):
        return None
    first, second = valued[0][1], valued[1][1]
    return first, Sum((second, Product((Number(Fraction(-1)), first))))


@dataclass(frozen=True, slots=True)
class Family:
    """`value` for every member of `index` put for the letter `name`."""

    value: Node
    name: str
    index: Index


def compare_integer_families(gold: list[Family], given: list[Family]) -> Finding:
    """Two unions of families have the same members: all of them where they are finite, else as far as can be seen."""
    gold, given = list(dict.fromkeys(gold)), list(dict.fromkeys(given))
    if max(len(gold), len(given)) > _MOST_PARTS:
        return unknown(f"more than {_MOST_PARTS} families")
    findings = [_compare(expected, found) for expected in _readings(gold) for found in _readings(given)]
    same = [finding for finding in findings if finding.equal]
    return same[0] if same else findings[0]


def _readings(parts: list[Family]) -> list[list[Family]]:
    """What the natural numbers may mean, for all parts alike."""
    if not any(part.index.either for part in parts):
        return [parts]
    return [[replace(part, index=part.index.readings()[-1 if zero else 0]) for part in parts] for zero in (False, True)]


def _compare(gold: list[Family], given: list[Family]) -> Finding:
    try:
        expected, ends = _Window(gold), _far_away(gold)
    except (UndefinedError, UnsupportedError) as error:
        return unknown(f"a family could not be evaluated: {error}")
    try:
        found, far = _Window(given), _far_away(given)
    except (UndefinedError, UnsupportedError) as error:
        return unevaluated(f"a family could not be evaluated: {error}")
    for one, other in ((expected, found), (found, expected)):
        if not all(other.has(value) for value in one.first):
            return different("a member of one family is not in the other")
    if not _same_values(ends, far):
        return different("one family ends, or leaves a member out, far from zero where the other does not")
    reach = min(expected.reach, found.reach)
    left = [value for value in expected.values if abs(value) <= reach]
    right = [value for value in found.values if abs(value) <= reach]
    if len(left) < min(3, len(expected.values)):
        return unknown("too few members of the family lie in the window")
    if all(found.has(value) for value in left) and all(expected.has(value) for value in right):
        return equal(f"the families share all {len(left)} members near zero")
    return different("a member of one family is not in the other")


def _far_away(parts: list[Family]) -> list[Value]:
    """Values at the ends of the index sets, and at what they leave out, that are out of the window's reach."""
    ctx = context()
    return [
        evaluate(part.value, Point("family", 0.5, 1.5, given={part.name: ctx.mpf(member)}))
        for part in parts
        for member in (*part.index.without, part.index.low, part.index.high)
        if member is not None and abs(member) > _REACH * part.index.step
    ]


def _same_values(gold: list[Value], given: list[Value]) -> bool:
    return all(any(same_value(a, b) for b in given) for a in gold) and all(
        any(same_value(a, b) for b in gold) for a in given
    )


class _Window:
    """Members of a union of families for the index's members about zero.

    `first` are the members for the smallest of them; within `reach` none is missing.
    """

    def __init__(self, parts: list[Family]) -> None:
        ctx = context()
        self.values: list[Value] = []
        self.first: list[Value] = []
        self.reach = ctx.inf
        for part in parts:
            members = list(part.index.members(_REACH))
            values = [evaluate(part.value, Point("family", 0.5, 1.5, given={part.name: ctx.mpf(k)})) for k in members]
            self.values.extend(values)
            near = sorted(zip(members, values, strict=True), key=lambda pair: abs(pair[0]))
            self.first.extend(value for _, value in near[:_FIRST])
            ends = [(part.index.low, values[:1]), (part.index.high, values[-1:])]
            for bound, end in ends:
                if bound is None or abs(bound) > _REACH:
                    self.reach = min([self.reach, *(abs(value) * Fraction(1, 2) for value in end)])
        self._near: dict[tuple[int, int], list[Value]] = {}
        for value in self.values:
            self._near.setdefault(self._place(value), []).append(value)

    @staticmethod
    def _place(value: Value) -> tuple[int, int]:
        ctx = context()
        if abs(value) > ten_to(_FARTHEST):
            raise UnsupportedError("a member is too large")
        return int(ctx.floor(ctx.re(value) * _CELLS)), int(ctx.floor(ctx.im(value) * _CELLS))

    def has(self, value: Value) -> bool:
        """Whether a value is a member."""
        x, y = self._place(value)
        around = ((x + dx, y + dy) for dx in (0, -1, 1) for dy in (0, -1, 1))
        near = (member for place in around for member in self._near.get(place, ()))
        return any(abs(member - value) < context().mpf(10) ** -12 for member in near)


def constants_of_integration(gold: Node, given: Node) -> frozenset[str]:
    """The `C` of a gold such as `x^2 + C`, or its `C_1` and `C_2`, where the answer has usual names in their places.

    Only beside letters in lower case is `C` taken to be arbitrary: in `A + C` it may be a quantity.
    """
    numbered = frozenset(name for name in symbols(gold) if _NUMBERED.fullmatch(name))
    if len(numbered) > 1:
        fresh = symbols(given) - (symbols(gold) - numbered)
        usual = all(_NUMBERED.fullmatch(name) or name in _ARBITRARY for name in fresh) or _is_polar(fresh)
        return numbered if len(fresh) == len(numbered) and usual else frozenset()
    names = [sorted(symbols(term))[0] for term in getattr(gold, "terms", ()) if isinstance(term, Symbol)]
    constants = [name for name in names if name in _INTEGRATION]
    others = symbols(gold) - set(constants)
    if not isinstance(gold, Sum) or len(constants) != 1 or not others or not all(map(str.islower, others)):
        return frozenset()
    fresh = symbols(given) - others
    return frozenset(constants) if len(fresh) == 1 and fresh <= _INTEGRATION else frozenset()


def is_limited(conditions: Iterable[Relation], question: str) -> bool:
    """Whether a condition lets a constant of a general solution take some values only."""
    if _GENERAL.search(question) is None:
        return False
    return any(symbols(each) & _INTEGRATION and set(each.operators) <= {"<", ">", "<=", ">="} for each in conditions)


def compare_general(gold: Node, given: Node, rules: Rules) -> Finding | None:
    """Equal where a question asks for a general solution, and both are it with one constant each; None otherwise."""
    if _ALL_OF_THEM.search(rules.question) is not None and (found := _compare_all(gold, given, rules)) is not None:
        return found
    if _GENERAL.search(rules.question) is None:
        return None
    usual = symbols(gold) & _INTEGRATION
    fresh = symbols(given) - (symbols(gold) - usual)
    if len(usual) != 1 or len(fresh) != 1 or not fresh <= _ARBITRARY | _INTEGRATION or len(symbols(gold)) == 1:
        return None
    found = compare_with_constants(gold, given, replace(rules, constants=usual))
    return found if found.equal else None


def _compare_all(gold: Node, given: Node, rules: Rules) -> Finding | None:
    """`a x + b` beside `m x + c`: all the functions of a kind, whatever their constants are called."""
    ours, theirs = (frozenset(name for name in symbols(side) if _CONSTANT.fullmatch(name)) for side in (gold, given))
    if not 0 < len(ours) == len(theirs) <= _MAX_CONSTANTS or symbols(gold) - ours != symbols(given) - theirs:
        return None
    found = compare_with_constants(gold, given, replace(rules, constants=ours))
    return found if found.equal else None


def compare_levels(gold: Relation, given: Relation, rules: Rules) -> Finding | None:
    """Equal where `F(x, y) = C` and `G(x, y) = K` are the same curves, as a question asks for; None otherwise."""
    if _GENERAL.search(rules.question) is None:
        return None
    usual = symbols(gold) & _INTEGRATION
    variables = symbols(gold) - usual
    fresh = symbols(given) - variables
    if (
        len(usual) != 1
        or len(fresh) != 1
        or len(variables) != len(_PLANE)
        or not fresh <= _ARBITRARY | _RADII | _INTEGRATION
    ):
        return None
    sides = _isolated(gold, min(usual)), _isolated(given, min(fresh))
    try:
        same = None not in sides and all(_turns_with(*sides, sorted(variables), number) for number in range(4))
    except (UndefinedError, UnsupportedError):
        return None
    return equal("the same curves") if same else None


def _isolated(relation: Relation, constant: str) -> Node | None:
    """What stays the same along each curve: the side without the constant, or the constant worked out."""
    left, right = relation.operands
    for side, other in ((left, right), (right, left)):
        if symbols(side) == {constant} and constant not in symbols(other):
            return other
    minus = Number(Fraction(-1))
    gap = Sum((left, Product((minus, right))))
    at = [substituted(gap, constant, Number(Fraction(value))) for value in (0, 1, 2)]
    step, twice = (Sum((each, Product((minus, at[0])))) for each in at[1:])
    linear = compare_expressions(twice, Product((Number(Fraction(2)), step)), Rules()).equal
    return Quotient(Product((minus, at[0])), step) if linear else None


def _turns_with(one: Node | None, other: Node | None, names: list[str], number: int) -> bool:
    """Whether two functions of two letters rise in one direction at a point."""
    if one is None or other is None:
        return False
    ctx = context()
    start = Point(f"levels|{number}", 0.3, 1.7)
    places = {name: start.symbol(name) for name in names}
    step = ctx.mpf(10) ** -12

    def slope(node: Node, name: str) -> Value:
        ends = [{**places, name: places[name] + sign * step} for sign in (1, -1)]
        high, low = (evaluate(node, Point("levels", 0.3, 1.7, given=end)) for end in ends)
        return (high - low) / (2 * step)

    (a, b), (c, d) = ([slope(node, name) for name in names] for node in (one, other))
    size = abs(a * d) + abs(b * c)
    return bool(size) and abs(a * d - b * c) <= size * ctx.mpf(10) ** -12


def _is_polar(names: frozenset[str]) -> bool:
    """Whether two names are those of an amplitude and a phase."""
    return len(names) == 2 and len(names & _AMPLITUDES) == 1 and len(names & _PHASES) == 1


def _in_coordinates(family: Node, constants: list[str]) -> tuple[Node, list[str]]:
    """`R cos(2x - phi)` as `k_1 cos 2x + k_2 sin 2x`: linear in two constants, if the phase turns all of it."""
    phase = [name for name in constants if name in _PHASES]
    rest = [name for name in constants if name not in phase]
    if len(phase) != 1 or len(rest) != 1:
        return family, constants
    zero, one, quarter = Number(Fraction(0)), Number(Fraction(1)), Quotient(Constant("pi"), Number(Fraction(2)))

    def at(amplitude: Node, angle: Node) -> Node:
        return substituted(substituted(family, rest[0], amplitude), phase[0], angle)

    still, turned = at(one, zero), at(one, quarter)
    angle, amplitude = Symbol(phase[0]), Symbol(rest[0])
    harmonic = Sum((Product((Function("cos", (angle,)), still)), Product((Function("sin", (angle,)), turned))))
    if not compare_expressions(family, Product((amplitude, harmonic)), Rules()).equal:
        return family, constants
    return Sum((Product((amplitude, still)), Product((angle, turned)))), constants


def compare_with_constants(gold: Node, given: Node, rules: Rules) -> Finding:
    """Families with arbitrary constants: each member of one is a member of the other."""
    known = symbols(gold) - rules.constants
    free = sorted(symbols(given) - known)
    constants = sorted(rules.constants & symbols(gold))
    if len(free) != len(constants):
        return different(f"{len(free)} arbitrary constant(s) against {len(constants)}")
    if len(free) > _MAX_CONSTANTS:
        return unknown("too many arbitrary constants")
    try:
        forward = _covers(given, free, gold, constants, rules)
        backward = _covers(gold, constants, given, free, rules) if forward else True
    except (UndefinedError, UnsupportedError) as error:
        return unevaluated(f"a family could not be evaluated: {error}")
    if forward is None or backward is None:
        return unknown("the arbitrary constants could not be solved for")
    if forward and backward:
        return equal("the same family up to its arbitrary constants")
    return different("no choice of the arbitrary constants makes the two agree")


def _covers(family: Node, constants: list[str], target: Node, kept: list[str], rules: Rules) -> bool | None:
    """Whether, for random values of the constants `kept` of `target`, some of `family` give the same function."""
    family, constants = _in_coordinates(family, constants)
    verdicts = [_member(family, constants, target, kept, seed, rules) for seed in ("a", "b")]
    return None if None in verdicts else all(verdicts)


def _member(family: Node, constants: list[str], target: Node, kept: list[str], seed: str, rules: Rules) -> bool | None:
    """Fit the constants at as many points as there are constants (linear solve), then check at three more."""
    ctx = context()
    low = 0.3 if rules.assume == "positive" else 0.2
    fixed = Point(f"constants|{seed}", 0.5, 2.0)
    places = [_place(number, kept, fixed, low) for number in range(len(constants) + 3)]
    wanted = [evaluate(target, place) for place in places]
    rows, base = _linear(family, constants, places[: len(constants)])
    if rows is None or base is None:
        return _newton(family, constants, places, wanted)
    if constants:
        right = ctx.matrix([w - b for w, b in zip(wanted, base, strict=False)])
        try:
            solution = list(ctx.lu_solve(ctx.matrix(rows), right))
        except (ZeroDivisionError, ValueError, TypeError):
            # One of the constants says nothing that the others do not: a TypeError where its column is all zeros.
            fewer = [(substituted(family, name, Number(Fraction(0))), name) for name in constants]
            left = [
                _member(less, [other for other in constants if other != name], target, kept, seed, rules)
                for less, name in fewer
            ]
            return any(left) if None not in left else None
    else:
        solution = []
    return _agrees(family, constants, solution, places, wanted)


def _place(number: int, kept: list[str], fixed: Point, low: float) -> Point:
    """A point at which constants of the target keep their values and the other symbols move."""
    return Point(f"constants|{number}", low, 1.9, given={name: fixed.symbol(name) for name in kept})


def _with(place: Point, constants: list[str], values: Iterable[Value]) -> Point:
    copy = Point(place.seed, place.low, place.high, place.integers)
    copy.given = {**place.given, **dict(zip(constants, values, strict=False))}
    return copy


def _linear(
    family: Node, constants: list[str], places: list[Point]
) -> tuple[list[list[Value]] | None, list[Value] | None]:
    """Coefficients of the constants where the family is linear in them, else None."""
    ctx = context()
    zero = [ctx.zero] * len(constants)
    rows, base = [], []
    for place in places:
        try:
            origin = evaluate(family, _with(place, constants, zero))
            row = []
            for position in range(len(constants)):
                unit = [ctx.mpf(1 if i == position else 0) for i in range(len(constants))]
                one = evaluate(family, _with(place, constants, unit)) - origin
                two = evaluate(family, _with(place, constants, [2 * u for u in unit])) - origin
                if not same_value(two, 2 * one, _SAME):
                    return None, None
                row.append(one)
        except UndefinedError:
            return None, None
        rows.append(row)
        base.append(origin)
    return rows, base


def _newton(family: Node, constants: list[str], places: list[Point], wanted: list[Value]) -> bool | None:
    """One constant that enters otherwise than linearly, by the secant method."""
    if len(constants) != 1:
        return None
    ctx = context()

    def gap(value: Value) -> Value:
        return evaluate(family, _with(places[0], constants, [value])) - wanted[0]

    for start in ("0.5", "1.7", "-0.8"):
        try:
            solution = ctx.findroot(gap, ctx.mpf(start), tol=ctx.mpf(10) ** -50, maxsteps=40)
        except (ValueError, ZeroDivisionError, ArithmeticError):
            continue
        if _agrees(family, constants, [solution], places, wanted):
            return True
    return None


def _agrees(
    family: Node, constants: list[str], solution: list[Value], places: list[Point], wanted: list[Value]
) -> bool:
    for place, value in zip(places, wanted, strict=True):
        try:
            found = evaluate(family, _with(place, constants, solution))
        except UndefinedError:
            return False
        if not same_value(found, value, _SAME) and abs(found - value) > context().mpf(10) ** _SAME:
            return False
    return True
