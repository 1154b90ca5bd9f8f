"""Where expressions are evaluated: the arithmetic, the values of symbols, the errors."""

import hashlib
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeVar, cast

import mpmath

from grading.language.tree import Bound, Call, Indexed, Node, Symbol
from grading.language.walking import children, kept

DIGITS = 40
MAX_STEPS = 20_000
MAX_WORK = 45_000
"""Steps that one answer may take in all, at all points together."""
LARGEST = 10**12
"""Bound on exponents and on the arguments of fast growing functions."""
_LOCAL = threading.local()

Value = Any
"""An `mpf` or `mpc` of the thread's context."""


class UndefinedError(ArithmeticError):
    """The expression has no finite value at the point."""


class UnsupportedError(ArithmeticError):
    """The expression cannot be evaluated within the bounds."""


def context() -> Any:
    """This thread's arithmetic with 40 digits."""
    try:
        return _LOCAL.context
    except AttributeError:
        _LOCAL.context = mpmath.mp.clone()
        _LOCAL.context.dps = DIGITS
        return _LOCAL.context


@lru_cache(maxsize=4096)
def rational(numerator: int, denominator: int, precision: int) -> Any:
    """A rational number in the context's `precision` (bits), as its `make_mpf` takes it."""
    del precision
    return (context().mpf(numerator) / denominator)._mpf_


def bits(value: Value) -> int | None:
    """The number of bits before the point of a real value; None of zero, of infinity and of complex values."""
    real = getattr(value, "_mpf_", None)
    return int(real[2] + real[3]) if real is not None and real[1] else None


def ten_to(power: int) -> Value:
    """A power of ten."""
    ctx = context()
    return ctx.make_mpf(_ten_to(power, ctx.prec))


@lru_cache(maxsize=1024)
def _ten_to(power: int, precision: int) -> Any:
    del precision
    return (context().mpf(10) ** power)._mpf_


@lru_cache(maxsize=4096)
def _drawn(seed: str, name: str, low: float, high: float, sort: str, precision: int) -> Any:
    """The value of a symbol at the point of a seed, as `rational`: `sort` is `integer`, `positive` or empty."""
    drawn, size = _share(seed, name, low, high, sort)
    return rational(drawn, size, precision)


def _share(seed: str, name: str, low: float, high: float, sort: str) -> tuple[int, int]:
    """Numerator and denominator, which need not be reduced: all of them are powers of two."""
    share = int.from_bytes(hashlib.sha256(f"{seed}|{name}".encode()).digest()[:4])
    if sort == "integer":
        return 2 + (share * 7 >> 32), 1
    (first, under), (last, size) = low.as_integer_ratio(), high.as_integer_ratio()
    first, last, under = first * size, last * under, under * size
    drawn = (first << 32) + share * (last - first)
    return (abs(drawn) if sort == "positive" else drawn), under << 32


class Point:
    """Values of symbols, drawn from a seed and a symbol's name, so that both sides of a comparison see the same.

    `low` and `high` bound the real values; `integers` are names that take small positive integers, `positives` names
    whose values are taken without their sign; `given` overrides. `axis` (0 to 2) is the
    component that vectors are looked at in. `spread` is by how many powers of ten terms that were added differ.
    """

    __slots__ = (
        *("seed", "low", "high", "integers", "given", "real_roots", "positives"),
        *("underflow", "steps", "spread", "axis"),
    )

    def __init__(
        self,
        seed: str,
        low: float,
        high: float,
        integers: frozenset[str] = frozenset(),
        given: dict[str, Value] | None = None,
        real_roots: bool = True,
        positives: frozenset[str] = frozenset(),
    ) -> None:
        self.seed = seed
        self.low, self.high = low, high
        self.integers = integers
        self.given = dict(given) if given else {}
        self.real_roots = real_roots
        self.positives = positives
        self.underflow = False
        self.steps = 0
        self.spread = 0
        self.axis = 0

    def symbol(self, name: str) -> Value:
        """The value of a symbol; of a vector's name, its component along the axis that is looked at."""
        if self.axis and name.startswith(("vec:", "hat:")):
            name = f"{name}@{self.axis}"
        value = self.given.get(name)
        if value is None:
            sort = "integer" if name in self.integers else "positive" if name in self.positives else ""
            ctx = context()
            value = self.given[name] = ctx.make_mpf(_drawn(self.seed, name, self.low, self.high, sort, ctx.prec))
        return value

    def notice(self, large: Value, small: Value) -> None:
        """Keep the largest ratio of what was added; `small` may be nothing beside `large`, but is not zero."""
        ctx = context()
        self.spread = max(self.spread, int(ctx.mag(large) - ctx.mag(small)) * 3 // 10)

    def call(self, name: str, arguments: list[Value]) -> Value:
        """The value of an unknown function: the same for the same arguments, unrelated for others."""
        spelt = ";".join(context().nstr(argument, 15) for argument in arguments)
        return self.symbol(f"{name}({spelt})")

    def fresh(self) -> "Point":
        """The same point with nothing evaluated at it yet."""
        return Point(self.seed, self.low, self.high, self.integers, None, self.real_roots, self.positives)

    def key(self) -> tuple[object, ...]:
        """What tells the points of a comparison apart."""
        return self.seed, self.low, self.high, self.integers, self.positives, self.real_roots


@kept
def _varies(node: Node) -> bool:
    """Whether a tree's value depends on the point: whether a letter in it is bound by nothing."""
    return _has_free(node, frozenset())


def _has_free(node: Node, bound: frozenset[str]) -> bool:
    if isinstance(node, Call | Indexed):
        return True
    if isinstance(node, Symbol):
        return node.name not in bound
    if isinstance(node, Bound) and node.kind != "derivative":
        ends = (end for end in (node.lower, node.upper) if end is not None)
        return _has_free(node.body, bound | {node.variable}) or any(_has_free(end, bound) for end in ends)
    return any(_has_free(part, bound) for part in children(node))


_Compared = TypeVar("_Compared")
_Values = dict[tuple[object, ...], "Value | ArithmeticError"]


@dataclass(slots=True)
class Work:
    """Values of one answer by part and point, each found once, and what they took.

    `points` counts evaluations of a part at a point, `steps` the nodes evaluated; past MAX_WORK steps nothing more is
    evaluated.
    """

    points: int = 0
    steps: int = 0
    spread: int = 0
    """The largest spread at any of the points."""
    _known: dict[Node, _Values] = field(default_factory=dict)
    _seen: dict[int, tuple[Node, _Values]] = field(default_factory=dict)
    """The same by the tree's identity: a tree is hashed once."""
    _compared: dict[tuple[Node, Node], object] = field(default_factory=dict)

    def once(self, gold: Node, given: Node, compared: Callable[[], _Compared]) -> _Compared:
        """What a comparison of two trees gives, made once however often the two are held against one another."""
        if (gold, given) not in self._compared:
            self._compared[gold, given] = compared()
        return cast(_Compared, self._compared[gold, given])

    def value(self, node: Node, point: Point, evaluate: Callable[[Node, Point], Value]) -> Value:
        """The value of a part of the answer at a point as drawn. Raises UndefinedError or UnsupportedError."""
        key = point.key() if _varies(node) else ("constant", point.real_roots)
        values = self._values(node)
        if key not in values:
            values[key] = self._evaluated(node, point, evaluate)
        found = values[key]
        if isinstance(found, ArithmeticError):
            raise found
        return found

    def at(self, node: Node, point: Point, evaluate: Callable[[Node, Point], Value]) -> Value | None:
        """The value of a part of the answer at a place that the comparison chose; None where it has none there.

        Not kept, and no error: what cannot be evaluated only there would tell what the gold is.
        """
        if not _varies(node):
            digits = context().dps
            key: tuple[object, ...] = ("constant", point.real_roots)
            key, values = (key if digits == DIGITS else (*key, digits)), self._values(node)
            if key not in values:
                values[key] = self._evaluated(node, point.fresh(), evaluate)
            constant = values[key]
            return None if isinstance(constant, ArithmeticError) else constant
        before, point.steps, spread = point.steps, 0, self.spread
        found = self._evaluated(node, point, evaluate)
        # Far out terms of every size meet: only the points as drawn tell what an answer adds to what.
        point.steps, self.spread = before, spread
        return None if isinstance(found, ArithmeticError) else found

    def _values(self, node: Node) -> _Values:
        seen = self._seen.get(id(node))
        if seen is None:
            seen = self._seen[id(node)] = node, self._known.setdefault(node, {})
        return seen[1]

    def _evaluated(self, node: Node, point: Point, evaluate: Callable[[Node, Point], Value]) -> Value | ArithmeticError:
        if self.steps >= MAX_WORK:
            return UnsupportedError("too many steps for one answer")
        self.points += 1
        try:
            return evaluate(node, point)
        except (UndefinedError, UnsupportedError) as error:
            return error
        finally:
            self.steps += point.steps
            self.spread = max(self.spread, point.spread)
