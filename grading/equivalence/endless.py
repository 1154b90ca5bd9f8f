"""Series that end in dots (`1 - 1/2 + 1/3 - ...`): the rule that the written terms follow, as a sum to infinity."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

from grading.equivalence.evaluate import evaluate
from grading.equivalence.exactly import exact
from grading.equivalence.point import Point, UndefinedError, UnsupportedError, context
from grading.equivalence.precision import same_value
from grading.language.tree import (
    Bound,
    Constant,
    Ellipsis,
    Function,
    Node,
    Number,
    Power,
    Product,
    Quotient,
    Sum,
    Symbol,
)

PLACE = Symbol("dots")
_FEWEST = 3
_MOST = 12
_MOST_PARTS = 12
Rule = Callable[[list[int]], Node | None]


def is_endless(part: Sum) -> bool:
    """Whether a sum ends in dots."""
    last = part.terms[-1]
    return isinstance(last, Ellipsis) or (isinstance(last, Product) and isinstance(last.factors[-1], Ellipsis))


def summed_for_ever(terms: tuple[Node, ...]) -> Node | None:
    """The sum to infinity whose first terms these are; None where no rule is seen, or too few terms stand there."""
    body = rule_of(terms)
    return None if body is None else Bound("sum", body, PLACE.name, _number(0), Constant("inf"))


def rule_of(terms: tuple[Node, ...]) -> Node | None:
    """The rule in `PLACE`, from nought on, that terms follow; None where none is seen, or too few terms stand there."""
    if not _FEWEST <= len(terms) <= _MOST or any(isinstance(term, Ellipsis) for term in terms):
        return None
    parts = [_parted(term) for term in terms]
    if any(part is None for part in parts):
        return None
    body = _body([part for part in parts if part is not None])
    return body if body is not None and _fits(body, terms) else None


@dataclass(slots=True)
class _Parts:
    """A term by sign, whole numbers above and below, and the exponent of everything else."""

    sign: int = 1
    over: int = 1
    under: int = 1
    powers: dict[Node, int] = field(default_factory=dict)


def _number(value: int) -> Number:
    return Number(Fraction(value))


def _parted(term: Node) -> _Parts | None:
    found = _Parts()
    return found if _collect(term, 1, found) and len(found.powers) <= _MOST_PARTS else None


def _collect(node: Node, power: int, found: _Parts) -> bool:
    """Put `node ** power` into the parts; False for what is no product of whole numbers, letters and powers."""
    value = None if isinstance(node, Quotient) else exact(node)
    if value is not None and value:
        top, bottom = (
            (abs(value.numerator), value.denominator) if power > 0 else (value.denominator, abs(value.numerator))
        )
        times = abs(power)
        if max(top, bottom) ** times > 10**24:
            return False
        found.over, found.under = found.over * top**times, found.under * bottom**times
        found.sign *= -1 if value < 0 and times % 2 else 1
        return True
    match node:
        case Product(factors=factors):
            return all(_collect(factor, power, found) for factor in factors)
        case Quotient(over=over, under=under):
            return _collect(over, power, found) and _collect(under, -power, found)
        case Power(base=base, exponent=Number(value=exponent)) if exponent.denominator == 1:
            return _collect(base, power * int(exponent), found)
        case Symbol() | Sum() | Function() | Constant():
            found.powers[node] = found.powers.get(node, 0) + power
            return True
    return False


def _body(parts: list[_Parts]) -> Node | None:
    """The general term."""
    factors: list[Node] = []
    signs = [part.sign for part in parts]
    if all(a == -b for a, b in pairwise(signs)):
        factors.append(Power(_number(-1), Sum((PLACE, _number(0 if signs[0] > 0 else 1)))))
    elif len(set(signs)) == 1:
        factors.append(_number(signs[0]))
    else:
        return None
    for base in dict.fromkeys(base for part in parts for base in part.powers):
        exponent = _arithmetic([part.powers.get(base, 0) for part in parts])
        if exponent is None:
            return None
        factors.append(Power(base, exponent))
    over, under = _general([part.over for part in parts]), _general([part.under for part in parts])
    if over is None or under is None:
        return _of_quotients(parts, factors)
    return Quotient(Product((*factors, over)), under)


def _of_quotients(parts: list[_Parts], factors: list[Node]) -> Node | None:
    """The term where only the reduced fraction, or only its value below one, follows a rule (`1/2 + 2/4 + 3/8`)."""
    reduced = [Fraction(part.over, part.under) for part in parts]
    over = _general([value.numerator for value in reduced])
    under = _general([value.denominator for value in reduced])
    return Quotient(Product((*factors, over)), under) if over is not None and under is not None else None


def _arithmetic(values: list[int]) -> Node | None:
    steps = {b - a for a, b in pairwise(values)}
    if len(steps) != 1:
        return None
    return Sum((_number(values[0]), Product((_number(steps.pop()), PLACE))))


def _geometric(values: list[int]) -> Node | None:
    ratios = {Fraction(b, a) for a, b in pairwise(values)}
    if len(ratios) != 1:
        return None
    return Product((_number(values[0]), Power(Number(ratios.pop()), PLACE)))


def _powers(values: list[int]) -> Node | None:
    """Squares and cubes of numbers in arithmetic progression."""
    for power in (2, 3):
        roots = [round(value ** (1 / power)) for value in values]
        base = _arithmetic(roots)
        if base is not None and all(root**power == value for root, value in zip(roots, values, strict=True)):
            return Power(base, _number(power))
    return None


def _factorials(values: list[int]) -> Node | None:
    """`k!`, `(k+1)!`, `(2k)!`, `(2k+1)!`, perhaps times a number."""
    for step in (1, 2):
        for first in range(4):
            known = [math.factorial(first + step * place) for place in range(len(values))]
            ratios = {Fraction(value, fact) for value, fact in zip(values, known, strict=True)}
            if len(ratios) == 1:
                argument = Sum((_number(first), Product((_number(step), PLACE))))
                return Product((Number(ratios.pop()), Function("factorial", (argument,))))
    return None


def _neighbours(values: list[int]) -> Node | None:
    """Products of two numbers in progression: `1 * 2, 2 * 3, 3 * 4`, `1 * 3, 3 * 5`."""
    for gap in (1, 2):
        lows = [math.isqrt(value) - (1 if gap == 2 and math.isqrt(value) ** 2 != value else 0) for value in values]
        lows = [
            next((low for low in (guess - 1, guess, guess + 1) if low * (low + gap) == value), -1)
            for guess, value in zip(lows, values, strict=True)
        ]
        base = _arithmetic(lows)
        if base is not None and min(lows) > 0:
            return Product((base, Sum((base, _number(gap)))))
    return None


def _general(values: list[int]) -> Node | None:
    """The simplest rule that whole numbers follow."""
    rules: tuple[Rule, ...] = (_arithmetic, _geometric, _powers, _factorials, _neighbours)
    for rule in rules:
        found = rule(values)
        if found is not None:
            return found
    return None


def _fits(body: Node, terms: tuple[Node, ...]) -> bool:
    """Whether the rule gives the written terms back."""
    for place, term in enumerate(terms):
        try:
            expected = evaluate(term, Point("terms", 0.2, 0.9))
            found = evaluate(body, Point("terms", 0.2, 0.9, given={PLACE.name: context().mpf(place)}))
        except (UndefinedError, UnsupportedError):
            return False
        if not same_value(expected, found, -25):
            return False
    return True
