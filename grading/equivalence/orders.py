"""Landau classes by growth, and expansions that end in one."""

from grading.equivalence.evaluate import evaluate
from grading.equivalence.expressions import compare_expressions, symbols
from grading.equivalence.finding import Finding, Rules, different, equal, unknown
from grading.equivalence.point import Point, UndefinedError, UnsupportedError, Value, context
from grading.equivalence.signs import rewrite
from grading.language.tree import Bound, Function, Node, Number, Order, Power, Quotient, Sum, Symbol
from grading.language.walking import walk

_TOWARDS = (200, 2_000, 20_000)
_STEADY = 0.15


def split(node: Node) -> tuple[Node | None, Order | None]:
    """An expansion as its written terms and its remainder class."""
    if isinstance(node, Order):
        return None, node
    if isinstance(node, Sum):
        orders = [term for term in node.terms if isinstance(term, Order)]
        rest = tuple(term for term in node.terms if not isinstance(term, Order))
        if len(orders) == 1 and rest:
            return (rest[0] if len(rest) == 1 else Sum(rest)), orders[0]
    return node, None


def compare_orders(gold: Node, given: Node, rules: Rules) -> Finding:
    """The same terms and the same remainder class."""
    terms, expected = split(gold)
    others, found = split(given)
    if expected is None and found is not None and others is not None and _is_beyond(found, gold):
        return compare_expressions(gold, others, rules)
    if expected is None or found is None or (terms is None) != (others is None):
        return different("only one of the two names an order of growth")
    if expected.letter != found.letter:
        return different(f"{found.letter} is not {expected.letter}")
    if terms is not None and others is not None:
        same = compare_expressions(terms, others, rules)
        if not same.equal:
            return same
    first, second = (rewrite(order.argument, _size) for order in (expected, found))
    return _same_growth(first, second, near_zero=terms is not None)


def _is_beyond(remainder: Order, gold: Node) -> bool:
    """Whether a remainder `O(x^n)` only says where a gold that is a polynomial in x of a lower degree ends."""
    power = remainder.argument
    if remainder.letter != "O" or not isinstance(power, Power) or not isinstance(power.base, Symbol):
        return False
    degree = power.exponent.value if isinstance(power.exponent, Number) else None
    if degree is None or not isinstance(gold, Sum) or symbols(gold) != {power.base.name}:
        return False
    powers = [part for part in walk(gold) if isinstance(part, Power) and symbols(part)]
    plain = all(part.base == power.base and isinstance(part.exponent, Number) for part in powers)
    raised = [part.exponent.value for part in powers if isinstance(part.exponent, Number)]
    divided = any(isinstance(part, Quotient) and symbols(part.under) for part in walk(gold))
    return (
        plain
        and not divided
        and not any(isinstance(part, Function | Bound) for part in walk(gold))
        and all(0 <= each < degree for each in raised)
    )


def _size(part: Node) -> Node:
    """`|V|`, how many V has, as `V`: an order of growth is about sizes."""
    if isinstance(part, Function) and part.name == "abs" and isinstance(part.arguments[0], Symbol):
        return part.arguments[0]
    return part


def _same_growth(left: Node, right: Node, *, near_zero: bool) -> Finding:
    """The quotient of the two tends to a positive number, towards infinity or (of expansions) towards zero too."""
    names = symbols(left) | symbols(right)
    if len(names) > 1:
        return compare_expressions(left, right, Rules())
    if not names:
        return equal("both are constant")
    name = next(iter(names))
    ends = (1, -1) if near_zero else (1,)
    verdicts = [_steady(left, right, name, sign) for sign in ends]
    if None in verdicts:
        return unknown("the growth could not be evaluated")
    return equal("the same order of growth") if all(verdicts) else different("the orders of growth differ")


def _steady(left: Node, right: Node, name: str, sign: int) -> bool | None:
    ctx = context()
    ratios: list[Value] = []
    for exponent in _TOWARDS:
        place = Point("growth", 1, 2, given={name: ctx.exp(sign * exponent)})
        try:
            ratios.append(evaluate(left, place) / evaluate(right, place))
        except (UndefinedError, ZeroDivisionError):
            return False
        except UnsupportedError:
            return None
    if any(ctx.im(ratio) or not ratio for ratio in ratios):
        return False
    change = abs(ratios[2] / ratios[1] - 1)
    return bool(change < _STEADY and ctx.mpf(10) ** -20 < abs(ratios[2]) < ctx.mpf(10) ** 20)
