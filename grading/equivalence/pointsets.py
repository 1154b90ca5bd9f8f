"""Sets of points and of complex numbers by their conditions: `{(x, y) : x^2 + y^2 <= 4}`, `{z : |z - 1| < 2}`."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from grading.equivalence.definitions import value_of
from grading.equivalence.evaluate import satisfied
from grading.equivalence.exactly import exact, is_infinite
from grading.equivalence.expressions import symbols
from grading.equivalence.finding import Finding, Rules, different, equal, unknown
from grading.equivalence.point import Point, UndefinedError, UnsupportedError
from grading.equivalence.relations import compare_equations, compare_inequalities
from grading.equivalence.signs import renamed, substituted
from grading.language.tree import (
    Builder,
    Constant,
    Interval,
    Listing,
    NamedSet,
    Node,
    Power,
    Product,
    Relation,
    SetOperation,
    Sum,
    Symbol,
    Tuple,
)
from grading.language.walking import walk

_ALL_POINTS: Final = re.compile(
    r"^\W*(?:(?:so|thus|hence|therefore),?\s+)?(?:the\s+domain\s+(?:of\s+\$?\w\$?\s+)?(?:is|consists\s+of)\s+)?(?:the\s+set\s+of\s+)?(?:all\s+)?(?:the\s+)?"
    r"(?:points\s+|(?:ordered\s+)?pairs\s+|triples\s+|real\s+)*\$?(?P<point>\([a-z](?:\s*,\s*[a-z]){1,2}\))\$?\s*(?:in\s+the\s+plane\s+|in\s+space\s+)?"
    r"(?:such\s+that|with|where|satisfying|for\s+which|so\s+that)\s*\$?(?P<condition>[^$.]{1,80})\$?[\s.]*(?:,?\s*(?:i\.\s?e\.|that\s+is)[^$=<>]{0,120})?$",
    re.IGNORECASE,
)
"""`all points (x, y) with x^2 + y^2 <= 4`"""
_TOLD: Final = re.compile(r"^[^$:=\n]{3,160}:\s*\$+(?P<set>\s*(?:\\left\s*)?\\\{[^$]{1,120})\$+[\s.]*$")
"""`the closed disk of radius 2: {(x, y) : ...}`"""
_UNSAID: Final = re.compile(
    r"\b(?:not|never|no|if|or|unless|except|without|outside|complement|wrong|would|might|instead|subset|part)\b|n['’]t\b",
    re.IGNORECASE,
)
_COMPLEX: Final = frozenset("zw")
_OF_COMPLEX: Final = frozenset({"abs", "re", "im", "conj", "arg"})
_INEQUALITIES: Final = frozenset({"<", ">", "<=", ">="})
_TRIED = 60


def as_point_set(text: str, gold: str) -> str:
    """`all points (x, y) with x > y` as the set, beside a gold that is one; other texts as they are."""
    if "{" not in gold or "(" not in gold or len(text) > 300:
        return text
    told = _TOLD.match(text)
    if told is not None and _UNSAID.search(text[: told.start("set")]) is None:
        return f"${told['set']}$"
    found = _ALL_POINTS.match(text)
    return f"\\{{{found['point']} \\mid {found['condition'].strip(' ,')}\\}}" if found is not None else text


def compare_points(gold: Node, given: Node, rules: Rules) -> Finding | None:
    """Two sets of points by their conditions, one by one; None where one of the two is no such set."""
    gold, given = (value if isinstance(value := value_of(node), Builder) else node for node in (gold, given))
    expected = _points(gold, ())
    found = _points(given, expected[0] if expected is not None else ())
    expected = expected or (_points(gold, found[0]) if found is not None else None)
    if expected is None or found is None or len(expected[0]) != len(found[0]):
        return None
    (names, ours), (others, conditions) = expected, found
    fresh = {name: f"place:{number}" for number, name in enumerate(others)}
    known = {f"place:{number}": name for number, name in enumerate(names)}
    theirs = [_renamed(each, fresh, known) for each in conditions]
    if len(names) == 1:
        ours, theirs = ([_in_parts(each, names[0]) for each in side] for side in (ours, theirs))
    matched = [[_is_same(one, other, rules) for other in theirs] for one in ours]
    if all(any(row) for row in matched) and all(any(column) for column in zip(*matched, strict=True)):
        return equal("the same conditions")
    loosely = [[_is_same(_closed(one), _closed(other), rules) for other in theirs] for one in ours]
    apart = all(any(row) for row in loosely) and all(any(column) for column in zip(*loosely, strict=True))
    if apart or _disagree(ours, theirs):
        return different("a point belongs to one of the sets only")
    return unknown("sets of this kind are compared by their conditions only")


def _renamed(condition: Relation, *names: dict[str, str]) -> Relation:
    operands = condition.operands
    for each in names:
        operands = tuple(renamed(side, each) for side in operands)
    return Relation(operands, condition.operators)


def _points(node: Node, names: tuple[str, ...]) -> tuple[tuple[str, ...], list[Relation]] | None:
    """The letters of a point and what is asked of them; of bare conditions the letters are those of the other side."""
    match node:
        case Builder(term=term, conditions=stated):
            ambient = term.operands[1] if isinstance(term, Relation) and term.operators == ("in",) else None
            term = term.operands[0] if isinstance(term, Relation) else term
            letters = [each.name for each in term.items if isinstance(each, Symbol)] if isinstance(term, Tuple) else []
            if isinstance(term, Symbol) and (ambient == NamedSet("C") or term.name in _COMPLEX):
                letters = [term.name]
            elif not isinstance(term, Tuple) or len(letters) < len(term.items) or not _is_space(ambient):
                return None
            own = tuple(letters)
        case Relation() | Listing(joiner="," | "and") if names:
            stated, own = (node.items if isinstance(node, Listing) else (node,)), names
        case Product() | Power() if len(names) > 1:
            return _box(node, names)
        case _:
            return None
    conditions = [part for each in stated if not _says_nothing(each) for part in _pairs(each)]
    about = all(symbols(each) <= {*own} for each in conditions) if names else True
    complex_ones = len(own) > 1 or any(
        getattr(part, "name", "") in _OF_COMPLEX for each in conditions for part in walk(each)
    )
    usable = all(isinstance(each, Relation) for each in conditions) and about and complex_ones
    return (own, [each for each in conditions if isinstance(each, Relation)]) if conditions and usable else None


def _is_space(ambient: Node | None) -> bool:
    """Whether points are taken from all of the plane or of space."""
    if isinstance(ambient, SetOperation) and ambient.operation == "plus":
        return all(each == NamedSet("R") for each in ambient.operands)
    base = ambient.base if isinstance(ambient, Power) else ambient
    return base is None or base == NamedSet("R")


def _says_nothing(node: Node) -> bool:
    return isinstance(node, Relation) and node.operators == ("in",) and node.operands[1] == NamedSet("R")


def _pairs(node: Node) -> list[Node]:
    """`0 < x < 1` as two conditions, `x y != 0` as one for each factor."""
    if not isinstance(node, Relation):
        return [node]
    found: list[Node] = []
    for (left, right), sign in zip(pairwise(node.operands), node.operators, strict=True):
        if sign == "!=" and isinstance(left, Product) and exact(right) == 0:
            found += [Relation((factor, right), ("!=",)) for factor in left.factors]
        else:
            found.append(Relation((left, right), (sign,)))
    return found


def _box(node: Product | Power, names: tuple[str, ...]) -> tuple[tuple[str, ...], list[Relation]] | None:
    """`(0, 1) \\times [0, 2]`, `[0, 1]^2` as conditions on one coordinate each."""
    factors = node.factors if isinstance(node, Product) else (node.base,) * len(names)
    if isinstance(node, Power) and exact(node.exponent) != len(names):
        return None
    if len(factors) != len(names):
        return None
    conditions: list[Relation] = []
    for name, factor in zip(names, factors, strict=True):
        sides = _sides(Symbol(name), factor)
        if sides is None:
            return None
        conditions += sides
    return names, conditions


def _sides(letter: Symbol, factor: Node) -> list[Relation] | None:
    match factor:
        case NamedSet(name="R"):
            return []
        case Tuple(items=(low, high), bracket="()" | "[]" as ends):
            sign = "<=" if ends == "[]" else "<"
            bounds = (Relation((low, letter), (sign,)), Relation((letter, high), (sign,)))
            return [each for each in bounds if not any(is_infinite(side) for side in each.operands)]
        case Interval():
            around = [(factor.lower, letter, factor.lower_closed), (letter, factor.upper, factor.upper_closed)]
            return [
                Relation((one, other), ("<=" if closed else "<",))
                for one, other, closed in around
                if not is_infinite(one) and not is_infinite(other)
            ]
    return None


def _in_parts(condition: Relation, name: str) -> Relation:
    """A condition on a complex number as one on its real and imaginary part."""
    whole = Sum((Symbol(f"{name}:re"), Product((Constant("i"), Symbol(f"{name}:im")))))
    return Relation(tuple(substituted(side, name, whole) for side in condition.operands), condition.operators)


def _closed(condition: Relation) -> Relation:
    """A condition with its boundary."""
    return Relation(condition.operands, tuple({"<": "<=", ">": ">="}.get(sign, sign) for sign in condition.operators))


def _is_same(one: Relation, other: Relation, rules: Rules) -> bool:
    if one == other:
        return True
    signs = one.operators[0], other.operators[0]
    if all(sign in _INEQUALITIES for sign in signs):
        if compare_inequalities(one, other, rules).equal:
            return True
        ends = Relation(one.operands, ("=",)), Relation(other.operands, ("=",))
        closed = ["=" in sign for sign in signs]
        return closed[0] == closed[1] and compare_equations(*ends, rules).equal and not _disagree([one], [other])
    if signs in (("=", "="), ("!=", "!=")):
        return compare_equations(Relation(one.operands, ("=",)), Relation(other.operands, ("=",)), rules).equal
    return False


def _disagree(ours: Sequence[Relation], theirs: Sequence[Relation]) -> bool:
    """Whether some point is in one of the two sets and not in the other."""
    for number in range(_TRIED):
        try:
            inside = [
                all(satisfied(each, Point(f"set|{number}", -3.0, 3.0)) for each in side) for side in (ours, theirs)
            ]
        except (UndefinedError, UnsupportedError):
            continue
        if inside[0] != inside[1]:
            return True
    return False
