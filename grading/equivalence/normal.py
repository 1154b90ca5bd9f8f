"""Brings two trees to the same spelling before they are compared."""

import math
import re
from fractions import Fraction
from itertools import combinations, product

from grading.equivalence.ellipses import dots_summed
from grading.equivalence.imaginary import complex_letters
from grading.equivalence.planck import one_planck
from grading.equivalence.signs import calls_resolved, has_sign, rewrite
from grading.equivalence.special import are_factors
from grading.equivalence.termwise import as_recurrence
from grading.equivalence.vectors import one_dress, summed
from grading.language.kets import is_state, joined
from grading.language.tree import (
    Bound,
    Call,
    Constant,
    Function,
    Indexed,
    Interval,
    Matrix,
    NamedSet,
    Node,
    Number,
    Power,
    Product,
    Quotient,
    Relation,
    SetOf,
    SetOperation,
    Sum,
    Symbol,
    Tuple,
)
from grading.language.walking import are_groups, is_group, parts, walk

_DERIVATIVE = re.compile(r"^([DP])(\d)\[(.+);(.+)\]$")
_LAPLACE = Power(Symbol("nabla"), Number(Fraction(2), None, 1))
_MAX_DETERMINANT = 4
_CYCLIC = re.compile(r"bb:Z_(\d{1,4})")
_BESIDE_CYCLIC = re.compile(r"(?:bb:Z|C)_(\d{1,4})")
_KLEIN = frozenset({"V_4", "K_4"})
_MAX_ORDER = 10_000
_MOST_MEMBERS = 60
_OTHER_NAMES = {"D_3": "S_3", "A_3": "bb:Z_3", "S_2": "bb:Z_2"}
_PAIR = 2
_NORMAL = frozenset({"cal:N", "N"})
"""Names of the normal distribution."""
_ZERO, _INFINITY = Number(Fraction(0)), Constant("inf")
_MINUS = Product((Number(Fraction(-1)), _INFINITY))
_HALF_LINES: dict[str, Node] = {
    **{f"bb:R{sign}": Interval(_ZERO, _INFINITY, False, False) for sign in ("^+", "_+", "_>0", "^>0", "_++")},
    **{f"bb:R{sign}": Interval(_ZERO, _INFINITY, True, False) for sign in ("_>=0", "^>=0", "^+_0", "_0^+")},
    **{f"bb:R{sign}": Interval(_MINUS, _ZERO, False, False) for sign in ("^-", "_-", "_<0", "^<0")},
    **{f"bb:R{sign}": Interval(_MINUS, _ZERO, False, True) for sign in ("_<=0", "^<=0")},
    **{f"bb:R{sign}": SetOperation("difference", (NamedSet("R"), SetOf((_ZERO,)))) for sign in ("^*", "_*", "^times")},
}
_DOTS = {"dot": 1, "ddot": 2, "dddot": 3}


def unified(gold: Node, given: Node) -> tuple[Node, Node]:
    """Both trees with products for calls of names that also stand alone, and one name for each derivative."""
    if not parts(gold, SetOperation) and not parts(given, SetOperation):
        gold, given = complex_letters(gold, given)
    gold, given = one_planck(gold, given)
    given = one_dress(gold, given)
    names = {part.name for node in (gold, given) for part in parts(node, Symbol)}
    called = {part.name for node in (gold, given) for part in parts(node, Call)}
    bare = frozenset(called & names) - _named_alike(gold, given) | are_factors(gold, given)
    normal = "cal:N" in called
    derivatives = _derivatives(names)
    laplacian = "nabla" in names
    cyclic = any(_order_of(name) for name in names) or _are_cyclic(gold, given)

    def rule(part: Node) -> Node:
        if isinstance(part, Symbol):
            return _HALF_LINES.get(part.name) or _primary(_symbol(part, derivatives), cyclic)
        if isinstance(part, Call) and part.name in _NORMAL and len(part.arguments) == _PAIR:
            return Call("cal:N", part.arguments) if normal else part
        if isinstance(part, Product) and any(isinstance(f, Symbol) and is_state(f.name) for f in part.factors):
            return _states_joined(part)
        if isinstance(part, Function) and part.name == "det":
            return _determinant(part)
        if isinstance(part, Product | Call) and (written := _of_sets(part)) is not None:
            return written
        if isinstance(part, Product | Quotient):
            part = _scaled_tuple(part)
        elif isinstance(part, Sum):
            part = summed(part)
        return Symbol("laplacian") if part == _LAPLACE else _groups(part)

    given = _alike(given, gold)
    gold, given = _summed_up(gold, given), _summed_up(given, gold)
    first, second = (rewrite(calls_resolved(dots_summed(node), bare), rule) for node in (gold, given))
    first, second = _labelled_point(first, second), _labelled_point(second, first)
    first, second = as_recurrence(first), as_recurrence(second)
    if laplacian:
        first, second = (_with_laplacian(node) for node in (first, second))
    return first, second


def _alike(node: Node, other: Node) -> Node:
    """A group or a field by the other name of it that the other side has: `\\mathbb Z_5` for `\\mathbb F_5`, `D_3`."""
    name = node.name if isinstance(node, Symbol) else ""
    beside = other.name if isinstance(other, Symbol) else ""
    if name and beside in (_OTHER_NAMES.get(name), *(one for one, two in _OTHER_NAMES.items() if two == name)):
        return other
    order = name.partition("_")[2]
    prime = order == "p" or (order.isdigit() and 1 < int(order) < _MAX_ORDER and _is_prime(int(order)))
    return other if prime and {name, beside} == {f"bb:F_{order}", f"bb:Z_{order}"} else node


def _is_prime(number: int) -> bool:
    return all(number % divisor for divisor in range(2, math.isqrt(number) + 1))


def _summed_up(node: Node, other: Node) -> Node:
    """Harmonic numbers `H_n` as the sums that they are, where the other side has such a sum and no such name."""
    sums = [part for part in parts(other, Bound) if part.kind == "sum" and part.body == _reciprocal(part.variable)]
    if not sums or any(_harmonic(part) is not None for part in walk(other)):
        return node

    def rule(part: Node) -> Node:
        last = _harmonic(part)
        return part if last is None else Bound("sum", _reciprocal("k"), "k", Number(Fraction(1)), last)

    return rewrite(node, rule)  # type: ignore[no-any-return]


def _reciprocal(name: str) -> Node:
    return Quotient(Number(Fraction(1)), Symbol(name))


def _harmonic(part: Node) -> Node | None:
    """The index of a harmonic number."""
    if isinstance(part, Indexed) and part.name == "H":
        return part.index
    letter = part.name.removeprefix("H_") if isinstance(part, Symbol) and part.name.startswith("H_") else ""
    return Symbol(letter) if letter.isalpha() else Number(Fraction(letter)) if letter.isdigit() else None


def _of_sets(part: Product | Call) -> Node | None:
    """`{a, b} \\times {1, 2}` and the power set of a finite set with all of their members; None of anything else."""
    inner = part.factors if isinstance(part, Product) else part.arguments
    sets = [each.items for each in inner if isinstance(each, SetOf)]
    if not sets or len(sets) < len(inner) or math.prod(len(items) + 1 for items in sets) > _MOST_MEMBERS:
        return None
    if isinstance(part, Product):
        return SetOf(tuple(Tuple(members) for members in product(*sets)))
    if part.name != "cal:P" or len(sets) > 1:
        return None
    sizes = range(len(sets[0]) + 1)
    chosen = [members for size in sizes for members in combinations(sets[0], size)]
    return SetOf(tuple(SetOf(members) if members else NamedSet("empty") for members in chosen))


def _named_alike(gold: Node, given: Node) -> frozenset[str]:
    """The name that both sides define, with its argument on one of them only (`E = …`, `E(r) = …`): never a factor."""
    found = []
    for node in (gold, given):
        head = node.operands[0] if isinstance(node, Relation) and node.operators[0] == "=" else None
        if not isinstance(node, Relation) or not isinstance(head, Symbol | Call):
            return frozenset()
        if any(getattr(part, "name", "") == head.name for side in node.operands[1:] for part in walk(side)):
            return frozenset()
        found.append(head.name)
    return frozenset(found) if found[0] == found[1] else frozenset()


def _groups(part: Node) -> Node:
    """Powers, products and sums of groups as direct sums."""
    if isinstance(part, Power) and is_group(part.base):
        repeated = _repeated(part)
        return SetOperation("plus", tuple(repeated)) if len(repeated) > 1 else part
    if isinstance(part, Product) and len(part.factors) > 1 and are_groups(part.factors):
        return _direct_sum(SetOperation("plus", part.factors))
    if isinstance(part, SetOperation) and part.operation == "plus":
        return _direct_sum(part)
    return _free_product(part) if isinstance(part, SetOperation) and part.operation == "free" else part


def _free_product(part: SetOperation) -> Node:
    """`Z * Z_2 * Z` flat and sorted."""
    flat: list[Node] = []
    for operand in part.operands:
        free = isinstance(operand, SetOperation) and operand.operation == "free"
        flat.extend(operand.operands if isinstance(operand, SetOperation) and free else (operand,))
    return SetOperation("free", tuple(sorted(flat, key=repr)))


def _labelled_point(node: Node, other: Node) -> Node:
    """`P(2, 3)` beside coordinates without a label."""
    label = isinstance(node, Call) and len(node.name) == 1 and node.name.isupper()
    if label and isinstance(node, Call) and isinstance(other, Tuple) and len(node.arguments) == len(other.items):
        return Tuple(node.arguments)
    return node


def _states_joined(part: Product) -> Node:
    """Kets and bras multiply in order, whatever stands between them."""
    states = [factor for factor in part.factors if isinstance(factor, Symbol) and is_state(factor.name)]
    rest = [factor for factor in part.factors if factor not in states]
    factors = (*rest, *joined(states))
    return factors[0] if len(factors) == 1 else Product(factors)


def _determinant(part: Function) -> Node:
    """The determinant of a small square matrix, expanded along its rows."""
    matrix = part.arguments[0]
    if not isinstance(matrix, Matrix) or not 1 <= len(matrix.rows) <= _MAX_DETERMINANT:
        return part
    if any(len(row) != len(matrix.rows) for row in matrix.rows):
        return part
    return _expanded(matrix.rows)


def _expanded(rows: tuple[tuple[Node, ...], ...]) -> Node:
    if len(rows) == 1:
        return rows[0][0]
    terms = []
    for column, entry in enumerate(rows[0]):
        minor = tuple(row[:column] + row[column + 1 :] for row in rows[1:])
        terms.append(Product((Number(Fraction((-1) ** column)), entry, _expanded(minor))))
    return Sum(tuple(terms))


def _scaled_tuple(part: Product | Quotient) -> Node:
    """`2 (1, -1)` entry by entry."""
    factors = part.factors if isinstance(part, Product) else (part.over,)
    tuples = [factor for factor in factors if isinstance(factor, Tuple)]
    if len(tuples) != 1 or (isinstance(part, Quotient) and isinstance(part.under, Tuple)):
        return part
    if any(isinstance(factor, NamedSet) or getattr(factor, "name", "").startswith("bb:") for factor in factors):
        return part  # What is adjoined to a field.
    if any(factor is not tuples[0] and has_sign(factor) for factor in factors):
        return part  # One sign for all of the entries, which are not signed each for itself.
    rest = tuple(factor for factor in factors if factor is not tuples[0])
    items = (Product((*rest, item)) if rest else item for item in tuples[0].items)
    under = part.under if isinstance(part, Quotient) else None
    return Tuple(tuple(item if under is None else Quotient(item, under) for item in items), tuples[0].bracket)


def _with_laplacian(node: Node) -> Node:
    def rule(part: Node) -> Node:
        return Symbol("laplacian") if part == Symbol("Delta") else part

    return rewrite(node, rule)  # type: ignore[no-any-return]


def _derivatives(names: set[str]) -> dict[str, str]:
    """Names of primes and dots to the full derivative that occurs beside them."""
    found: dict[str, str] = {}
    for name in names:
        match = _DERIVATIVE.match(name)
        if match is None:
            continue
        order, body = int(match[2]), match[3]
        if match[1] == "P":
            found[f"{body}_{match[4] * order}"] = name
            continue
        found[body + "'" * order] = name
        if match[4] == "t":
            found.update({f"{dot}:{body}": name for dot, times in _DOTS.items() if times == order})
    return found


def _symbol(part: Symbol, derivatives: dict[str, str]) -> Symbol:
    return Symbol(derivatives[part.name]) if part.name in derivatives else part


def _direct_sum(part: SetOperation) -> Node:
    """`Z (+) Z` flat and sorted, with `Z^2` written out."""
    flat: list[Node] = []
    for operand in part.operands:
        if isinstance(operand, SetOperation) and operand.operation == "plus":
            flat.extend(operand.operands)
        else:
            flat.extend(_repeated(operand))
    return SetOperation("plus", tuple(sorted(flat, key=repr)))


def _order_of(name: str) -> int | None:
    """The order of a cyclic group by its name."""
    found = _CYCLIC.fullmatch(name)
    return int(found[1]) if found is not None else None


def _are_cyclic(gold: Node, given: Node) -> bool:
    """Whether both sides are nothing but cyclic groups by the letter C (`C_6`, `C_2 \\times C_3`)."""
    sides = [node.factors if isinstance(node, Product) else (node,) for node in (gold, given)]
    return all(isinstance(part, Symbol) and _BESIDE_CYCLIC.fullmatch(part.name) for side in sides for part in side)


def _primary(part: Symbol, cyclic: bool) -> Node:
    """A cyclic group as the sum of those of prime power order; `C_n` is one where such a group is spoken of."""
    if cyclic and part.name in _KLEIN:
        return SetOperation("plus", (Symbol("bb:Z_2"), Symbol("bb:Z_2")))
    beside = _BESIDE_CYCLIC.fullmatch(part.name) if cyclic else None
    order = int(beside[1]) if beside is not None else _order_of(part.name)
    if order is None:
        return part
    powers, prime = [], 2
    while order > 1 and prime <= _MAX_ORDER:
        power = 1
        while order % prime == 0:
            order, power = order // prime, power * prime
        powers += [power] if power > 1 else []
        prime += 1
    groups = tuple(Symbol(f"bb:Z_{power}") for power in powers)
    if not groups:
        return part
    return groups[0] if len(groups) == 1 else SetOperation("plus", tuple(sorted(groups, key=repr)))


def _repeated(node: Node) -> list[Node]:
    if isinstance(node, Power) and is_group(node.base) and isinstance(node.exponent, Number):
        count = node.exponent.value
        if count.denominator == 1 and 1 <= count <= 20:
            direct = isinstance(node.base, SetOperation) and node.base.operation == "plus"
            parts = node.base.operands if isinstance(node.base, SetOperation) and direct else (node.base,)
            return sorted([*parts] * int(count), key=repr)
    return [node]
