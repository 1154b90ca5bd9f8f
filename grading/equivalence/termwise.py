"""Sums without a value that can be worked out, and recurrences: compared term by term, whatever their letters count."""

from fractions import Fraction

from grading.equivalence.expressions import compare_expressions
from grading.equivalence.finding import Finding, Rules, equal
from grading.equivalence.signs import rewrite, substituted
from grading.language.tree import Bound, Indexed, Node, Number, Product, Relation, Sum, Symbol
from grading.language.walking import parts

_COUNT = Symbol("count")
_MOST = 3


def compare_termwise(gold: Node, given: Node, rules: Rules) -> Finding | None:
    """Equal where the sums of both have the same terms in the same order, and the rest is the same; None otherwise."""
    (ours, rest), (theirs, other) = _sums(gold), _sums(given)
    if not 0 < len(ours) == len(theirs) <= _MOST:
        return None
    for one, two in zip(ours, theirs, strict=True):
        if one.kind != two.kind or (one.upper != two.upper and not _same_length(one, two, rules)):
            return None
        if not compare_expressions(_from_zero(one), _from_zero(two), rules).equal:
            return None
    same = compare_expressions(Sum(rest), Sum(other), rules).equal if rest or other else True
    return equal("the same terms") if same else None


def _same_length(one: Bound, two: Bound, rules: Rules) -> bool:
    ends = [(each.upper, each.lower) for each in (one, two)]
    if any(None in end for end in ends):
        return False
    gaps = [Sum((upper, Product((_number(-1), lower)))) for upper, lower in ends if upper and lower]
    return compare_expressions(gaps[0], gaps[1], rules).equal


def _sums(node: Node) -> tuple[list[Bound], tuple[Node, ...]]:
    """The sums that are terms of an expression, with their factors inside, and the other terms."""
    found: list[Bound] = []
    rest: list[Node] = []
    for term in node.terms if isinstance(node, Sum) else (node,):
        factors = term.factors if isinstance(term, Product) else (term,)
        bounds = [each for each in factors if isinstance(each, Bound) and each.kind in ("sum", "product")]
        outside = tuple(each for each in factors if each not in bounds)
        known = len(bounds) == 1 and bounds[0].lower is not None and not any(parts(each, Bound) for each in outside)
        if not known or (outside and bounds[0].kind != "sum"):
            rest.append(term)
            continue
        bound = bounds[0]
        body = Product((*outside, bound.body)) if outside else bound.body
        found.append(Bound(bound.kind, body, bound.variable, bound.lower, bound.upper))
    return found, tuple(rest) or (() if found else (_number(0),))


def _from_zero(bound: Bound) -> Node:
    """The term in one letter that counts from nought."""
    return substituted(bound.body, bound.variable, Sum((_COUNT, bound.lower or _number(0))))


def as_recurrence(node: Node) -> Node:
    """`a_{n+1} = 2 a_n + 1` as `a_n = 2 a_{n-1} + 1`: the member that comes last has the letter alone for its index."""
    if not isinstance(node, Relation) or node.operators != ("=",) or not parts(node, Indexed):
        return node
    found = {(part.name, letter): set[int]() for part in parts(node, Indexed) if (letter := _offset(part)[0])}
    if len(found) != 1:
        return node
    (name, letter), offsets = next(iter(found.items()))
    offsets |= {_offset(part)[1] for part in parts(node, Indexed) if part.name == name}
    offsets |= {0} if Symbol(f"{name}_{letter}") in parts(node, Symbol) else set()
    top = max(offsets)
    if len(offsets) < 2:
        return node

    def rule(part: Node) -> Node:
        if isinstance(part, Indexed) and part.name == name:
            return _member(name, letter, _offset(part)[1] - top)
        if isinstance(part, Symbol) and part.name == f"{name}_{letter}":
            return _member(name, letter, -top)
        return part

    def moved(part: Node) -> Node:
        return Sum((part, _number(-top))) if part == Symbol(letter) and top else part

    return rewrite(rewrite(node, rule), moved)  # type: ignore[no-any-return]


def _member(name: str, letter: str, offset: int) -> Symbol:
    return Symbol(f"{name}_{letter}" if not offset else f"{name}_{letter}{offset}")


def _offset(part: Indexed) -> tuple[str, int]:
    """The letter of an index such as `n + 1`, and what is added; no letter where it is something else."""
    match part.index:
        case Symbol(name=letter):
            return letter, 0
        case Sum(terms=(Symbol(name=letter), Number(value=value))) if value.denominator == 1:
            return letter, int(value)
    return "", 0


def _number(value: int) -> Number:
    return Number(Fraction(value))
