"""Sets of real numbers as unions of intervals, from intervals, inequalities, set operations and set builders."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key

from grading.equivalence.exactly import is_infinite
from grading.equivalence.finding import Finding, Rules, different, equal
from grading.equivalence.numbers import compare_constants, is_constant, value_of
from grading.equivalence.point import UndefinedError, UnsupportedError, context
from grading.equivalence.signs import has_sign, written_out
from grading.language.tree import (
    Builder,
    Call,
    Constant,
    Function,
    Interval,
    Listing,
    NamedSet,
    Node,
    Number,
    Product,
    Relation,
    SetOf,
    SetOperation,
    Sum,
    Symbol,
    Tuple,
)

INFINITY = Constant("inf")
MINUS_INFINITY = Product((Number(Fraction(-1)), INFINITY))


@dataclass(frozen=True, slots=True)
class Piece:
    """An interval; a point is closed at both of its equal ends."""

    low: Node
    high: Node
    low_closed: bool
    high_closed: bool


Same = Callable[[Node, Node, Rules], Finding]
EVERYTHING = [Piece(MINUS_INFINITY, INFINITY, False, False)]


class NotRealsError(ValueError):
    """The node is not a set of reals that can be written as intervals."""


def variable_of(node: Node) -> str | None:
    """The name that a relation constrains, if it says so."""
    if isinstance(node, Relation):
        names = [operand.name for operand in node.operands if isinstance(operand, Symbol)]
        return names[0] if len(names) == 1 else None
    if isinstance(node, Listing):
        found = {variable_of(item) for item in node.items}
        return found.pop() if len(found) == 1 else None
    return None


def pieces(node: Node) -> list[Piece]:
    """The set as intervals in rising order. Raises NotRealsError."""
    match node:
        case Interval(lower=low, upper=high, lower_closed=lc, upper_closed=hc):
            return [Piece(low, high, lc and not is_infinite(low), hc and not is_infinite(high))]
        case Tuple(items=(low, high), bracket="()"):
            return [Piece(low, high, False, False)]
        case Tuple(items=(low, high), bracket="[]"):
            return [Piece(low, high, not is_infinite(low), not is_infinite(high))]
        case NamedSet(name="R" | "empty" as name):
            return EVERYTHING if name == "R" else []
        case SetOf(items=items):
            return _union([[Piece(item, item, True, True)] for item in items])
        case SetOperation(operation=operation, operands=operands):
            return _operation(operation, [pieces(operand) for operand in operands])
        case Builder(term=Symbol() | Relation() as term, conditions=conditions):
            stated = (term, *conditions) if isinstance(term, Relation) else conditions
            return _intersection([pieces(condition) for condition in stated])
        case Relation(operators=("!=",)) if has_sign(node):
            return _intersection([_relation(part) for part in written_out(node) if isinstance(part, Relation)])
        case Relation():
            return _relation(node)
        case Listing(items=items, joiner=joiner):
            parts = [pieces(item) for item in items]
            met = [] if joiner == "or" else _intersection(parts)
            return met or _union(parts) if joiner in ("or", ",") else met
        case Sum(terms=(left, Product(factors=(Number(value=value), right)))) if value == -1:
            return _operation("difference", [pieces(left), pieces(right)])
    raise NotRealsError(type(node).__name__)


def _operation(operation: str, parts: list[list[Piece]]) -> list[Piece]:
    if operation == "union":
        return _union(parts)
    if operation == "intersection":
        return _intersection(parts)
    if operation == "difference":
        return _intersection([parts[0], *(_complement(part) for part in parts[1:])])
    raise NotRealsError(operation)


def _relation(node: Relation) -> list[Piece]:
    """`a < x <= b`, `x in S`, `x != a`, `x = a`."""
    if node.operators in (("in",), ("notin",)):
        inner = pieces(node.operands[1])
        return inner if node.operators == ("in",) else _complement(inner)
    lone = _lone(node)
    if isinstance(lone, Function):
        return _absolute(node, lone)
    parts = []
    for left, sign, right in zip(node.operands, node.operators, node.operands[1:], strict=False):
        if left == lone:
            parts.append(_half(sign, right))
        elif right == lone:
            parts.append(_half({"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(sign, sign), left))
        else:
            raise NotRealsError("a relation without a lone variable")
    return _intersection(parts)


def _absolute(node: Relation, lone: Function) -> list[Piece]:
    """`|x| < c` and `|x| > c`."""
    if lone.name != "abs" or not isinstance(lone.arguments[0], Symbol) or len(node.operands) != 2:
        raise NotRealsError("a relation about a function")
    sign, bound = node.operators[0], node.operands[1]
    if node.operands[1] == lone:
        sign, bound = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(sign, sign), node.operands[0]
    below = Product((Number(Fraction(-1)), bound))
    if sign in ("<", "<="):
        return _intersection([_half(sign, bound), _half(">" + sign[1:], below)])
    if sign in (">", ">="):
        return _union([_half(sign, bound), _half("<" + sign[1:], below)])
    raise NotRealsError(sign)


def _lone(node: Relation) -> Node:
    """The operand that the others bound: a symbol, or a call such as `f(x)` between constants."""
    symbols = {operand for operand in node.operands if isinstance(operand, Symbol)}
    if len(symbols) == 1:
        return symbols.pop()
    calls = {operand for operand in node.operands if isinstance(operand, Call | Function | Product)}
    varying = {operand for operand in calls if not is_constant(operand)}
    if symbols or len(varying) != 1 or not all(is_constant(o) or o in varying for o in node.operands):
        raise NotRealsError("a relation between several variables")
    found = varying.pop()
    if isinstance(found, Product) and not all(isinstance(factor, Symbol) for factor in found.factors):
        raise NotRealsError("a relation about a product")
    return found


def _half(sign: str, bound: Node) -> list[Piece]:
    if sign in ("<", "<="):
        return [Piece(MINUS_INFINITY, bound, False, sign == "<=" and not is_infinite(bound))]
    if sign in (">", ">="):
        return [Piece(bound, INFINITY, sign == ">=" and not is_infinite(bound), False)]
    if sign == "=":
        return [Piece(bound, bound, True, True)]
    if sign == "!=":
        return _complement([Piece(bound, bound, True, True)])
    raise NotRealsError(sign)


def _order(left: Node, right: Node) -> int:
    """-1, 0 or 1. Raises NotRealsError where the ends are not real constants."""
    if left == right:
        return 0
    signs = is_infinite(left), is_infinite(right)
    if any(signs):
        return (signs[0] > signs[1]) - (signs[0] < signs[1])
    if not is_constant(left) or not is_constant(right):
        raise NotRealsError("ends with symbols have no order")
    if compare_constants(left, right, Rules(exact=True)).equal:
        return 0
    try:
        a, b = value_of(left), value_of(right)
    except (UndefinedError, UnsupportedError) as error:
        raise NotRealsError(str(error)) from None
    if context().im(a) or context().im(b):
        raise NotRealsError("complex ends")
    return -1 if a < b else 1


def _empty(piece: Piece) -> bool:
    order = _order(piece.low, piece.high)
    return order > 0 or (order == 0 and not (piece.low_closed and piece.high_closed))


def _union(parts: list[list[Piece]]) -> list[Piece]:
    flat = [piece for part in parts for piece in part]
    if len(flat) < 2:
        return flat
    flat = [piece for piece in flat if not _empty(piece)]
    flat.sort(key=cmp_to_key(lambda a, b: _order(a.low, b.low) or int(b.low_closed) - int(a.low_closed)))
    merged: list[Piece] = []
    for piece in flat:
        if merged and _touches(merged[-1], piece):
            merged[-1] = _joined(merged[-1], piece)
        else:
            merged.append(piece)
    return merged


def _touches(left: Piece, right: Piece) -> bool:
    order = _order(right.low, left.high)
    return order < 0 or (order == 0 and (left.high_closed or right.low_closed))


def _joined(left: Piece, right: Piece) -> Piece:
    order = _order(left.high, right.high)
    high, closed = (left.high, left.high_closed) if order > 0 else (right.high, right.high_closed)
    closed = left.high_closed or right.high_closed if order == 0 else closed
    return Piece(left.low, high, left.low_closed, closed)


def _intersection(parts: list[list[Piece]]) -> list[Piece]:
    result = parts[0]
    for part in parts[1:]:
        if part == EVERYTHING:
            continue
        if result == EVERYTHING:
            result = part
            continue
        met = [_met(a, b) for a in result for b in part]
        result = [piece for piece in met if not _empty(piece)]
    return result


def _met(left: Piece, right: Piece) -> Piece:
    order = _order(left.low, right.low)
    low, low_closed = (left.low, left.low_closed) if order > 0 else (right.low, right.low_closed)
    low_closed = left.low_closed and right.low_closed if order == 0 else low_closed
    order = _order(left.high, right.high)
    high, high_closed = (left.high, left.high_closed) if order < 0 else (right.high, right.high_closed)
    high_closed = left.high_closed and right.high_closed if order == 0 else high_closed
    return Piece(low, high, low_closed, high_closed)


def _complement(part: list[Piece]) -> list[Piece]:
    result: list[Piece] = []
    low, closed = MINUS_INFINITY, False
    start: Node = low
    for piece in _union([part]):
        if is_infinite(piece.low) >= 0:
            result.append(Piece(start, piece.low, closed, not piece.low_closed))
        start, closed = piece.high, not piece.high_closed
    if not part or is_infinite(start) <= 0:
        result.append(Piece(start, INFINITY, closed, False))
    return [piece for piece in result if not _empty(piece)]


def compare_pieces(gold: list[Piece], given: list[Piece], rules: Rules, same: Same) -> Finding:
    """Interval by interval: the ends and whether they belong."""
    if len(gold) != len(given):
        return different(f"{len(given)} interval(s) against {len(gold)}")
    for expected, found in zip(gold, given, strict=True):
        if (expected.low_closed, expected.high_closed) != (found.low_closed, found.high_closed):
            return different("an end belongs to one of the sets only")
        for left, right in ((expected.low, found.low), (expected.high, found.high)):
            finding = same(left, right, rules)
            if not finding.equal:
                return finding
    return equal("the same set of reals")
