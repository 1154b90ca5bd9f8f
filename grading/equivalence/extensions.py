"""Fields with what is adjoined to them: `Q(i, \\sqrt2)` is `Q(\\sqrt2, i)` and `Q(i + \\sqrt2)`.

What square roots of rational numbers generate has a normal form: the classes of their radicands up to squares. A sum
of roots of different classes generates all of them, since every change of their signs changes it.
"""

from collections.abc import Callable
from fractions import Fraction
from math import gcd, isqrt
from typing import Any, Final

from grading.equivalence.exactly import exact
from grading.equivalence.finding import Finding, Rules, different, equal, unknown
from grading.equivalence.numbers import is_constant, value_of
from grading.equivalence.point import UndefinedError, UnsupportedError, context
from grading.language.tree import (
    Call,
    Constant,
    Function,
    NamedSet,
    Node,
    Number,
    Power,
    Product,
    Quotient,
    Sum,
    Symbol,
)
from grading.language.tree import Tuple as Several

_MAX_RADICAND: Final = 10**9
_MAX_ROOTS: Final = 6
_UNITY: Final = {
    "omega": frozenset({-3}),
    "zeta_3": frozenset({-3}),
    "zeta_4": frozenset({-1}),
    "zeta_6": frozenset({-3}),
    "zeta_8": frozenset({-1, 2}),
    "zeta_12": frozenset({-1, -3}),
    "zeta_24": frozenset({-1, 2, -3}),
}
"""Roots of unity by their usual names, and what square roots generate their fields."""
_BASES: Final = frozenset({"Q", "R", "C"})
_TWO: Final = Fraction(2)
_TINY: Final = 1e-20

_Element = dict[int, Fraction]
_Compare = Callable[[Node, Node, Rules], Finding]


def compare_extensions(gold: Node, given: Node, rules: Rules, compare: _Compare) -> Finding | None:
    """The finding where the gold is a field with something adjoined; None of other golds."""
    expected = _parts(gold, plain=False)
    if expected is None:
        return None
    found = _parts(given, plain=True)
    if found is None:
        return different("no field with something adjoined to it")
    if expected[0] != found[0]:
        return different("an extension of another field")
    if _is_listed(expected[1], found[1], rules, compare):
        return equal("the same field with the same generators")
    if expected[0] != "Q":
        return unknown("fields of this kind are compared by their generators only")
    return _over_rationals(expected[1], found[1], rules, compare)


def _parts(node: Node, *, plain: bool) -> tuple[str, tuple[Node, ...]] | None:
    """The base and what is adjoined. `plain` lets the base be a letter of any type."""
    if plain and isinstance(node, Call) and node.name in _BASES:
        return node.name, node.arguments
    if not isinstance(node, Product) or len(node.factors) != 2:
        return None
    base, adjoined = node.factors
    name = base.name if isinstance(base, NamedSet | Symbol) else ""
    known = isinstance(base, NamedSet) or name.startswith("bb:F") or plain
    if not known or name not in _BASES | ({name} if name.startswith("bb:F") else frozenset()):
        return None
    items = adjoined.items if isinstance(adjoined, Several) else (adjoined,)
    return name, items


def _is_listed(gold: tuple[Node, ...], given: tuple[Node, ...], rules: Rules, compare: _Compare) -> bool:
    """Whether each generator of one list is one of the other."""
    return _covered(gold, given, rules, compare) and _covered(given, gold, rules, compare)


def _covered(some: tuple[Node, ...], all_: tuple[Node, ...], rules: Rules, compare: _Compare) -> bool:
    return all(any(each == other or compare(each, other, rules).equal for other in all_) for each in some)


def _over_rationals(gold: tuple[Node, ...], given: tuple[Node, ...], rules: Rules, compare: _Compare) -> Finding:
    sides = [_sorted_out(side) for side in (gold, given)]
    (classes, others), (found, rest) = sides
    if classes is None or found is None:
        return unknown("fields of this kind are compared by their generators only")
    if not others and not rest:
        return equal("the same field") if classes == found else different("another field")
    if classes == found and _is_listed(others, rest, rules, compare):
        return equal("the same field")
    if any(_of_odd_degree(each) for each in others) != any(_of_odd_degree(each) for each in rest) and (
        not others or not rest
    ):
        return different("a field of another degree")
    for one, other in ((gold, given), (given, gold)):
        if all(_imaginary(each) is False for each in one) and any(_imaginary(each) for each in other):
            return different("one field is real, the other is not")
    return unknown("fields of this kind are compared by their generators only")


def _sorted_out(generators: tuple[Node, ...]) -> tuple[frozenset[int] | None, tuple[Node, ...]]:
    """The classes of radicands that the square roots among the generators span, and the other generators."""
    radicands: set[int] = set()
    others = []
    for each in generators:
        element = _element(each)
        unity = _UNITY.get(each.name) if isinstance(each, Symbol) else _root_of_unity(each) if element is None else None
        if element is not None:
            radicands |= {radicand for radicand, factor in element.items() if factor and radicand != 1}
        elif unity is not None:
            radicands |= unity
        else:
            others.append(each)
    return _spanned(radicands), tuple(others)


def _spanned(radicands: set[int]) -> frozenset[int] | None:
    span = {1}
    for radicand in radicands:
        if len(span) > 2**_MAX_ROOTS:
            return None
        span |= {_product(radicand, other)[0] for other in span}
    return frozenset(span)


def _product(first: int, second: int) -> tuple[int, int]:
    """The class of a product of two radicands without squares, and the factor that comes out of the root."""
    common = gcd(first, second)
    rest = (first // common) * (second // common)
    # The root of -n is i times that of n.
    return rest, -common if first < 0 and second < 0 else common


def _element(node: Node) -> _Element | None:
    """A number as rational multiples of square roots by their radicands; None of other numbers."""
    value = exact(node)
    if value is not None:
        return {1: value}
    match node:
        case Constant(name="i"):
            return {-1: Fraction(1)}
        case Sum(terms=terms):
            return _summed([_element(term) for term in terms])
        case Product(factors=factors):
            return _multiplied([_element(factor) for factor in factors])
        case Quotient(over=over, under=under):
            return _multiplied([_element(over), _inverted(_element(under))])
        case Function(name="root", arguments=(radicand, Number(value=degree))) if degree == _TWO:
            return _root(exact(radicand))
        case Power(base=base, exponent=exponent) if exact(exponent) == 1 / _TWO:
            return _root(exact(base))
    return None


def _root(radicand: Fraction | None) -> _Element | None:
    if radicand is None or not radicand or max(abs(radicand.numerator), radicand.denominator) > _MAX_RADICAND:
        return None
    rest = radicand.numerator * radicand.denominator
    outside, divisor = 1, 2
    while divisor * divisor <= min(abs(rest), _MAX_RADICAND) and divisor < 40_000:
        while rest % (divisor * divisor) == 0:
            rest //= divisor * divisor
            outside *= divisor
        divisor += 1
    square = isqrt(abs(rest))
    if square * square == abs(rest):
        outside, rest = outside * square, 1 if rest > 0 else -1
    return {rest: Fraction(outside, radicand.denominator)}


def _summed(parts: list[_Element | None]) -> _Element | None:
    total: _Element = {}
    for part in parts:
        if part is None:
            return None
        for radicand, factor in part.items():
            total[radicand] = total.get(radicand, Fraction(0)) + factor
    return total


def _multiplied(parts: list[_Element | None]) -> _Element | None:
    total: _Element = {1: Fraction(1)}
    for part in parts:
        if part is None or len(part) * len(total) > 64:
            return None
        following: _Element = {}
        for first, factor in total.items():
            for second, other in part.items():
                radicand, outside = _product(first, second)
                following[radicand] = following.get(radicand, Fraction(0)) + factor * other * outside
        total = following
    return total


def _inverted(element: _Element | None) -> _Element | None:
    if element is None or len(element) != 1:
        return None
    (radicand, factor) = next(iter(element.items()))
    return {radicand: 1 / (factor * radicand)} if factor else None


def _root_of_unity(node: Node) -> frozenset[int] | None:
    """What generates the field of a number that is a root of unity of order 3, 4, 6, 8, 12 or 24; else None."""
    value = _value(node)
    if value is None:
        return None
    ctx = context()
    turn = ctx.arg(value) / (2 * ctx.pi)
    if abs(abs(value) - 1) > _TINY:
        return None
    for order in (3, 4, 6, 8, 12, 24):
        steps = turn * order
        nearest = int(ctx.nint(steps))
        if abs(steps - nearest) < _TINY and gcd(nearest, order) == 1:
            return _UNITY[f"zeta_{order}"]
    return None


def _value(node: Node) -> Any:
    if not is_constant(node):
        return None
    try:
        return context().mpmathify(value_of(node))
    except (UndefinedError, UnsupportedError, TypeError, ValueError):
        return None


def _imaginary(node: Node) -> bool | None:
    """Whether a generator has an imaginary part; None where that is not known."""
    if isinstance(node, Symbol) and node.name in _UNITY:
        return True
    value = _value(node)
    return None if value is None else abs(context().im(value)) > _TINY


def _of_odd_degree(node: Node) -> bool:
    """Whether a generator is an odd root of a rational number that is no such power."""
    match node:
        case Function(name="root", arguments=(radicand, Number(value=degree))):
            base, root = exact(radicand), degree
        case Power(base=inside, exponent=exponent):
            base, power = exact(inside), exact(exponent)
            root = 1 / power if power else Fraction(0)
        case _:
            return False
    return base is not None and root.denominator == 1 and root % 2 == 1 and exact(node) is None
