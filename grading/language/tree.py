"""The typed tree an answer is read into. Nodes are frozen, hashable and compare by structure."""

from dataclasses import dataclass, field
from fractions import Fraction

from grading.language.units import Unit


@dataclass(frozen=True)
class Node:
    """Any part of a read answer. Its slots keep what was found out about the tree (`walking`)."""

    __slots__ = ("below", "facts", "sorted")


@dataclass(frozen=True, slots=True)
class Number(Node):
    """An exact rational as written. `places` counts decimal places of a decimal literal, None for an integer;
    `digits` its significant digits."""

    value: Fraction
    places: int | None = field(default=None, compare=False)
    digits: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Symbol(Node):
    """A variable by its canonical name, for example `x`, `k_B`, `hat:x`."""

    name: str


@dataclass(frozen=True, slots=True)
class Constant(Node):
    """`pi`, `e`, `i` or `inf`."""

    name: str


@dataclass(frozen=True, slots=True)
class Sum(Node):
    """Terms added together."""

    terms: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Product(Node):
    """Factors multiplied in order."""

    factors: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Quotient(Node):
    """`over / under`."""

    over: Node
    under: Node


@dataclass(frozen=True, slots=True)
class Power(Node):
    """`base ** exponent`."""

    base: Node
    exponent: Node


@dataclass(frozen=True, slots=True)
class Function(Node):
    """A known function applied, for example `sin`, `log` (base second), `binomial`, `root`."""

    name: str
    arguments: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Call(Node):
    """An unknown name before a bracket: `f(x, y)`; with one argument it may also mean a product."""

    name: str
    arguments: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Indexed(Node):
    """A name with a subscript that holds a free letter: `a_n`, `x_{k+1}`."""

    name: str
    index: Node


@dataclass(frozen=True, slots=True)
class Bound(Node):
    """`sum`, `product`, `integral` or `limit` of `body` over `variable` from `lower` to `upper`.

    Of a limit `lower` is the target, and `upper` the side (1 or -1) that it is taken from, where one is stated.
    """

    kind: str
    body: Node
    variable: str
    lower: Node | None
    upper: Node | None


@dataclass(frozen=True, slots=True)
class PlusMinus(Node):
    """`±term` (or `∓`, `flipped`)."""

    term: Node
    flipped: bool = False


@dataclass(frozen=True, slots=True)
class Ellipsis(Node):
    """Dots that stand for the terms between."""


@dataclass(frozen=True, slots=True)
class Quantity(Node):
    """A number with a unit. `counted` holds words after it that are no unit (`apples` in `3 apples`)."""

    value: Node
    unit: Unit
    counted: str = ""


@dataclass(frozen=True, slots=True)
class Order(Node):
    """`O(f)`, `o(f)`, `Theta(f)`."""

    letter: str
    argument: Node


@dataclass(frozen=True, slots=True)
class Relation(Node):
    """A chain `a < b <= c`; `operators[k]` stands between operands k and k+1."""

    operands: tuple[Node, ...]
    operators: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Interval(Node):
    """An interval whose ends are closed or open."""

    lower: Node
    upper: Node
    lower_closed: bool
    upper_closed: bool


@dataclass(frozen=True, slots=True)
class SetOf(Node):
    """`{a, b, c}`."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Builder(Node):
    """`{term | condition}`."""

    term: Node
    conditions: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class NamedSet(Node):
    """`R`, `Q`, `Z`, `N`, `C` or `empty`."""

    name: str


@dataclass(frozen=True, slots=True)
class SetOperation(Node):
    """`union`, `intersection`, `difference`, `plus` (direct sum) or `free` (free product) of two or more sets."""

    operation: str
    operands: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Tuple(Node):
    """`(a, b)`, `[a, b]` or `<a, b>` by its `bracket` pair."""

    items: tuple[Node, ...]
    bracket: str = "()"


@dataclass(frozen=True, slots=True)
class Listing(Node):
    """Answers separated by commas, semicolons, "and" or "or"; `joiner` is `,`, `and` or `or`."""

    items: tuple[Node, ...]
    joiner: str = ","


@dataclass(frozen=True, slots=True)
class Restated(Node):
    """The same said again in other forms (`y - 1 = 2x, i.e. y = 2x + 1`); the last one is the answer."""

    forms: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Matrix(Node):
    """Rows of entries."""

    rows: tuple[tuple[Node, ...], ...]


@dataclass(frozen=True, slots=True)
class Piecewise(Node):
    """Branches `(value, condition)`; the condition None is "otherwise"."""

    branches: tuple[tuple[Node, Node | None], ...]


@dataclass(frozen=True, slots=True)
class Ratio(Node):
    """`a : b : c`."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Text(Node):
    """Words: case folded, punctuation and articles dropped."""

    words: str
