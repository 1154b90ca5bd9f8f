"""Trees of numbers, letters and arithmetic alone: nothing in them has to be brought to one spelling or taken apart."""

import re

from grading.language.tree import (
    Constant,
    Function,
    Listing,
    Matrix,
    Node,
    Number,
    Power,
    Product,
    Quantity,
    Quotient,
    SetOf,
    Sum,
    Symbol,
    Tuple,
)
from grading.language.walking import kept, walk

_ARITHMETIC = frozenset({Number, Sum, Product, Quotient, Power, Constant, Quantity, Function, Symbol})
_OF_NUMBERS = frozenset({Number, Sum, Product, Quotient, Power, Listing, Tuple, SetOf, Matrix})
_MATRICES = frozenset({"det", "diag", "span"})
COMPLEX = frozenset(Symbol(name) for name in ("z", "w", "psi", "Psi"))
"""Letters that are complex where their size is spoken of."""
_LETTER = re.compile(r"(?!nabla\b|j(?:_\d+)?$|C_\d+$)[A-Za-z]+(?:_[A-Za-z0-9]+)?")
"""Not `j`, which may be the imaginary unit, and no cyclic group; names of sets, vectors and states hold other signs."""


@kept
def is_in_numbers(node: Node) -> bool:
    """Whether nothing in a tree can be a unit: numbers and what is done with them, listed or not."""
    return all(type(part) in _OF_NUMBERS for part in walk(node))


@kept
def is_plain(node: Node) -> bool:
    """Whether a tree is made of arithmetic on numbers and letters, perhaps with a unit."""
    return all(type(part) in _ARITHMETIC and _is_plain_by_name(part) for part in walk(node))


def _is_plain_by_name(part: Node) -> bool:
    if isinstance(part, Symbol):
        return _LETTER.fullmatch(part.name) is not None
    if not isinstance(part, Function):
        return True
    return part.name not in _MATRICES and not (part.name == "abs" and part.arguments[0] in COMPLEX)
