"""What sort of thing a value is (number, quantity, expression, set), so that only what was asked for is a candidate.

The sort is told by the question, never by what is right: a guess gains nothing from it.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from grading.language.limits import LanguageError
from grading.language.read import read, with_unit
from grading.language.tree import (
    Bound,
    Builder,
    Call,
    Indexed,
    Interval,
    Listing,
    Matrix,
    NamedSet,
    Node,
    Order,
    Quantity,
    Relation,
    SetOf,
    SetOperation,
    Symbol,
    Text,
    Tuple,
)
from grading.language.units import Unit
from grading.language.walking import parts

_KINDS: Final = (
    (Text, "words"),
    (Order, "order"),
    ((Tuple, Matrix), "tuple"),
    ((Listing, SetOf, Builder), "set"),
    ((Interval, NamedSet, SetOperation, Relation), "range"),
)
_NAMING: Final = frozenset({"=", "~="})
_MONEY: Final = re.compile(r"\\?\$(?=\d)")
_DECIMAL: Final = re.compile(r"\d\.\d|\d\s*\\?(?:times|cdot|[×·])\s*10")


TIME: Final = re.compile(r"(?<![\d:.])\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]\.?m\b\.?)?(?![\d:])", re.IGNORECASE)
"""A time of day."""


@dataclass(frozen=True, slots=True)
class Sort:
    """`kind` is number, quantity, expression, order (of growth), tuple, set, range, time, words or unread.

    `dimension` is that of a quantity.
    """

    kind: str
    dimension: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """What the question asks for: its sort, whether in decimals, and what else its letters may mean."""

    sort: Sort
    decimal: bool
    otherwise: Sort | None = None


def asked_for(gold: str, unit: Unit | None) -> Asked:
    """What is asked for where this gold is right; `unit` is the one that the question names."""
    sort = sort_of(gold)
    if unit is not None and sort.kind == "number":
        sort = Sort("quantity", tuple(unit.dimension))
    otherwise = _as_expression(gold) if sort.kind == "quantity" and unit is None else None
    return Asked(sort, _DECIMAL.search(gold) is not None, otherwise)


def _as_expression(text: str) -> Sort | None:
    """The sort of what may be a quantity or a product of letters (`\\frac13 M L^2`); None where it is no product."""
    quantity = with_unit(text)
    if quantity is None or quantity.upright:
        return None
    try:
        found = _sort_of_node(read(text).node)
    except LanguageError:
        return None
    return found if found.kind == "expression" and "\\" in text else None


@lru_cache(maxsize=512)
def sort_of(text: str) -> Sort:
    """The sort of a value, or of the right side of an equation."""
    if TIME.fullmatch(text.strip()):
        return Sort("time")
    text = _MONEY.sub("", text.strip(" .,;:"))
    quantity = with_unit(text)
    if quantity is not None and _is_measured(_right_side(quantity.node)):
        return _sort_of_node(quantity.node)
    try:
        return _sort_of_node(read(text).node)
    except LanguageError:
        return Sort("unread")


def _is_measured(node: Node) -> bool:
    """Whether a number stands before the unit: the letters of `mgh` are factors."""
    return isinstance(node, Quantity) and not parts(node.value, Symbol)


def _right_side(node: Node) -> Node:
    if isinstance(node, Relation) and set(node.operators) <= _NAMING:
        return node.operands[-1]
    return node


def _sort_of_node(node: Node) -> Sort:
    node = _right_side(node)
    if isinstance(node, Quantity):
        return Sort("quantity", tuple(node.unit.dimension))
    kind = next((kind for types, kind in _KINDS if isinstance(node, types)), None)
    if kind is not None:
        return Sort(kind)
    bound = {part.variable for part in parts(node, Bound)}
    free = bool(parts(node, Indexed)) or bool(parts(node, Call))
    free = free or any(part.name not in bound for part in parts(node, Symbol))
    return Sort("expression" if free else "number")


def agreement(asked: Asked, given: Sort) -> float:
    """From 0 (something else was asked for) to 1."""
    other = _agreement(asked.otherwise, given) if asked.otherwise is not None else 0.0
    return max(_agreement(asked.sort, given), other)


def _agreement(asked: Sort, given: Sort) -> float:
    if given.kind in ("unread", "words"):
        return 0.0
    if asked.kind == "number":
        return {"number": 1.0, "quantity": 0.7}.get(given.kind, 0.0)
    if asked.kind == "quantity":
        return 1.0 if given == asked else 0.8 if given.kind == "number" else 0.0
    if {asked.kind, given.kind} in ({"set", "range"}, {"set", "tuple"}, {"tuple", "range"}):
        return 0.5
    return 1.0 if asked.kind == given.kind else 0.0
