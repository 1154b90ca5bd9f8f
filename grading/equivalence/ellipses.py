"""Sums and products with dots, written as sums and products over an index."""

from fractions import Fraction

from grading.equivalence.endless import is_endless, summed_for_ever
from grading.equivalence.signs import rewrite
from grading.language.tree import Bound, Ellipsis, Indexed, Node, Number, Power, Product, Quotient, Sum, Symbol
from grading.language.walking import parts

_INDEX = "dots"


def dots_summed(node: Node) -> Node:
    """The tree with `a_1 + a_2 + ... + a_n` and `b_1 b_2 ... b_n` made sums and products over an index."""
    if not parts(node, Ellipsis):
        return node
    return rewrite(node, _rule)  # type: ignore[no-any-return]


def _rule(part: Node) -> Node:
    if isinstance(part, Sum) and is_endless(part):
        return summed_for_ever(part.terms[:-1]) or part
    if isinstance(part, Sum):
        return _expanded(part, part.terms, "sum")
    if isinstance(part, Product):
        return _expanded(part, part.factors, "product")
    return part


def _expanded(part: Node, items: tuple[Node, ...], kind: str) -> Node:
    """The run of items about the dots as one bound operator; the part itself where no rule is seen."""
    places = [place for place, item in enumerate(items) if isinstance(item, Ellipsis)]
    if len(places) != 1 or not 0 < places[0] < len(items) - 1:
        return part
    place = places[0]
    for start in range(place):
        before, after = list(items[start:place]), items[place + 1]
        bound = _bound(before, after, kind) or _bound([after], before[0], kind, list(reversed(before)))
        if bound is not None:
            kept = (*items[:start], bound, *items[place + 2 :])
            return kept[0] if len(kept) == 1 else type(part)(kept)  # type: ignore[call-arg]
    return part


def _bound(low: list[Node], last: Node, kind: str, more: list[Node] | None = None) -> Bound | None:
    """The operator whose last item is `last` in a letter and whose first items are `low`."""
    for letter in sorted(_letters(last)):
        body = _with_index(last, letter)
        for first in (0, 1, 2):
            if all(_at(body, first + step) == _normal(item) for step, item in enumerate(low)):
                rising = more is None or all(
                    _at_letter(body, letter, step) == _normal(item) for step, item in enumerate(reversed(more))
                )
                if rising:
                    return Bound(kind, body, _INDEX, Number(Fraction(first)), Symbol(letter))
    return None


def _at_letter(body: Node, letter: str, back: int) -> Node:
    """The item `back` places before the last one."""
    if back == 0:
        return _normal(_replaced(body, Symbol(letter)))
    return _normal(_replaced(body, Sum((Symbol(letter), Number(Fraction(-back))))))


def _letters(node: Node) -> set[str]:
    """Letters that could count: a subscript, or a symbol that stands alone."""
    found = set()
    for part in parts(node, Symbol):
        tail = part.name.rpartition("_")[2]
        if len(tail) == 1 and tail.isalpha():
            found.add(tail)
    return found


def _with_index(node: Node, letter: str) -> Node:
    def rule(part: Node) -> Node:
        if isinstance(part, Symbol):
            head, _, tail = part.name.rpartition("_")
            if tail == letter:
                return Indexed(head, Symbol(_INDEX)) if head else Symbol(_INDEX)
        return part

    return rewrite(node, rule)  # type: ignore[no-any-return]


def _replaced(body: Node, value: Node) -> Node:
    def rule(part: Node) -> Node:
        return value if part == Symbol(_INDEX) else part

    return rewrite(body, rule)  # type: ignore[no-any-return]


def _at(body: Node, number: int) -> Node:
    return _normal(_replaced(body, Number(Fraction(number))))


def _normal(node: Node) -> Node:
    """`a_3`, `x^1` and numbers in one spelling."""

    def rule(part: Node) -> Node:
        if isinstance(part, Indexed) and isinstance(part.index, Number):
            return Symbol(f"{part.name}_{part.index.value}")
        if isinstance(part, Indexed) and isinstance(part.index, Symbol):
            return Symbol(f"{part.name}_{part.index.name}")
        if isinstance(part, Power) and part.exponent == Number(Fraction(1)):
            return part.base
        if isinstance(part, Quotient) and part.under == Number(Fraction(1)):
            return part.over
        return part

    return rewrite(node, rule)  # type: ignore[no-any-return]
