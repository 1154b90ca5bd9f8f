"""How large what is written is, roughly: enough to see that one value of a response is another one of it said again."""

import cmath
import math
import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from grading.language.limits import LanguageError
from grading.language.read import read
from grading.language.tree import (
    Call,
    Constant,
    Function,
    Node,
    Number,
    Power,
    Product,
    Quotient,
    Relation,
    Sum,
    Symbol,
)

_NUMBER: Final = re.compile(
    r"[-−+]?(?:[$€£]|\\\$)?\s?(?P<whole>\d{1,3}(?:(?:,|\{,\}|\\,|\u202f)\d{3})+|\d+|(?=\.\d))(?:\.(?P<places>\d+))?"
    r"(?:\s?(?:\\?%|per\s?cent\b|percent\b))?"
)
_SHARE: Final = re.compile(r"\\?%|per\s?cent|percent")
_CONSTANTS: Final = {"pi": math.pi, "e": math.e, "i": 1j}
_FUNCTIONS: Final[dict[str, Callable[[complex], complex]]] = {
    "sin": cmath.sin,
    "cos": cmath.cos,
    "tan": cmath.tan,
    "exp": cmath.exp,
    "ln": cmath.log,
    "sqrt": cmath.sqrt,
}
_NEARLY: Final = 1e-9
_LARGEST_POWER: Final = 300
_LONGEST: Final = 160
_LEAST_DIGITS: Final = 2
_HALF: Final = 0.501
"""Of a unit in the last place."""


@dataclass(frozen=True, slots=True)
class Size:
    """What a value comes to at one fixed point; None where it is no number or expression, then its tree is compared.

    `places` are the decimals it is written with, None where it is no plain number.
    """

    value: complex | None
    tree: Node | str
    places: int | None = None
    digits: int = 0


@lru_cache(maxsize=512)
def size_of(text: str) -> Size | None:
    """The size of a number or a formula, of a chain that of its last side; None where it is not read."""
    text = text.strip(" .,;:*")
    plain = _NUMBER.fullmatch(text)
    if plain is not None:
        whole, places = re.sub(r"\D", "", plain["whole"]), plain["places"] or ""
        value = float(f"{whole or 0}.{places or 0}") * (-1 if text[0] in "-−" else 1)
        shift = 2 if _SHARE.search(text) else 0
        return Size(value / 10**shift, text, len(places) + shift, len(f"{whole}{places}".strip("0")))
    if not text or len(text) > _LONGEST:
        return None
    try:
        node = read(text).node
    except LanguageError:
        return None
    if isinstance(node, Relation):
        node = node.operands[-1]
    try:
        return Size(_value(node), node)
    except (ArithmeticError, ValueError, TypeError, KeyError):
        return Size(None, node)


def _value(node: Node) -> complex:
    match node:
        case Number(value=value):
            return complex(float(value))
        case Constant(name=name):
            return complex(_CONSTANTS[name])
        case Symbol(name=name):
            return complex(1.25 + zlib.crc32(name.encode()) % 1009 / 1009)
        case Sum(terms=terms):
            return sum((_value(each) for each in terms), 0j)
        case Product(factors=factors):
            return math.prod((_value(each) for each in factors), start=1 + 0j)
        case Quotient(over=over, under=under):
            return _value(over) / _value(under)
        case Power(base=base, exponent=exponent):
            power = _value(exponent)
            if abs(power) > _LARGEST_POWER:
                raise ValueError(power)
            return complex(_value(base) ** power)
        case Function(name="root", arguments=(argument, degree)):
            return complex(_value(argument) ** (1 / _value(degree)))
        case Function(name=name, arguments=(argument,)):
            return _FUNCTIONS[name](_value(argument))
        case Call(name=name, arguments=(argument,)):
            # A letter before a bracket, be it a function or a factor.
            return _value(Symbol(name)) * _value(argument)
        case _:
            raise TypeError(node)


def same(one: Size, other: Size) -> bool:
    """Whether two sizes are one: equal, or equal when the finer one is rounded as the other is written."""
    if one.value is None or other.value is None:
        return one.tree == other.tree
    difference = abs(one.value - other.value)
    if difference <= _NEARLY * max(abs(one.value), abs(other.value)):
        return True
    plain = [each for each in (one, other) if each.places]
    coarse = min(plain, key=lambda each: each.places or 0, default=None)
    if coarse is None or coarse.digits < _LEAST_DIGITS:
        return False
    return difference <= _HALF * 10.0 ** -(coarse.places or 0)
