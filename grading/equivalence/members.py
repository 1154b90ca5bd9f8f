"""Compares collections: lists and sets without order, tuples and vectors in order, matrices entry by entry."""

from collections.abc import Callable
from fractions import Fraction

from grading.equivalence.definitions import definition_of
from grading.equivalence.exactly import exact
from grading.equivalence.expressions import symbols
from grading.equivalence.finding import Finding, Rules, all_equal, different, equal, unknown
from grading.equivalence.imaginary import is_j
from grading.equivalence.signs import has_sign, written_out
from grading.language.tree import (
    Function,
    Interval,
    Listing,
    Matrix,
    NamedSet,
    Node,
    Number,
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
    Tuple,
)
from grading.language.walking import is_wordy, kept

Same = Callable[[Node, Node, Rules], Finding]
_EMPTY = NamedSet("empty")
AXES = {
    **{f"{dress}:{letter}": axis for dress in ("hat", "vec") for letter, axis in zip("ijkxyz", "xyzxyz", strict=True)},
    **{f"{dress}:e_{axis}": axis for dress in ("hat", "vec") for axis in "xyz"},
}
_COORDINATES = ("xyz", "abcdef", "uvw", "pqr", "mn", "rst")
_MAX_PAIRS = 900
_MAX_SIDE = 40


@kept
def letters(node: Node) -> frozenset[str]:
    """The symbols that may be anything: all but unit vectors and the imaginary unit of engineers (`j`, `j4`)."""
    return frozenset(name for name in symbols(node) if name not in AXES and not is_j(name))


def members(node: Node) -> list[Node]:
    """The answers a node lists: parts of a list or set, values of `x = ...`, both values of a plus-minus."""
    if isinstance(node, Listing | SetOf):
        parts = [[item] if _is_member(item, node) else members(item) * _named(item) for item in node.items]
        return [part for each in parts for part in each]
    if isinstance(node, NamedSet) and node.name == "empty":
        return []
    if isinstance(node, SetOperation) and node.operation == "union":
        if all(isinstance(operand, SetOf | Listing) for operand in node.operands):
            return [part for operand in node.operands for part in members(operand)]
        return [node]
    if isinstance(node, Relation) and node.operators == ("in",) and isinstance(node.operands[1], SetOf):
        return members(node.operands[1])
    if isinstance(node, Ratio) and len(node.parts) == 2 and definition_of(Relation(node.parts, ("=",))) is not None:
        first = node.parts[0]
        if isinstance(first, Symbol) and is_wordy(first.name):
            return members(node.parts[1])
    defined = definition_of(node)
    if defined is not None and (
        isinstance(defined.value, SetOf) or not set(defined.arguments) & symbols(defined.value)
    ):
        return members(defined.value) if not isinstance(defined.value, Tuple) else written_out(defined.value)
    return written_out(node)


def _named(item: Node) -> int:
    """How many members `lambda_2 = lambda_3 = 4` or `lambda_{2,3} = 4` gives one value to: those that it names."""
    if not isinstance(item, Relation) or set(item.operators) != {"="} or has_sign(item):
        return 1
    names = [part.name.partition("_") for part in item.operands[:-1] if isinstance(part, Symbol)]
    indexes = [index for _, _, rest in names for index in rest.split(",")]
    named = len(names) == len(item.operands) - 1 and len({head for head, _, _ in names}) == 1
    return len({*indexes}) if named and all(index.isdigit() for index in indexes) else 1


def is_finite_set(node: Node) -> bool:
    """Whether a node is written as a finite set."""
    return isinstance(node, SetOf) or node == _EMPTY


def _is_member(item: Node, node: Listing | SetOf) -> bool:
    """Whether a set inside is itself a member: in a set, and in a list of several sets."""
    return is_finite_set(item) and (isinstance(node, SetOf) or len(node.items) > 1)


def is_collection(node: Node) -> bool:
    """Whether a node lists several answers, or none."""
    return isinstance(node, Listing | SetOf) or node == _EMPTY or len(members(node)) > 1


def compare_unordered(gold: list[Node], given: list[Node], rules: Rules, same: Same) -> Finding:
    """Every member of each side is a member of the other."""
    if len(gold) * len(given) > _MAX_PAIRS:
        return _compare_long(gold, given, rules, same)
    counted = _repeats(given) or "multiplicit" in rules.question
    if len(gold) != len(given) and counted and _repeats(gold):
        return different("the members are not given as many times")
    found_given: set[int] = set()
    doubt: Finding | None = None
    for expected in gold:
        matches = []
        for place, member in enumerate(given):
            if place in found_given and len(given) == len(gold):
                continue
            finding = same(expected, member, _at(rules, expected, gold))
            if finding.equal:
                matches.append(place)
                break
            doubt = finding if not finding.different else doubt
        if not matches:
            return doubt or different("a member of the reference is missing")
        found_given.update(matches)
    extra = [member for place, member in enumerate(given) if place not in found_given]
    return _extras(extra, gold, rules, same)


def _repeats(nodes: list[Node]) -> bool:
    return len({*nodes}) < len(nodes)


def _at(rules: Rules, expected: Node, gold: list[Node]) -> Rules:
    """The rules for one member: with one tolerance for each member, its own."""
    if len(rules.abs_tol) <= 1 or len(rules.abs_tol) != len(gold):
        return rules
    from dataclasses import replace

    return replace(rules, abs_tol=(rules.abs_tol[gold.index(expected)],))


def _extras(extra: list[Node], gold: list[Node], rules: Rules, same: Same) -> Finding:
    """Members given beyond the matched ones must repeat a member of the gold."""
    for member in extra:
        findings = [same(expected, member, rules) for expected in gold]
        if not any(finding.equal for finding in findings):
            doubts = [finding for finding in findings if not finding.different]
            return doubts[0] if doubts else different("a member is given that the reference does not have")
    return equal("the same members")


def _compare_long(gold: list[Node], given: list[Node], rules: Rules, same: Same) -> Finding:
    if set(gold) == set(given):
        return equal("the same members")
    if len(gold) != len(given):
        return different(f"{len(given)} members against {len(gold)}")
    return all_equal((same(a, b, rules) for a, b in zip(gold, given, strict=True)), "the same members in order")


def components(node: Node) -> list[Node] | None:
    """Entries of a tuple, a row or column, or a bare list with the names dropped."""
    match node:
        case Tuple(items=items):
            return list(items)
        case Interval(lower=lower, upper=upper):
            del lower, upper
            return None
        case Matrix(rows=rows) if len(rows) == 1 or all(len(row) == 1 for row in rows):
            return [entry for row in rows for entry in row]
        case Listing(items=items) | SetOf(items=items):
            return [_value(item) for item in _in_order(items)]
        case Sum() | Product() | Symbol():
            return _along_axes(node)
        case Quantity(value=value, unit=unit):
            entries = components(value)
            return None if entries is None else [Quantity(entry, unit) for entry in entries]
    defined = definition_of(node)
    return components(defined.value) if defined is not None and not defined.arguments else None


def _in_order(items: tuple[Node, ...]) -> tuple[Node, ...]:
    """`y = 2, x = 1` in the order of the coordinates that are named; any other list as it is written."""
    defined = [definition_of(item) for item in items]
    named = [item.name for item in defined if item is not None and not item.arguments]
    if len(named) != len(items) or len(set(named)) != len(named) or not _is_coordinates(named):
        return items
    pairs = sorted(zip(named, items, strict=True), key=lambda pair: _place_of(pair[0]))
    return tuple(item for _, item in pairs)


def _is_coordinates(names: list[str]) -> bool:
    """Whether names are coordinates of one point: `x, y, z`, `a, b, c`, `x_1, x_2`."""
    heads = {name.partition("_")[0] for name in names}
    if len(heads) == 1:
        return all(name.partition("_")[2].isdigit() for name in names)
    return any(set(names) == set(row[: len(names)]) for row in _COORDINATES)


def _place_of(name: str) -> tuple[str, int]:
    head, _, place = name.partition("_")
    return head, int(place or 0)


def _factors(node: Node) -> list[Node]:
    """Factors of a product, those of products inside it too."""
    return [part for factor in node.factors for part in _factors(factor)] if isinstance(node, Product) else [node]


def _along_axes(node: Node) -> list[Node] | None:
    """Components of `2 i + 3 j - k` in unit vectors (bold or with a hat); None for any other expression."""
    terms = node.terms if isinstance(node, Sum) else (node,)
    found: dict[str, list[Node]] = {}
    for term in terms:
        factors = tuple(_factors(term))
        axes = [factor.name for factor in factors if isinstance(factor, Symbol) and factor.name in AXES]
        if len(axes) != 1:
            return None
        rest = tuple(factor for factor in factors if factor != Symbol(axes[0]))
        found.setdefault(AXES[axes[0]], []).append(Product(rest) if rest else Number(Fraction(1)))
    size = 3 if "z" in found else 2
    return [Sum(tuple(found.get(axis, [Number(Fraction(0))]))) for axis in "xyz"[:size]]


def _value(node: Node) -> Node:
    defined = definition_of(node)
    return defined.value if defined is not None and not defined.arguments else node


def compare_ordered(gold: list[Node], given: list[Node], rules: Rules, same: Same) -> Finding:
    """Entry by entry."""
    if len(gold) != len(given):
        return different(f"{len(given)} entries against {len(gold)}")
    pairs = zip(gold, given, strict=True)
    return all_equal((same(a, b, rules) for a, b in pairs), "the same entries in order")


def as_matrix(node: Node) -> Matrix | None:
    """A matrix, worked out from sums, products and scalar factors of matrices; None where there is none."""
    match node:
        case Matrix():
            return node
        case Tuple(items=rows, bracket="[]") if rows and all(isinstance(row, Tuple) for row in rows):
            widths = {len(row.items) for row in rows if isinstance(row, Tuple)}
            return Matrix(tuple(row.items for row in rows if isinstance(row, Tuple))) if len(widths) == 1 else None
        case Function(name="diag", arguments=entries) if len(entries) <= _MAX_SIDE:
            zero = Number(Fraction(0))
            size = range(len(entries))
            return Matrix(tuple(tuple(entries[i] if i == j else zero for j in size) for i in size))
        case Product(factors=factors):
            return _product(factors)
        case Quantity(value=value, unit=unit):
            inner = as_matrix(value)
            return (
                None
                if inner is None
                else Matrix(tuple(tuple(Quantity(entry, unit) for entry in row) for row in inner.rows))
            )
        case Quotient(over=over, under=under):
            top = as_matrix(over)
            return None if top is None else _scaled(top, Power(under, Number(Fraction(-1))))
        case Sum(terms=terms):
            return _sum([as_matrix(term) for term in terms])
    return None


def rows_of(node: Node) -> Matrix | None:
    """`((1, 2), (3, 4))`, `{{1, 2}, {3, 4}}` as the matrix that they are beside a matrix."""
    if not isinstance(node, Tuple) or len(node.items) < 2 or not all(isinstance(row, Tuple) for row in node.items):
        return None
    rows = tuple(row.items for row in node.items if isinstance(row, Tuple))
    return Matrix(rows) if len({len(row) for row in rows}) == 1 else None


def _scaled(matrix: Matrix, scalar: Node) -> Matrix:
    return Matrix(tuple(tuple(_product_of(scalar, entry) for entry in row) for row in matrix.rows))


def _product_of(one: Node, other: Node) -> Node:
    """A product of entries, without letters where one of them is zero."""
    zero = exact(one) == 0 or exact(other) == 0
    return Number(Fraction(0)) if zero else Product((one, other))


def _product(factors: tuple[Node, ...]) -> Matrix | None:
    found: Matrix | None = None
    scalars: list[Node] = []
    for factor in factors:
        matrix = as_matrix(factor)
        if matrix is None:
            scalars.append(factor)
        elif found is None:
            found = matrix
        else:
            found = _times(found, matrix)
            if found is None:
                return None
    if found is None or not scalars:
        return found
    return _scaled(found, Product(tuple(scalars)))


def _times(left: Matrix, right: Matrix) -> Matrix | None:
    if len(left.rows[0]) != len(right.rows) or len(left.rows) * len(right.rows[0]) > _MAX_SIDE:
        return None
    columns = list(zip(*right.rows, strict=True))
    rows = [
        tuple(Sum(tuple(_product_of(a, b) for a, b in zip(row, column, strict=True))) for column in columns)
        for row in left.rows
    ]
    return Matrix(tuple(rows))


def _sum(parts: list[Matrix | None]) -> Matrix | None:
    matrices = [part for part in parts if part is not None]
    shapes = {(len(part.rows), len(part.rows[0])) for part in matrices}
    if len(matrices) != len(parts) or len(shapes) != 1:
        return None
    rows, columns = shapes.pop()
    return Matrix(tuple(tuple(Sum(tuple(m.rows[i][j] for m in matrices)) for j in range(columns)) for i in range(rows)))


def compare_matrices(gold: Matrix, given: Matrix, rules: Rules, same: Same) -> Finding:
    """Shape, then entries."""
    if [len(row) for row in gold.rows] != [len(row) for row in given.rows]:
        return different("the matrices have different shapes")
    pairs = ((a, b) for x, y in zip(gold.rows, given.rows, strict=True) for a, b in zip(x, y, strict=True))
    return all_equal((same(a, b, rules) for a, b in pairs), "the same entries")


__all__ = [
    "as_matrix",
    "compare_matrices",
    "compare_ordered",
    "compare_unordered",
    "components",
    "is_collection",
    "members",
    "unknown",
]
