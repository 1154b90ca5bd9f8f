"""Spans of vectors: `span{(1,-1,0),(1,0,-1)}` is each span of other vectors with the same reduced rows."""

import math
import re
from fractions import Fraction

from grading.equivalence import members
from grading.equivalence.definitions import value_of
from grading.equivalence.exactly import exact
from grading.equivalence.finding import Finding, different, equal, unknown
from grading.equivalence.flats import Rows, entrywise, flat_of, reduced
from grading.equivalence.signs import substituted
from grading.language.tree import (
    Builder,
    Call,
    Function,
    NamedSet,
    Node,
    Number,
    Product,
    Relation,
    SetOf,
    Sum,
    Symbol,
    Tuple,
)

_MOST = 12
_LONGEST = 200
_WEIGHTS = tuple(Fraction(1009 + 37 * place, 11 + place) for place in range(_MOST))
"""Of what is no combination in proportion, some such sum differs."""
_TUPLE = r"\([^()=:]{1,60}\)"
_SPANNED = re.compile(
    r"^\W*(?:it\s+is\s+|the\s+(?:null\s+|solution\s+|column\s+|row\s+)?(?:space|kernel|set|image|eigenspace)\s+"
    r"(?:is|consists\s+of)\s+)?(?:the\s+|all\s+(?:the\s+)?)?(?:(?:scalar\s+|real\s+)?multiples\s+of"
    r"|(?:line|plane|(?:sub)?space|set)\s+(?:through\s+the\s+origin\s+)?spanned\s+by|(?:linear\s+)?span\s+of|(?:spanned|generated)\s+by"
    r"|linear\s+combinations\s+of)\s+(?:the\s+vectors?\s+)?"
    rf"\$?(?P<vectors>{_TUPLE}(?:\$?(?:,|\s+and|,\s+and)\s+\$?{_TUPLE})*)\$?[\s.]*$",
    re.IGNORECASE,
)
"""`all multiples of (1, -2)`"""
_LINE = re.compile(
    r"^\W*?(?:(?:it\s+is\s+)?the\s+line\s+|\{\s*\(x,\s*y\)\s*(?:[:|]|\\mid)\s*)?\$?y\s*=\s*(?P<slope>[-−]?\s?(?:\d+(?:/\d+)?)?)\s*x(?:\s*\\?\}|\s+through\s+the\s+origin)?[\s.$]*$"
)
"""`the line y = -2x`, which goes through the origin"""
_SLOPES = {"": "1", "-": "-1", "−": "-1"}
_FREE = re.compile(
    r"^\W*?(?:(?:all|the)\s+(?:vectors|points)\s+(?:of\s+the\s+form\s+)?)?\$?(?P<term>[^$:=]{0,60}\([^()=:]{1,60}\)[^$:=]{0,40}?)\$?\s*"
    r"(?:,|,?\s+(?:for|with|where))\s*(?:all\s+|any\s+|every\s+)?\$?(?P<names>[a-z](?:\s*,\s*[a-z]){0,3})\s*"
    r"(?:(?:∈|\\in)\s*(?:ℝ|\\mathbb\s*\{?\s*R\s*\}?)|(?:any\s+|are\s+|is\s+)?(?:real|free)(?:\s+numbers?)?)[\s.$]*$",
    re.IGNORECASE,
)
"""`(t, -2t) for t ∈ ℝ`"""


def as_span(text: str, gold: str) -> str:
    """`all multiples of (1, -2)`, `(t, -2t), t ∈ ℝ` as the set, beside a span; other texts as they are."""
    if "span" not in gold or len(text) > _LONGEST:
        return text
    spanned = _SPANNED.match(text)
    if spanned is not None:
        vectors = ", ".join(re.findall(_TUPLE, spanned["vectors"]))
        return f"\\operatorname{{span}}\\{{{vectors}\\}}"
    line = _LINE.match(text)
    if line is not None:
        return f"\\operatorname{{span}}\\{{(1, {_SLOPES.get(line['slope'].strip(), line['slope'])})\\}}"
    free = _FREE.match(text)
    return f"\\{{{free['term']} \\mid {free['names']} \\in \\mathbb{{R}}\\}}" if free is not None else text


def compare_span(gold: Node, given: Node) -> Finding | None:
    """Two spans by their reduced rows; None where neither is one."""
    sides = value_of(gold), value_of(_end_of_spans(given))
    if not any(isinstance(side, Function) and side.name == "span" for side in sides):
        return None
    vectors = [_vectors(side) for side in sides]
    size = max((len(members.components(vector) or ()) for side in vectors for vector in side or ()), default=0)
    vectors = [
        _spanning(node, size) if side is None else side for side, node in zip(vectors, (gold, given), strict=True)
    ]
    if vectors[0] is None or vectors[1] is None:
        return different("only one of the two is a span")
    ours, theirs = (_rows(each) for each in vectors if each is not None)
    if ours is None:
        return unknown("a span of vectors that are not of rational numbers")
    if theirs is None:
        return different("a span of other vectors than those of rational numbers")
    return equal("the same span") if reduced(ours) == reduced(theirs) else different("another span")


def _end_of_spans(node: Node) -> Node:
    """The last of equal sets of vectors, `{s u + t v : s, t in R} = span{u, v}`; other nodes as they are."""
    if not isinstance(node, Relation) or set(node.operators) != {"="}:
        return node
    known = [_vectors(side) for side in node.operands]
    rows = [_rows(vectors) for vectors in known if vectors is not None]
    if len(rows) < len(known):
        return node
    same = all(each is not None and reduced(each) == reduced(rows[-1] or []) for each in rows)
    return node.operands[-1] if same else node


def _vectors(node: Node) -> tuple[Node, ...] | None:
    """The vectors between the brackets of a span; None of any other node."""
    if isinstance(node, Builder):
        return _family(node)
    if not isinstance(node, Function) or node.name != "span":
        return None
    found = node.arguments
    if len(found) == 1 and isinstance(found[0], SetOf):
        found = found[0].items
    numbers = all(isinstance(each, Number) or exact(each) is not None for each in found)
    return (Tuple(found, "()"),) if numbers and found else found


def _spanning(node: Node, size: int) -> tuple[Node, ...] | None:
    """The directions of what goes through the origin: the solutions of `x + y + z = 0`, the multiples of a vector."""
    flat = flat_of(node, size)
    if flat is None or any(flat.point):
        return None
    return tuple(Tuple(tuple(Number(entry) for entry in row), "()") for row in flat.directions)


def _family(node: Builder) -> tuple[Node, ...] | None:
    """The vectors of which `{(t, -2t) : t in R}` is all combinations; None of any other set."""
    declared: list[str] = []
    for condition in node.conditions:
        head = condition
        if isinstance(condition, Relation):
            if condition.operators != ("in",) or condition.operands[1] != NamedSet("R"):
                return None
            head = condition.operands[0]
        if not isinstance(head, Symbol):
            return None
        declared.append(head.name)
    if members.components(node.term) is None and (term := entrywise([node.term], frozenset(declared))) is not None:
        node = Builder(term[0], node.conditions)
    ends = isinstance(node.conditions[-1], Relation) if node.conditions else False
    if not ends or not 0 < len(set(declared)) == len(declared) <= _MOST:
        return None
    found = [_at(node.term, {other: Fraction(name == other) for other in declared}) for name in declared]
    vectors = [each for each in found if each is not None]
    zero = _at(node.term, dict.fromkeys(declared, Fraction(0)))
    if zero is None or any(zero) or len(vectors) < len(declared):
        return None
    for weights in (_WEIGHTS, _WEIGHTS[::-1]):
        mixed = [
            sum((weight * entry for weight, entry in zip(weights, column, strict=False)), Fraction(0))
            for column in zip(*vectors, strict=True)
        ]
        if _at(node.term, dict(zip(declared, weights, strict=False))) != mixed:
            return None
    return tuple(Tuple(tuple(Number(entry) for entry in vector), "()") for vector in vectors)


def _at(term: Node, values: dict[str, Fraction]) -> list[Fraction] | None:
    """The vector that a term is for such values of its letters; None where it is no vector of rational numbers."""
    match term:
        case Sum(terms=terms):
            found = [_at(each, values) for each in terms]
            rows = [each for each in found if each is not None]
            if len(rows) < len(found) or len({len(row) for row in rows}) != 1:
                return None
            return [sum(entries, Fraction(0)) for entries in zip(*rows, strict=True)]
        case Call(name=name, arguments=entries) if name in values and len(entries) > 1:
            inner = _at(Tuple(entries, "()"), values)
            return None if inner is None else [values[name] * entry for entry in inner]
        case Product(factors=factors):
            scalars = [_scalar(each, values) for each in factors]
            others = [_at(each, values) for each, scalar in zip(factors, scalars, strict=True) if scalar is None]
            vector = others[0] if len(others) == 1 else None
            scale = math.prod(each for each in scalars if each is not None)
            return None if vector is None else [scale * entry for entry in vector]
    numbers = [_scalar(entry, values) for entry in members.components(term) or ()]
    return [entry for entry in numbers if entry is not None] if numbers and None not in numbers else None


def _scalar(node: Node, values: dict[str, Fraction]) -> Fraction | None:
    for name, value in values.items():
        node = substituted(node, name, Number(value))
    return exact(node)


def _rows(vectors: tuple[Node, ...]) -> Rows | None:
    rows = []
    if any(members.components(vector) is None for vector in vectors):
        vectors = tuple(entrywise(vectors) or vectors)
    for vector in vectors:
        entries = [exact(entry) for entry in members.components(vector) or ()]
        if not entries or None in entries or max(len(entries), len(vectors)) > _MOST:
            return None
        rows.append([entry for entry in entries if entry is not None])
    return rows if len({len(row) for row in rows}) == 1 else None
