"""Compares equations by their zero sets and inequalities by their sides."""

from collections.abc import Callable, Iterator
from fractions import Fraction

from grading.equivalence.digits import factor_varies
from grading.equivalence.evaluate import evaluate
from grading.equivalence.exactly import is_infinite
from grading.equivalence.expressions import compare_expressions, difference, domain_of, is_positive, points, symbols
from grading.equivalence.finding import Finding, Rules, all_equal, different, equal, unknown
from grading.equivalence.numbers import decimals, show
from grading.equivalence.point import Point, UndefinedError, UnsupportedError, Value, Work, context, ten_to
from grading.equivalence.precision import same_value
from grading.equivalence.signs import renamed
from grading.language.tree import Interval, Node, Number, Product, Relation, Tuple
from grading.language.walking import walk

FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "<<<": ">>>", ">>>": "<<<"}
_RATIO_DIGITS = -22
_ROUNDED = -3
_ROOT_DIGITS = -12
_POINTS = 4
_GRID = 14
_VARIABLES = 4
_TRIED = 12
_LARGE = 60
"""Parts from which on an equation is solved at fewer points."""
_SOLVED_AT = 3
_CHECKED = 6
_ELSEWHERE = (0.37, -1.23, 2.71, -3.3, 5.1, 0.9)
"""Places at which an answer is tried where the gold has fewer solutions."""


def compare_equations(gold: Relation, given: Relation, rules: Rules) -> Finding:
    """Two equations `L = R` are the same when they are solved by the same points; a constant may have another name."""
    constants, fresh = rules.constants & symbols(gold), symbols(given) - symbols(gold)
    if len(constants) == len(fresh) == 1 and not constants & symbols(given):
        given = Relation(tuple(renamed(side, {min(fresh): min(constants)}) for side in given.operands), given.operators)
    left, right = difference(*gold.operands), difference(*given.operands)
    rounded = bool(decimals(left)) != bool(decimals(right)) and not rules.exact
    ratio = constant_ratio(left, right, rules, _ROUNDED if rounded else _RATIO_DIGITS)
    only = symbols(left) ^ symbols(right)
    for name in sorted(only) if not ratio else ():
        if _depends(left if name in symbols(left) else right, name, rules):
            return different(f"only one of the equations speaks of {name}")
    # The roots are looked for though a constant factor may be seen: right and wrong take the same work.
    by_roots = _by_roots(gold, given, rules)
    apart = not rounded and _is_apart(left, right, rules)
    if ratio is not None and ratio:
        if apart:
            return different("differs by a term that is small beside the others")
        return equal("the equations differ by a constant factor")
    return by_roots


def constant_ratio(left: Node, right: Node, rules: Rules, digits: int = -22) -> Value | None:
    """`left / right` where it is the same number at every point tried; None where it varies."""
    pairs: list[tuple[Value, Value]] = []
    for _, point in zip(range(_TRIED), points(domain_of(left, right, rules)), strict=False):
        under = rules.work.at(right, point, evaluate)
        try:
            over = evaluate(left, point)
        except UndefinedError:
            continue
        except UnsupportedError:
            return None
        if under is not None:
            pairs.append((over, under))
    if len(pairs) <= _POINTS or not all(over and under for over, under in pairs):
        return None
    ratio = pairs[0][0] / pairs[0][1]
    return ratio if all(same_value(ratio, over / under, digits) for over, under in pairs) else None


def _is_apart(left: Node, right: Node, rules: Rules) -> bool:
    """Whether more digits show that two differences are no multiples of one another; asked in every case."""
    places = [point for _, point in zip(range(_POINTS), points(domain_of(left, right, rules)), strict=False)]
    return factor_varies(left, right, places, rules.work)


def _depends(node: Node, name: str, rules: Rules) -> bool:
    """Whether the value really changes with the symbol."""
    for point in points(domain_of(node, node, rules)):
        try:
            first = evaluate(node, point)
            point.given[name] = point.symbol(name) * 3 / 2
            return not same_value(first, evaluate(node, point), _RATIO_DIGITS)
        except UndefinedError:
            continue
        except UnsupportedError:
            return False
    return False


def _by_roots(gold: Relation, given: Relation, rules: Rules) -> Finding:
    """Solve each for the answer's variables by bracketing at random values of the others; the other must vanish there.

    The answer is solved by itself, and tried at so many places of each variable whatever the gold's solutions are.
    """
    left, right = difference(*gold.operands), difference(*given.operands)
    names, shared = sorted(symbols(right))[:_VARIABLES], symbols(left) & symbols(right)
    solved, problem = [0, 0], None
    count = _SOLVED_AT if sum(1 for _ in walk(right)) < _LARGE else _SOLVED_AT - 1
    for _, point in zip(range(count), points(domain_of(left, right, rules)), strict=False):
        for name in names:
            start = point.given.get(name)
            own = list(bracketed(_along_answer(right, point, name, rules.work), is_positive(name, rules)))
            try:
                theirs = _solutions(left, point, name, rules) if name in shared else []
                missed = [root for root in own if name in shared and not _vanishes(gold, point, name, root)]
            except UnsupportedError as error:
                return unknown(f"the reference could not be evaluated: {error}")
            padded = [*theirs, *_ELSEWHERE][:_CHECKED]
            held = [_holds(given, point, name, context().mpf(place), rules.work) for place in padded]
            missed += [root for root, holds in zip(theirs, held, strict=False) if not holds]
            solved[0] += sum(1 for root in theirs if root)
            solved[1] += sum(1 for root in own if root) if name in shared else 0
            problem = problem or (f"{name} = {show(missed[0])}" if missed else None)
            _reset(point, name, start)
    if problem is not None:
        return different(f"only one of the equations holds at {problem}")
    if min(solved) >= 2:
        return equal(f"the equations share {sum(solved)} solutions and no other was found")
    if max(solved) >= 2:
        return different("one equation has solutions where the other has none")
    return unknown("no solutions were found to compare the equations by")


def _reset(point: Point, name: str, value: Value | None) -> None:
    if value is None:
        point.given.pop(name, None)
    else:
        point.given[name] = value


def _solutions(node: Node, point: Point, name: str, rules: Rules) -> list[Value]:
    """At most so many of the gold's solutions as are tried, from all over their range."""
    found = list(bracketed(_along(node, point, name), is_positive(name, rules)))
    step = max(1, -(-len(found) // _CHECKED))
    return found[::step]


def _along(node: Node, point: Point, name: str) -> Callable[[Value], Value]:
    def value(argument: Value) -> Value:
        point.given[name] = argument
        return evaluate(node, point)

    return value


def _along_answer(node: Node, point: Point, name: str, work: Work) -> Callable[[Value], Value]:
    def value(argument: Value) -> Value:
        point.given[name] = argument
        found = work.at(node, point, evaluate)
        if found is None:
            raise UndefinedError("no value")
        return found

    return value


def _holds(relation: Relation, point: Point, name: str, place: Value, work: Work) -> bool:
    """Whether the answer's two sides agree at a place."""
    point.given[name] = place
    left, right = (work.at(operand, point, evaluate) for operand in relation.operands)
    return left is not None and right is not None and _agree(left, right)


def _agree(left: Value, right: Value) -> bool:
    """Whether two sides agree, measured against their size."""
    scale = max(abs(left), abs(right), ten_to(-6))
    return bool(abs(left - right) <= scale * ten_to(_ROOT_DIGITS))


def bracketed(function: Callable[[Value], Value], positive: bool) -> Iterator[Value]:
    """Simple roots found by changes of sign on a coarse irregular grid."""
    ctx = context()
    grid = [ctx.mpf(k) * 37 / 41 for k in range(-_GRID // 2, _GRID // 2 + 1)]
    grid += [ctx.mpf(10), ctx.mpf(23), ctx.mpf(60)] + ([] if positive else [ctx.mpf(-10), ctx.mpf(-23)])
    if positive:
        grid = [ctx.mpf("0.01"), ctx.mpf("0.1"), ctx.mpf("0.3")] + [x for x in grid if x > 0]
    previous: tuple[Value, Value] | None = None
    for argument in sorted(grid):
        try:
            value = function(argument)
        except UndefinedError:
            previous = None
            continue
        if ctx.im(value):
            previous = None
            continue
        value = ctx.re(value)
        if not value:
            yield argument
        elif previous is not None and previous[1] and (previous[1] < 0) != (value < 0):
            root = _bisected(function, previous, (argument, value))
            if root is not None:
                yield root
        previous = (argument, value)


def _bisected(function: Callable[[Value], Value], low: tuple[Value, Value], high: tuple[Value, Value]) -> Value | None:
    """A root between two points of opposite sign (Illinois false position); None at a pole."""
    ctx = context()
    (a, fa), (b, fb) = low, high
    start = max(abs(fa), abs(fb))
    for _ in range(80):
        middle = (a * fb - b * fa) / (fb - fa)
        try:
            value = function(middle)
        except UndefinedError:
            return None
        if ctx.im(value) or abs(value) > start * 10**6:
            return None
        value = ctx.re(value)
        if abs(value) <= start * ten_to(-30) or abs(b - a) <= abs(middle) * ten_to(-32):
            return middle if abs(value) <= start * ten_to(-15) else None
        if (value < 0) == (fb < 0):
            b, fb, fa = middle, value, fa / 2
        else:
            a, fa, b, fb = b, fb, middle, value
    return None


def _vanishes(relation: Relation, point: Point, name: str, root: Value) -> bool:
    """Whether both sides agree at the root, measured against their size beside it."""
    point.given[name] = root
    try:
        left, right = evaluate(relation.operands[0], point), evaluate(relation.operands[1], point)
    except UndefinedError:
        return False
    return _agree(left, right)


def compare_inequalities(gold: Relation, given: Relation, rules: Rules) -> Finding:
    """Chains of inequalities: side by side, or a single one up to a constant factor."""
    return rules.work.once(gold, given, lambda: _compare_inequalities(gold, given, rules))


def as_chain(node: Node, between: Node | None = None) -> Node:
    """`v \\in (0, v_0]` as `0 < v <= v_0`, an interval alone as one about what stands `between`; others as they are."""
    match node:
        case Relation(operands=(letter, Interval() | Tuple() as inside), operators=("in",)):
            return as_chain(inside, letter)
        case Interval(lower=low, upper=high, lower_closed=from_low, upper_closed=to_high):
            pass
        case Tuple(items=(low, high), bracket="()" | "[]" as bracket):
            from_low = to_high = bracket == "[]"
        case _:
            return node
    if between is None or is_infinite(low) > 0 or is_infinite(high) < 0:
        return node
    signs = ("<=" if from_low else "<", "<=" if to_high else "<")
    bounded = not is_infinite(low), not is_infinite(high)
    if not any(bounded):
        return node
    operands = tuple(node for node, kept in ((low, bounded[0]), (between, True), (high, bounded[1])) if kept)
    return Relation(operands, tuple(sign for sign, kept in zip(signs, bounded, strict=True) if kept))


def _compare_inequalities(gold: Relation, given: Relation, rules: Rules) -> Finding:
    first, second = as_chain(gold), as_chain(given)
    if isinstance(first, Relation) and isinstance(second, Relation):
        gold, given = first, second
    if len(gold.operators) != len(given.operators):
        return different("the chains of inequalities have different lengths")
    first, second = _upward(gold), _upward(given)
    if first.operators != second.operators:
        return different("the inequality signs differ")
    if first.operators == ("!=",):
        return compare_equations(Relation(first.operands, ("=",)), Relation(second.operands, ("=",)), rules)
    pairs = zip(first.operands, second.operands, strict=True)
    side_by_side = all_equal((compare_expressions(a, b, rules) for a, b in pairs), "the same sides")
    if len(first.operators) > 1 or first.operators[0] not in ("<", "<="):
        return side_by_side
    gaps = difference(*first.operands), difference(*second.operands)
    ratio, apart = constant_ratio(*gaps, rules), _is_apart(*gaps, rules)
    if side_by_side.equal:
        return side_by_side
    if ratio is None or apart:
        return different("the sides of the inequalities differ")
    if context().im(ratio) or ratio < 0:
        return different("the inequalities point opposite ways")
    return equal("the inequalities differ by a positive factor")


def _upward(relation: Relation) -> Relation:
    """The chain written with `<` where it was written with `>`."""
    if all(sign in (">", ">=", ">>>") for sign in relation.operators):
        signs = tuple(FLIPPED[sign] for sign in reversed(relation.operators))
        return Relation(tuple(reversed(relation.operands)), signs)
    return relation


def negated(node: Node) -> Node:
    """`-node`."""
    return Product((Number(Fraction(-1)), node))
