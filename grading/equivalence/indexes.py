"""Sets of whole numbers that a letter of an answer runs through: `k in Z`, `n >= 1`, `n = 0, 1, 2, ...`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from grading.language.tree import (
    Builder,
    Ellipsis,
    NamedSet,
    Node,
    Number,
    PlusMinus,
    Product,
    Relation,
    SetOf,
    SetOperation,
    Sum,
    Symbol,
)

_KINDS = {
    "integer": (None, False),
    "natural number": (1, True),
    "natural": (1, True),
    "positive integer": (1, False),
    "nonnegative integer": (0, False),
    "non negative integer": (0, False),
    "whole number": (0, False),
    "counting number": (1, False),
}
_OTHERS = ("real", "real number", "rational", "rational number", "complex", "complex number", "real constant")
_LETTERS = r"([A-Za-z](?:_\w)?(?:\s*(?:,|and)\s*[A-Za-z](?:_\w)?)*)"
_KIND = r"((?:all |any |every |each |some |an? |arbitrary |non ?zero |even |odd |negative )*)({})s?"
_NAMED = re.compile(_KIND.format("|".join(sorted((*_KINDS, *_OTHERS), key=len, reverse=True))))
_AFTER = re.compile(rf"{_LETTERS} (?:(?:is|are|be|being) )?{_NAMED.pattern}")
_BEFORE = re.compile(rf"{_NAMED.pattern} {_LETTERS}")


@dataclass(frozen=True, slots=True)
class Index:
    """`step * m + offset` for whole m, between `low` and `high`. `other` names a set that is no set of integers.

    `either` tells of the natural numbers that nobody said whether zero is one of them.
    """

    low: int | None = None
    high: int | None = None
    step: int = 1
    offset: int = 0
    without: frozenset[int] = frozenset()
    either: bool = False
    other: str = ""

    def readings(self) -> list["Index"]:
        """The sets that may be meant."""
        if not self.either:
            return [self]
        return [replace(self, low=low, either=False) for low in (1, 0)]

    def members(self, reach: int) -> Iterator[int]:
        """Members up to `reach` steps from zero, in rising order."""
        first, last = -reach, reach
        if self.low is not None:
            first = max(first, -((self.offset - self.low) // self.step))
        if self.high is not None:
            last = min(last, (self.high - self.offset) // self.step)
        for count in range(first, last + 1):
            member = self.step * count + self.offset
            if member not in self.without:
                yield member

    def met(self, other: "Index") -> "Index":
        """What both allow, where one of them is a plain range."""
        lows = [low for low in (self.low, other.low) if low is not None]
        highs = [high for high in (self.high, other.high) if high is not None]
        base = self if self.step != 1 or self.other else other
        return replace(
            base,
            low=max(lows) if lows else None,
            high=min(highs) if highs else None,
            without=self.without | other.without,
            either=(self.either and other.low is None) or (other.either and self.low is None),
        )


INTEGERS = Index()


def index_of(node: Node) -> Index | None:
    """The index set that a tree names; None of what is no set of numbers."""
    match node:
        case NamedSet(name=name):
            return _named(name)
        case Symbol(name=name):
            return _dressed(name)
        case Product(factors=(Number(value=step), inner)) if step.denominator == 1 and step > 0:
            base = index_of(inner)
            return replace(base, step=int(step)) if base is not None and base == INTEGERS else None
        case SetOperation(operation="difference", operands=(left, SetOf(items=items))):
            base, dropped = index_of(left), [_whole(item) for item in items]
            if base is None or None in dropped:
                return None
            return replace(base, without=frozenset(value for value in dropped if value is not None))
        case SetOf(items=items):
            return listed(list(items))
        case Sum(terms=terms):
            return _moved(list(terms))
        case Builder():
            return _described(node)
    return None


def _moved(terms: list[Node]) -> Index | None:
    """`3 Z + 1`, `Z - {0}`."""
    if len(terms) != 2:
        return None
    first, second = terms if _whole(terms[0]) is None else terms[::-1]
    base, shift = index_of(first), _whole(second)
    if base is None or base.other:
        return None
    if shift is not None and base == Index(step=base.step):
        return replace(base, offset=shift % base.step)
    match second:
        case Product(factors=(Number(value=sign), SetOf() as taken)) if sign == -1:
            return index_of(SetOperation("difference", (first, taken)))
    return None


def _described(node: Builder) -> Index | None:
    """`{n in Z | n != 0}`, `{n | n = 1 mod 3}`."""
    stated = [part for part in (node.term, *node.conditions) if isinstance(part, Relation)]
    term = node.term.operands[0] if isinstance(node.term, Relation) else node.term
    if not isinstance(term, Symbol) or len(stated) < len(node.conditions):
        return None
    found: Index | None = None
    for part in stated:
        index = _of_relation(part, term)
        if index is None:
            return None
        found = index if found is None else found.met(index)
    whole = any(part.operators == ("in",) for part in stated)
    return found if whole else None


def _of_relation(part: Relation, letter: Symbol) -> Index | None:
    if len(part.operands) == 3 and part.operands[1] == letter:
        low, high = (_whole(part.operands[place]) for place in (0, 2))
        if low is None or high is None or not set(part.operators) <= {"<", "<="}:
            return None
        return Index(low=low + (part.operators[0] == "<"), high=high - (part.operators[1] == "<"))
    if len(part.operands) != 2 or part.operands[0] != letter:
        return None
    target = part.operands[1]
    if part.operators != ("in",):
        bound = _whole(target)
        return between(part.operators[0], bound) if bound is not None else None
    if isinstance(target, Builder) and isinstance(target.term, Sum):
        # A congruence: `rest + modulus * k`.
        rest, multiple = target.term.terms
        modulus = _whole(multiple.factors[0]) if isinstance(multiple, Product) else None
        start = _whole(rest)
        return Index(step=modulus, offset=start % modulus) if modulus and modulus > 0 and start is not None else None
    return index_of(target)


def _named(name: str) -> Index | None:
    if name == "Z":
        return INTEGERS
    if name == "N":
        return Index(low=1, either=True)
    return Index(other=name) if name in ("R", "Q", "C") else None


def _dressed(name: str) -> Index | None:
    """`bb:Z^+`, `bb:N_0`, `bb:Z_>=0`, and the plain capital letters of the sets."""
    if name in ("Z", "N", "R", "Q", "C"):
        return _named(name)
    base, mark, sign = name[3:4], name[4:5], name[5:]
    found = _named(base) if name.startswith("bb:") and mark else None
    if found is None or found.other:
        return found
    if sign in ("+", ">0", ">=1"):
        return Index(low=1)
    if sign in ("0", ">=0", "0+", "+0") or (base == "N" and sign == "0"):
        return Index(low=0)
    if sign == "*":
        return Index(low=1) if base == "N" else Index(without=frozenset({0}))
    if sign in ("-", "<0"):
        return Index(high=-1)
    bound = re.fullmatch(r"(>=?|<=?)(\d{1,4})", sign)
    return between(bound[1], int(bound[2])) if bound is not None else None


def between(sign: str, bound: int) -> Index | None:
    """Whole numbers on one side of a bound."""
    sides = {
        ">=": Index(low=bound),
        ">": Index(low=bound + 1),
        "<=": Index(high=bound),
        "<": Index(high=bound - 1),
        "!=": Index(without=frozenset({bound})),
    }
    return sides.get(sign)


def _whole(node: Node) -> int | None:
    return int(node.value) if isinstance(node, Number) and node.value.denominator == 1 else None


def listed(items: list[Node]) -> Index | None:
    """`0, 1, 2, ...`, `0, ±1, ±2, ...`, `..., -1, 0, 1, ...`, `1, 2, 3` and `1, ..., n` in numbers."""
    signed = [item.term for item in items if isinstance(item, PlusMinus)]
    dots = [place for place, item in enumerate(items) if isinstance(item, Ellipsis)]
    known = [_whole(item) for item in items if not isinstance(item, Ellipsis | PlusMinus)]
    values = [value for value in known if value is not None]
    if len(values) != len(known) or len(dots) > 2:
        return None
    if signed:
        reached = [_whole(item) for item in signed]
        rising = reached == list(range(1, len(reached) + 1)) and dots == [len(items) - 1]
        return INTEGERS if rising and values == [0] else replace(INTEGERS, without=frozenset({0})) if rising else None
    if not values:
        return None
    return _progression(values, dots, len(items))


def _progression(values: list[int], dots: list[int], size: int) -> Index | None:
    steps = {b - a for a, b in pairwise(values)}
    if dots in ([size - 1], [0], [0, size - 1]):
        if len(steps) > 1 or (len(values) == 1 and dots != [size - 1]) or (steps and min(steps) <= 0):
            return None
        step = steps.pop() if steps else 1
        low = values[0] if dots == [size - 1] else None
        high = values[-1] if dots == [0] else None
        return Index(low=low, high=high, step=step, offset=values[0] % step)
    if len(dots) == 1 and len(values) > 1:
        return Index(low=values[0], high=values[-1])
    if not dots and steps <= {1}:
        return Index(low=values[0], high=values[-1])
    return None


def declared_in_words(text: str) -> dict[str, Index] | None:
    """Letters that words declare (`k is an integer`, `for all positive integers n`); None where words say else."""
    words = re.sub(r"\\(?:text|mathrm|mathbb|left|right|quad|qquad|[,;:! ])|[{}$()\[\].]", " ", text).replace("-", " ")
    words = " ".join(words.split())
    words = re.sub(r"^(?:for|where|with|if|when|such that|provided(?: that)?|as|and|,)\s+", "", words)
    after, before = _AFTER.fullmatch(words), _BEFORE.fullmatch(words)
    if after is not None:
        letters, adjectives, kind = after.groups()
    elif before is not None:
        adjectives, kind, letters = before.groups()
    else:
        return None
    found = _of_kind(adjectives, kind)
    names = re.findall(r"[A-Za-z](?:_\w)?", re.sub(r"\band\b", " ", letters))
    return dict.fromkeys(names, found) if found is not None else None


def _of_kind(adjectives: str, kind: str) -> Index | None:
    if kind in _OTHERS:
        return Index(other={"rea": "R", "rat": "Q"}.get(kind[:3], "C"))
    low, either = _KINDS[kind]
    found = Index(low=low, either=either)
    if "even" in adjectives or "odd" in adjectives:
        found = replace(found, step=2, offset=1 if "odd" in adjectives else 0)
    if "zero" in adjectives:
        found = replace(found, without=frozenset({0}))
    if "negative" in adjectives:
        found = replace(found, high=-1)
    return found
