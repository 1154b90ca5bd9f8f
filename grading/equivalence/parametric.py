"""Answers with a letter that runs through whole numbers: as families, or written out where they are finitely many."""

from dataclasses import replace
from fractions import Fraction

from grading.equivalence import families, members
from grading.equivalence.definitions import definition_of, value_of
from grading.equivalence.expressions import symbols
from grading.equivalence.finding import Finding, Rules, different
from grading.equivalence.indexes import INTEGERS, Index, index_of
from grading.equivalence.members import Same
from grading.equivalence.numbers import is_constant
from grading.equivalence.signs import renamed, substituted, written_out
from grading.equivalence.stated import Stated, as_index
from grading.equivalence.values import is_odd
from grading.equivalence.wholes import of_whole_numbers, picked
from grading.language.tree import (
    Builder,
    Ellipsis,
    Listing,
    NamedSet,
    Node,
    Number,
    PlusMinus,
    Product,
    Relation,
    SetOf,
    Sum,
    Symbol,
    Tuple,
)
from grading.language.walking import parts

_MOST_LISTED = 40
_MIXTURE = tuple(Number(Fraction(weight)) for weight in ("1", "1.7310582941", "0.6127943805", "2.4190375127"))
"""Weights of coordinates: two different points of small whole coordinates get different sums."""


def compare_families(gold: Stated, given: Stated, rules: Rules, same: Same) -> Finding | None:
    """Compare as families over sets of integers, where the gold is one; None where it is none."""
    wholes = of_whole_numbers(gold, given, rules)
    if wholes is not None:
        return same(*wholes, rules)
    gold, given = _in_one_number(gold, given)
    whole = index_of(gold.node) is not None and not isinstance(gold.node, SetOf)
    expected = (
        _members_of_set(gold.node)
        if whole or _has_dots(gold.node)
        else _moved(gold.node) or _progression(gold.node) or _family(gold, {})
    )
    if expected is None:
        return None
    name, index = expected[0].name, expected[0].index
    found = (
        _members_of_set(given.node)
        or _moved(given.node)
        or _progression(given.node)
        or _family(given, {name: index})
        or _lone_letter(given, expected)
    )
    if found is None:
        return different("no family over the integers") if _not_whole(given) else None
    # The members are looked at though the writing may agree: right and wrong take the same work.
    by_members = families.compare_integer_families(expected, found)
    if index == found[0].index and len(expected) == len(found):
        finding = same(gold.node, renamed(given.node, {found[0].name: name}), rules)
        if finding.equal:
            return finding
    return by_members


def _in_one_number(gold: Stated, given: Stated) -> tuple[Stated, Stated]:
    """Two families of points, each point as one number: its coordinates in a fixed mixture that no two points share.

    Both as they are where the gold is no point with a declared letter, or the answer none of as many coordinates.
    """
    if not gold.indexes or any(index.other for index in gold.indexes.values()) or not _is_point(gold.node):
        return gold, given
    expected, found = (
        members.components(value_of(side.node)) if isinstance(value_of(side.node), Tuple | Listing) else None
        for side in (gold, given)
    )
    if expected is None or found is None or not 1 < len(expected) == len(found) <= len(_MIXTURE):
        return gold, given
    return replace(gold, node=_mixed(expected)), replace(given, node=_mixed(found))


def _is_point(node: Node) -> bool:
    """Whether a list names its members as coordinates: `x = A or x = B` are two families of numbers."""
    value = value_of(node)
    if not isinstance(value, Listing):
        return True
    named = [definition_of(item) for item in value.items]
    return len({item.name for item in named if item is not None}) == len(named)


def _mixed(coordinates: list[Node]) -> Node:
    return Sum(tuple(Product((weight, each)) for weight, each in zip(_MIXTURE, coordinates, strict=False)))


def is_listed(gold: Stated, given: Stated) -> bool:
    """Whether one of two sides is a family of finitely many members."""
    return any(listed(side) is not side for side in (gold, given))


def listed(stated: Stated, zero: bool = False) -> Stated:
    """`k pi / 3, k = 0, 1, 2` as the set of its members, where they are finitely many; anything else as it is.

    `zero` counts it among the natural numbers where nobody said whether it is one of them.
    """
    node = picked(stated, zero=zero)
    if node is not stated.node:
        return replace(stated, node=node, indexes={})
    whole = index_of(stated.node) if isinstance(stated.node, Builder) else None
    if whole is not None and not whole.other and whole.low is not None and whole.high is not None:
        whole = whole.readings()[-1 if zero else 0]
        if whole.low is not None and whole.high is not None and whole.high - whole.low < _MOST_LISTED:
            found = whole.members(max(abs(whole.low), abs(whole.high)) + 1)
            return replace(stated, node=SetOf(tuple(Number(Fraction(member)) for member in found)))
    names = [name for name in stated.indexes if name in symbols(value_of(stated.node))]
    if len(names) != 1:
        return stated
    index = _index(names[0], stated).readings()[-1 if zero else 0]
    if index.other or index.low is None or index.high is None or index.high - index.low >= _MOST_LISTED:
        return stated
    values = [value_of(part) for part in members.members(stated.node)]
    numbers = list(index.members(max(abs(index.low), abs(index.high)) + 1))
    if not values or not numbers or any(is_odd(value) for value in values):
        return stated
    items = tuple(substituted(value, names[0], Number(Fraction(number))) for number in numbers for value in values)
    return replace(stated, node=SetOf(items), indexes={})


def _not_whole(given: Stated) -> bool:
    named = index_of(given.node)
    return any(index.other for index in given.indexes.values()) or (named is not None and bool(named.other))


def _has_dots(node: Node) -> bool:
    return isinstance(node, SetOf) and any(isinstance(item, Ellipsis) for item in node.items)


def _members_of_set(node: Node) -> list[families.Family] | None:
    """A set of integers (`2 Z`, `Z - {0}`, `{..., -2, 0, 2, ...}`) as the family of its members."""
    if isinstance(node, SetOf) and not _has_dots(node):
        return None
    if isinstance(node, Builder) and families.is_residue_class(node):
        return None
    index = index_of(node)
    return [families.Family(Symbol("member"), "member", index)] if index is not None and not index.other else None


def _moved(node: Node) -> list[families.Family] | None:
    """`Z + 1/2`, whose members are no integers, as their family; None of any other node."""
    if not isinstance(node, Sum) or len(node.terms) != 2:
        return None
    base, shift = node.terms if parts(node.terms[0], NamedSet) else node.terms[::-1]
    if parts(shift, NamedSet) or not is_constant(shift) or not isinstance(base, NamedSet | Product):
        return None
    factors = base.factors if isinstance(base, Product) else (base,)
    step = tuple(each for each in factors if each != NamedSet("Z"))
    if len(step) == len(factors) - 1 and all(is_constant(each) for each in step):
        return [families.Family(Sum((Product((Symbol("member"), *step)), shift)), "member", INTEGERS)]
    index = index_of(base)
    return [families.Family(Sum((Symbol("member"), shift)), "member", index)] if index and not index.other else None


def _progression(node: Node) -> list[families.Family] | None:
    """`0, ±pi, ±2 pi, ...` and `pi, 2 pi, 3 pi, ...` as the family of their members; None of any other list."""
    if not isinstance(node, Listing | SetOf) or len(node.items) > _MOST_LISTED:
        return None
    items = [value_of(item) for item in node.items]
    if not isinstance(items[-1], Ellipsis) or any(isinstance(item, Ellipsis) for item in items[1:-1]):
        return None
    kept = [item for item in items if not isinstance(item, Ellipsis)]
    signed = any(isinstance(item, PlusMinus) for item in kept)
    if signed and not all(isinstance(item, PlusMinus) or item == Number(Fraction(0)) for item in kept):
        return None
    found = families.steps_of([part for item in kept for part in members.members(item)])
    if found is None:
        return None
    first, step = found
    both = signed or isinstance(items[0], Ellipsis)
    value = Sum((first, Product((Symbol("member"), step))))
    return [families.Family(value, "member", INTEGERS if both else Index(low=0))]


def _family(stated: Stated, known: dict[str, Index]) -> list[families.Family] | None:
    """The parts of an answer as families, by what is declared, by the other side, or by a parameter beside pi."""
    declared = {name: _index(name, stated) for name in {*stated.indexes, *known} & symbols(stated.node)}
    if any(index.other for index in declared.values()):
        return None
    result = []
    for part in members.members(stated.node):
        names = sorted(set(declared) & symbols(part))
        lone = names[0] if len(names) == 1 else families.periodic_parameter(part) if not names else None
        if lone is None or is_odd(part):
            return None
        index = declared.get(lone) or known.get(lone) or _bounded(lone, stated)
        result.append(families.Family(part, lone, index))
    return result or None


def _index(name: str, stated: Stated) -> Index:
    """The set that is declared for a letter, within the bounds that are stated too."""
    declared = stated.indexes.get(name)
    return _bounded(name, stated, declared) if declared is not None else _bounded(name, stated)


def _bounded(name: str, stated: Stated, index: Index = INTEGERS) -> Index:
    bounds = as_index(name, stated.relations)
    return index if bounds is None else index.met(bounds)


def _lone_letter(given: Stated, expected: list[families.Family]) -> list[families.Family] | None:
    """The family of an answer whose one letter that the gold does not know stands for the gold's index."""
    known = {name for part in expected for name in symbols(part.value)}
    fresh = (symbols(given.node) & families.PARAMETERS) - known
    if len(fresh) != 1 or _not_whole(given):
        return None
    name = next(iter(fresh))
    return _family(replace(given, indexes={**given.indexes, name: expected[0].index}), {})


def of_another_congruence(gold: Node, given: Node) -> bool:
    """Whether a congruence is stated of an expression (`2x = 23 mod 105`) of which the gold does not speak."""
    heads = [
        node.operands[0]
        for node in (gold, given)
        if isinstance(node, Relation) and node.operators == ("in",) and families.is_residue_class(node.operands[1])
    ]
    return len(heads) > 1 and heads[0] != heads[1] and bool(symbols(heads[1])) and not isinstance(heads[1], Symbol)


def residues_of(node: Node) -> Node:
    """`x = 3 mod 7`, `x = 1 or 4 mod 5` as the family of the members, `\\ker f = 3 Z` as the set that it names."""
    named = value_of(node)
    if named is not node and isinstance(named, Builder | Product | Sum) and index_of(named) is not None:
        return named
    if isinstance(node, Relation) and node.operators == ("in",) and isinstance(node.operands[0], Symbol):
        inside = node.operands[1]
        if isinstance(inside, Builder) and not isinstance(inside.term, Symbol | Relation):
            return inside
        if isinstance(inside, Sum | Product) and index_of(inside) is not None:
            return inside
    parts = members.members(node) if isinstance(node, Listing) else written_out(node)
    classes = [part.operands[1] for part in parts if isinstance(part, Relation) and part.operators == ("in",)]
    found = [part for part in classes if isinstance(part, Builder) and families.is_residue_class(part)]
    if not found or len(found) < len(parts):
        return node
    return found[0] if len(found) == 1 else Builder(Tuple(tuple(part.term for part in found)), found[0].conditions)
