"""The working in a chain as one quantity: `(3 kg)(4 m/s^2)`, `\\frac{105 km}{2.5 h}`, `20 N × 3 m`."""

from collections.abc import Callable, Iterator
from fractions import Fraction

from grading.language.tokens import Token
from grading.language.tree import Node, Number, Power, Product, Quantity, Quotient
from grading.language.units import ONE

_JOINS = frozenset({"*", "times", "cdot", "/", "div"})
_BELOW = frozenset({"/", "div"})
_OPENS, _CLOSES = frozenset({"(", "{"}), frozenset({")", "}"})
_MOST = 8
_LARGEST = 4
_Factor = tuple[list[Token], int]


def worked(tokens: list[Token], read: Callable[[list[Token]], Node | None]) -> Quantity | None:
    """The quantity that factors with units make; None where one of them is none, or none has a unit."""
    value: Node = Number(Fraction(1))
    unit, measured, count = ONE, False, 0
    for part, power in _factors(tokens):
        found = read([*part, Token("end", "", part[-1].position)]) if part else None
        count += 1
        if found is None or count > _MOST:
            return None
        if isinstance(found, Quantity):
            measured = True
            unit = unit.times(found.unit, power)
            found = found.value
        raised = found if abs(power) == 1 else Power(found, Number(Fraction(abs(power))))
        value = Product((value, raised)) if power > 0 else Quotient(value, raised)
    return Quantity(value, unit) if measured and count > 1 else None


def _factors(tokens: list[Token]) -> Iterator[_Factor]:
    """The factors of a product, each with its power; an empty one where the tokens are no product."""
    place, sign = 0, 1
    while place < len(tokens):
        token = tokens[place]
        if token.text == "frac" and place + 1 < len(tokens) and tokens[place + 1].text == "{":
            over = _closing(tokens, place + 1)
            under = _closing(tokens, over + 1) if over + 1 < len(tokens) and tokens[over + 1].text == "{" else over
            yield tokens[place + 2 : over], sign
            yield (tokens[over + 2 : under] if under > over else []), -sign
            place = under + 1
        elif token.text in _OPENS:
            end = _closing(tokens, place)
            power = _power(tokens, end + 1)
            yield tokens[place + 1 : end], sign * power
            place = end + (1 if power == 1 else 3)
        else:
            end = _run(tokens, place)
            yield tokens[place:end], sign
            place = end
        sign = 1
        if place < len(tokens) and tokens[place].text in _JOINS:
            sign = -1 if tokens[place].text in _BELOW else 1
            place += 1


def _closing(tokens: list[Token], place: int) -> int:
    """Where the bracket at `place` is closed, the last place where it is not."""
    depth = 0
    for index in range(place, len(tokens)):
        depth += (tokens[index].text in _OPENS) - (tokens[index].text in _CLOSES)
        if depth == 0:
            return index
    return len(tokens) - 1


def _power(tokens: list[Token], place: int) -> int:
    """The small whole power that stands at `place`, 1 where none does."""
    if place + 1 >= len(tokens) or tokens[place].text != "^":
        return 1
    digits = tokens[place + 1].text
    return int(digits) if digits.isdigit() and 1 < int(digits) <= _LARGEST else 1


def _run(tokens: list[Token], place: int) -> int:
    """The end of a factor without brackets: before a bracket, or a sign that a number or a bracket follows."""
    for index in range(place + 1, len(tokens)):
        if tokens[index].text == "(" and tokens[index - 1].text != "^":
            return index
        following = tokens[index + 1] if index + 1 < len(tokens) else None
        begins = following is not None and (following.kind == "number" or following.text in ("(", "frac"))
        if tokens[index].text in _JOINS and begins:
            return index
    return len(tokens)
