"""Real numbers at which an answer has no value though the gold has one: `x^2/x` for `x`, where all are asked for."""

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from grading.equivalence.breaks import vanishing
from grading.equivalence.evaluate import evaluate
from grading.equivalence.exactly import exact
from grading.equivalence.point import Point, UndefinedError, UnsupportedError, Value, context
from grading.language.tree import Bound, Function, Node, Number, Power, Product, Quotient, Sum, Symbol
from grading.language.walking import parts, walk

_REALS: Final = (
    r"(?:ℝ|(?-i:R)(?![\w^])|\\mathbb\s*\{?(?-i:R)\}?(?!\s*\^)"
    r"|the\s+(?:(?:whole|entire)\s+)?real(?:s\b|\s+(?:line|numbers|axis)))"
)
_ALL: Final = re.compile(
    r"\b(?:for|at|on|over|of)\s+(?:all|every|any|each|arbitrary)\s+(?:of\s+)?(?:the\s+)?(?:\$?[a-z]\$?\s+)?reals?\b"
    r"|\b(?:for|at)\s+(?:all|every|each)\s+\$?[a-hr-z]\$?(?!\w)"
    rf"|\b(?:on|over|of)\s+(?:all\s+(?:of\s+)?)?\$?{_REALS}"
    rf"|{_REALS}\$?\s*(?:->|→|\\(?:right)?arrow|\\to)\s*\$?{_REALS}"
    r"|\beverywhere\b|\bentire\s+function|\b(?:linear|affine|quadratic|constant|identity)\s+(?:function|polynomial)"
    r"|\b(?:including|also|even)\s+(?:(?:at|when|for|where)\s+)?\$?[a-z]\s*=\s*[-−]?\d",
    re.IGNORECASE,
)
"""Questions for a rule that holds of all real numbers."""
_SAVE: Final = re.compile(
    r"≠|\\neq?\b|!=|\bexcept|\bnon-?zero|\bother\s+than|\bpositive|\bnegative|(?<![-=])[<>≤≥]|\\[lg]eq?\b|\bexclud|\bunless|\bits\s+domain",
    re.IGNORECASE,
)
"""Words that leave some of them out."""
_MOST, _LARGEST = 8, 60
"""Conditions that are looked at, and the parts of the largest of them."""
_NEAR: Final = 10**-12
_POLES: Final = {"tan": "cos", "sec": "cos", "cot": "sin", "csc": "sin"}
_TO_ONE: Final = frozenset({"asin", "acos"})
_ONE, _MINUS = Number(Fraction(1)), Number(Fraction(-1))


def asks_for_all(question: str) -> bool:
    """Whether a question asks for a rule on all real numbers, and leaves none of them out."""
    return _ALL.search(question) is not None and _SAVE.search(question) is None


def left_out(gold: Node, given: Node, starts: list[Point], names: list[str]) -> str | None:
    """A place with real letters at which the gold has a real value and the answer none; None where none was found."""
    poles, sides = _conditions(given)
    own = _conditions(gold)
    for place in _places(poles, starts, names):
        if _fails(poles, sides, place) and not _fails(*own, place):
            try:
                value = evaluate(gold, place)
            except (UndefinedError, UnsupportedError):
                continue
            if not context().im(value):
                return ", ".join(f"{name} = {context().nstr(place.symbol(name), 3)}" for name in names[:3])
    return None


def _conditions(node: Node) -> tuple[list[Node], list[Node]]:
    """What may not vanish in a tree, and what may not be negative, for it to have a real value."""
    poles: list[Node] = []
    sides: list[Node] = []
    for part in walk(node):
        match part:
            case Quotient(under=under):
                poles.extend(_factors(under))
            case Power(base=base, exponent=exponent) if (power := exact(exponent)) is not None:
                poles.extend(_factors(base) if power < 0 else ())
                sides.extend([base] if power.denominator % 2 == 0 else ())
            case Function(name="ln" | "log", arguments=(inner, *_)):
                poles.append(inner)
                sides.append(inner)
            case Function(name="root", arguments=(inner, degree)) if (whole := exact(degree)) is not None:
                sides.extend([inner] if whole % 2 == 0 else ())
            case Function(name=name, arguments=(inner,)) if name in _POLES:
                poles.append(Function(_POLES[name], (inner,)))
            case Function(name=name, arguments=(inner,)) if name in _TO_ONE:
                sides.append(Sum((_ONE, Product((_MINUS, inner, inner)))))
            case Function(name="acosh", arguments=(inner,)):
                sides.append(Sum((inner, _MINUS)))
    return _looked_at(poles), _looked_at(sides)


def _looked_at(found: list[Node]) -> list[Node]:
    with_letters = [part for part in dict.fromkeys(found) if parts(part, Symbol) and not parts(part, Bound)]
    return [part for part in with_letters if len(walk(part)) <= _LARGEST][:_MOST]


def _factors(node: Node) -> list[Node]:
    """The parts of a denominator of which none may vanish."""
    match node:
        case Product(factors=factors):
            return [part for factor in factors for part in _factors(factor)]
        case Power(base=base, exponent=exponent) if (power := exact(exponent)) is not None and power > 0:
            return _factors(base)
        case Function(name="abs" | "root", arguments=(inner, *_)):
            return _factors(inner)
    return [node]


def _places(poles: list[Node], starts: list[Point], names: list[str]) -> Iterator[Point]:
    """The places drawn, and those at which something that may not vanish does, each letter moved in turn."""
    for start in starts:
        for name in names:
            start.symbol(name)
    yield from starts
    for start in starts[:1]:
        for name in names[:3]:
            for pole in poles:
                if name not in {part.name for part in parts(pole, Symbol)}:
                    continue
                for value in vanishing(pole, name, start):
                    place = start.fresh()
                    place.given = {**start.given, name: value}
                    yield place


def _fails(poles: list[Node], sides: list[Node], place: Point) -> bool:
    return any(_size(pole, place) == 0 for pole in poles) or any(
        (side := _size(each, place)) is None or side < 0 for each in sides
    )


def _size(node: Node, place: Point) -> Value | None:
    """A real value, zero where it is none but for the place's rounding; None where there is none."""
    ctx = context()
    try:
        value = evaluate(node, place)
    except (UndefinedError, UnsupportedError):
        return None
    if ctx.im(value):
        return None
    return ctx.zero if abs(value) < _NEAR else ctx.re(value)
