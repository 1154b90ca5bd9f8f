"""Functions that are known by a letter and an order (`J_0(x)`, `P_2(x)`) or a letter alone (`\\Phi(x)`, `W(x)`)."""

from collections.abc import Callable
from typing import Any

from grading.equivalence.point import Value, context
from grading.language.names import ORDERED
from grading.language.tree import Call, Node
from grading.language.walking import parts

_ORDERED: dict[str, Callable[[Any, Value, Value], Value]] = {
    "J": lambda ctx, order, x: ctx.besselj(order, x),
    "Y": lambda ctx, order, x: ctx.bessely(order, x),
    "I": lambda ctx, order, x: ctx.besseli(order, x),
    "K": lambda ctx, order, x: ctx.besselk(order, x),
    "P": lambda ctx, order, x: ctx.legendre(order, x),
    "T": lambda ctx, order, x: ctx.chebyt(order, x),
    "U": lambda ctx, order, x: ctx.chebyu(order, x),
    "H": lambda ctx, order, x: ctx.hermite(order, x),
    "L": lambda ctx, order, x: ctx.laguerre(order, 0, x),
}
_ALONE: dict[str, Callable[[Any, Value], Value]] = {
    "Phi": lambda ctx, x: ctx.ncdf(x),
    "W": lambda ctx, x: ctx.lambertw(x),
    "psi": lambda ctx, x: ctx.digamma(x),
}
_MAX_ORDER, _MAX_ARGUMENT = 20, 100


def is_special(name: str) -> bool:
    """Whether a name before a bracket may be one of the functions."""
    return ORDERED.fullmatch(name) is not None


def special_value(name: str, arguments: list[Value]) -> Value | None:
    """The value of such a function; None of any other name, and far from the origin."""
    found = ORDERED.fullmatch(name)
    ctx = context()
    if name == "B" and len(arguments) == 2 and all(0 < abs(argument) < _MAX_ARGUMENT for argument in arguments):
        return ctx.beta(*arguments)
    if found is None or len(arguments) != 1 or abs(arguments[0]) > _MAX_ARGUMENT:
        return None
    if name in _ALONE:
        return _ALONE[name](ctx, arguments[0])
    letter, _, order = name.partition("_")
    size = int(order.strip("mh"))
    if size > _MAX_ORDER:
        return None
    signed = -size if order.startswith("m") else size
    return _ORDERED[letter](ctx, ctx.mpf(signed) / 2 if order.endswith("h") else signed, arguments[0])


def are_factors(gold: Node, given: Node) -> frozenset[str]:
    """Such names that both trees put before brackets, with other contents: `T_0(1 - r)` is a product like any other."""
    calls: list[dict[str, set[Node]]] = []
    for node in (gold, given):
        found: dict[str, set[Node]] = {}
        for part in parts(node, Call):
            if is_special(part.name) and len(part.arguments) == 1:
                found.setdefault(part.name, set()).add(part.arguments[0])
        calls.append(found)
    return frozenset(name for name in calls[0].keys() & calls[1].keys() if calls[0][name] != calls[1][name])
