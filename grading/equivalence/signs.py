"""Plus-minus signs written out, and other rewritings of trees."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product
from operator import is_
from typing import Any, TypeGuard

from grading.language.tree import Call, Node, Number, PlusMinus, Power, Product, Quantity, Sum, Symbol, Tuple
from grading.language.walking import fields_of, kept, parts

_MAX_TUPLES = 64


@kept
def has_sign(node: Node) -> bool:
    """Whether a plus-minus sign occurs."""
    return bool(parts(node, PlusMinus))


def written_out(node: Node) -> list[Node]:
    """The values of a tree with plus-minus: signs go together in one expression, freely between tuple members.

    Where one of a tuple's signs is turned round (`(±2, ∓3)`), they go together in all of it.
    """
    if not has_sign(node):
        return [node]
    if isinstance(node, Tuple) and not any(sign.flipped for sign in parts(node, PlusMinus)):
        choices = [written_out(item) for item in node.items]
        count = 1
        for choice in choices:
            count *= len(choice)
        if count > _MAX_TUPLES:
            return [node]
        return [Tuple(items, node.bracket) for items in product(*choices)]
    return [rewrite(node, partial(_signed, sign=sign)) for sign in (1, -1)]


def _signed(part: Node, sign: int) -> Node:
    if isinstance(part, PlusMinus):
        positive = (sign > 0) != part.flipped
        return part.term if positive else _opposite(part.term)
    return part


def _opposite(node: Node) -> Node:
    """`-node`, of a tuple entry by entry."""
    if isinstance(node, Tuple):
        return Tuple(tuple(map(_opposite, node.items)), node.bracket)
    return Product((Number(Fraction(-1)), node))


def without_uncertainty(node: Node, anyway: bool = False) -> Node:
    """`9.81 ± 0.05` as the number that was measured; any other tree, also with `5 ± 3`, as it is.

    The uncertainty is at most a tenth, and the number a decimal or of a unit (or `anyway`).
    """
    signs = parts(node, PlusMinus)
    if len(signs) != 1:
        return node
    measured = anyway or isinstance(node, Quantity)

    def rule(part: Node) -> Node:
        match part:
            case Sum(terms=(first, PlusMinus(term=Number(value=error)))):
                size = first if isinstance(first, Number) else None
                decimal = size is not None and (measured or size.places is not None)
                return first if size is not None and decimal and 0 < error * 10 <= abs(size.value) else part
        return part

    return rewrite(node, rule)  # type: ignore[no-any-return]


def rewrite(node: Any, rule: Callable[[Node], Node]) -> Any:
    """The tree with `rule` applied to every part, children first."""
    if isinstance(node, Node):
        changed = {}
        for name in fields_of(type(node)):
            before = getattr(node, name)
            after = rewrite(before, rule)
            if after is not before:
                changed[name] = after
        return rule(replace(node, **changed) if changed else node)
    if isinstance(node, tuple):
        parts = tuple([rewrite(part, rule) for part in node])
        return node if all(map(is_, parts, node)) else parts
    return node


def renamed(node: Node, names: dict[str, str]) -> Node:
    """The tree with symbols renamed."""
    if not names:
        return node

    def rule(part: Node) -> Node:
        return Symbol(names[part.name]) if isinstance(part, Symbol) and part.name in names else part

    return rewrite(node, rule)  # type: ignore[no-any-return]


def substituted(node: Node, name: str, value: Node) -> Node:
    """The tree with a symbol replaced by an expression."""

    def rule(part: Node) -> Node:
        return value if isinstance(part, Symbol) and part.name == name else part

    return rewrite(node, rule)  # type: ignore[no-any-return]


def calls_resolved(node: Node, bare: frozenset[str]) -> Node:
    """`g(M + m)` read as a product where `g` also stands alone somewhere; a power is then one of the bracket."""

    def is_product(part: Node) -> TypeGuard[Call]:
        return isinstance(part, Call) and part.name in bare and len(part.arguments) == 1

    def powers(part: Node) -> Node:
        if isinstance(part, Power) and is_product(part.base):
            return Product((Symbol(part.base.name), Power(part.base.arguments[0], part.exponent)))
        return part

    def rule(part: Node) -> Node:
        return Product((Symbol(part.name), part.arguments[0])) if is_product(part) else part

    return rewrite(rewrite(node, powers), rule) if bare else node
