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
    Number,
    Order,
    PlusMinus,
    Power,
    Product,
    Quantity,
    Quotient,
    Ratio,
    Relation,
    SetOf,
    SetOperation,
    Sum,
    Symbol,
    Text,
    Tuple,
)
from grading.language.units import Unit
from grading.language.walking import parts

_KINDS: Final = (
    (Text, "words"),
    (Order, "order"),
    (Ratio, "ratio"),
    (Tuple, "tuple"),
    ((Listing, SetOf, Builder), "set"),
    ((Interval, NamedSet, SetOperation, Relation), "range"),
)
_NAMING: Final = frozenset({"=", "~="})
_DELIMITED: Final = re.compile(r"\$(?:[^$\\]|\\.)+\$", re.DOTALL)
_ESCAPED: Final = re.compile(r"\\\$(?=\d)")
"""The sign of money as LaTeX writes it."""
_HALF_DAY: Final = re.compile(r"\d\s?[ap]\.?m\b", re.IGNORECASE)
_OF_RATIO: Final = re.compile(
    r"\b(?:ratios?|proportions?|odds|scale)\b|(?<!\w)[A-Za-z]\s*:\s*[A-Za-z](?!\w)", re.IGNORECASE
)
_DECIMAL: Final = re.compile(r"\d\.\d|\d\s*\\?(?:times|cdot|[×·])\s*10")
_VARIES: Final = re.compile(r"(?:sin|cos|tan|cot|sec|csc|ln|log|exp)h?\s*\(?\d*\s?[a-z]\)?\s*$")
"""Ends in the letter that a function is of, which is no unit: `\\sin 2t`."""

TIME: Final = re.compile(r"(?<![\d:.])\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]\.?m\b\.?)?(?![\d:])", re.IGNORECASE)
"""A time of day."""


@dataclass(frozen=True, slots=True)
class Sort:
    """`kind` is number, quantity, expression, order (of growth), ratio, tuple, matrix, set, range, time, words, unread.

    `dimension` is that of a quantity. `equation` is "named" where a name stands before the value and "implicit" where
    the left side is itself an expression (`x^2 + y^2 = 25`); the kind is that of the right side.
    """

    kind: str
    dimension: tuple[tuple[str, int], ...] = ()
    equation: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the question asks for: its sort, whether in decimals, and what else its letters may mean."""

    sort: Sort
    decimal: bool
    otherwise: Sort | None = None


def asked_for(gold: str, unit: Unit | None, question: str = "") -> Asked:
    """What is asked for where this gold is right; `unit` is the one that the question names."""
    gold = undelimited(gold)
    sort = sort_of(gold)
    if sort.kind == "time" and question and not _HALF_DAY.search(gold) and _OF_RATIO.search(question):
        sort = Sort("ratio")
    if unit is not None and sort.kind == "number":
        sort = Sort("quantity", tuple(unit.dimension))
    otherwise = _as_expression(gold) if sort.kind == "quantity" and unit is None else None
    return Asked(sort, _DECIMAL.search(gold) is not None, otherwise)


def undelimited(text: str) -> str:
    """A formula without the dollars around it; the sign of money stays."""
    return text[1:-1] if _DELIMITED.fullmatch(text) else text


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
    text = _ESCAPED.sub("$", text.strip(" .,;:"))
    quantity = with_unit(text) if _VARIES.search(text) is None else None
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
    node = _unconditioned(node)
    value = _right_side(node)
    equation = "" if value is node else "implicit" if _is_implicit(node) else "named"
    if isinstance(value, Quantity):
        return Sort("quantity", tuple(value.unit.dimension), equation)
    if (isinstance(value, Tuple) and value.bracket == "{}") or _has_two_signs(value):
        return Sort("set", (), equation)
    if isinstance(value, Matrix) or (isinstance(value, Tuple) and any(isinstance(each, Tuple) for each in value.items)):
        return Sort("matrix" if _is_wide(value) else "tuple", (), equation)
    kind = next((kind for types, kind in _KINDS if isinstance(value, types)), None)
    if kind is not None:
        return Sort(kind, (), equation)
    bound = {part.variable for part in parts(value, Bound)}
    free = bool(parts(value, Indexed)) or bool(parts(value, Call))
    free = free or any(part.name not in bound for part in parts(value, Symbol))
    return Sort("expression" if free else "number", (), equation)


def _unconditioned(node: Node) -> Node:
    """A value without the inequality behind it that says where it holds (`f(x) = \\ln x, x > 0`)."""
    if not isinstance(node, Listing) or len(node.items) < 2:
        return node
    first, *rest = node.items
    conditions = all(isinstance(each, Relation) and not set(each.operators) & _NAMING for each in rest)
    return first if conditions and not (isinstance(first, Relation) and set(first.operators) - _NAMING) else node


def _is_implicit(node: Node) -> bool:
    """Whether the left side of an equation is more than a name."""
    left = node.operands[0] if isinstance(node, Relation) else node
    lettered = bool(parts(left, Symbol))
    return lettered and isinstance(left, Sum | Product | Power | Quotient)


def _is_wide(node: Matrix | Tuple) -> bool:
    """Whether a matrix has rows and columns: one of a single row or column is a vector."""
    if isinstance(node, Tuple):
        return len(node.items) > 1 and all(isinstance(each, Tuple) for each in node.items)
    return len(node.rows) > 1 and len(node.rows[0]) > 1


def _has_two_signs(node: Node) -> bool:
    """Whether `±` stands for two values, and not for how sure one is (`9.81 ± 0.05`)."""
    if isinstance(node, Sum) and all(isinstance(each, Number | PlusMinus) for each in node.terms):
        return all(not isinstance(each, Number) or each.places is None for each in node.terms) and bool(
            parts(node, PlusMinus)
        )
    return bool(parts(node, PlusMinus))


def agreement(asked: Asked, given: Sort) -> float:
    """From 0 (something else was asked for) to 1."""
    other = _agreement(asked.otherwise, given) if asked.otherwise is not None else 0.0
    return max(_agreement(asked.sort, given), other)


def agreement_of(asked: Asked, text: str) -> float:
    """How far a value agrees; where an expression is asked for, letters may be factors that could be its unit."""
    bare = undelimited(text)
    given = sort_of(bare)
    found = agreement(asked, given)
    if found or given.kind != "quantity" or asked.sort.kind != "expression" or (bare == text and " " in text):
        return found
    product = _as_expression(bare)
    return agreement(asked, product) if product is not None else 0.0


_ALIKE: Final = {
    frozenset({"set", "range"}): 0.5,
    frozenset({"set", "tuple"}): 0.5,
    frozenset({"tuple", "range"}): 0.5,
    frozenset({"matrix", "tuple"}): 0.3,
}
_FOR_NUMBER: Final = {"number": 1.0, "quantity": 0.7, "ratio": 0.5}
_FOR_RATIO: Final = {"ratio": 1.0, "time": 1.0, "number": 0.5}


def _agreement(asked: Sort, given: Sort) -> float:
    if given.kind in ("unread", "words"):
        return 0.0
    if asked.equation == "implicit":
        return 1.0 if given.equation == "implicit" else 0.5 if given.equation and given.kind == "expression" else 0.0
    if asked.equation and asked.kind == "expression" and given.equation == "implicit":
        return 0.7
    if asked.kind == "number":
        return _FOR_NUMBER.get(given.kind, 0.0)
    if asked.kind == "ratio":
        return _FOR_RATIO.get(given.kind, 0.0)
    if asked.kind == "quantity":
        same = given.kind == "quantity" and given.dimension == asked.dimension
        return 1.0 if same else 0.8 if given.kind == "number" else 0.0
    if asked.kind == given.kind:
        return 1.0
    return _ALIKE.get(frozenset({asked.kind, given.kind}), 0.0)
