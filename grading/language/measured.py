"""Numbers with what they measure or count: `5 km/h`, `$12.50`, `1 h 30 min`, `25 °C`, `2 million`, `17 apples`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import pairwise

from grading.language import numerals, words
from grading.language.factors import worked
from grading.language.limits import LanguageError
from grading.language.statement import Statements
from grading.language.tokens import Token
from grading.language.tree import Listing, Node, Number, Product, Quantity, Relation, Sum, Symbol
from grading.language.units import ONE, Unit, is_number, named, same_dimension
from grading.language.unittext import read_unit
from grading.language.walking import first_word, parts

_MONEY = frozenset({"dollar", "euro", "pound", "yen", "rupee", "won", "ruble", "reais"})
_UNIT_STARTS = frozenset({"%", "deg", "/", "(", "{"})
_MONEY_SCALES = {"k": 10**3, "K": 10**3, "M": 10**6, "B": 10**9}
_MAX_SEARCHED = 80
_MAX_CHAIN = 5
_PAIR = 2
_BARE = frozenset({"number", "op", "end"})
_TELLING = frozenset({"%", "deg", "permille", "=", "~="})
"""Operators that are a unit, or part a chain whose members may be quantities."""
_NOT_IN_UNITS = frozenset({"=", ",", "<", ">", "<=", ">=", "!", "_", "pm"})
_OPENING = frozenset({"(", "[", "{", "lbrace"})
_CLOSING = frozenset({")", "]", "}", "rbrace"})
_SHORTEST_NAME = 2
_PREPOSITIONS = frozenset(["of", "in", "on", "at", "to", "by"])
_ELSEWHERE = frozenset(["on", "at", "to", "by"])
_FILLERS = _PREPOSITIONS | {
    "the",
    "a",
    "an",
    "unit",
    "units",
    "square",
    "cubic",
    "different",
    "distinct",
    "possible",
    "total",
    "all",
    "each",
    "exactly",
    "altogether",
    "such",
    "more",
    "only",
}
"""Words that say nothing of what is counted."""
_NUMBER_AND_SPACE = re.compile(r"\d\s+$")
_MINUTES = re.compile(r"[0-5]\d")
_THIN_SPACE = re.compile(r"(?:\\[,;: ]|~|\\quad)\s*$")


@dataclass(frozen=True, slots=True)
class Measured:
    """A quantity, or an equation about one. `upright` tells whether all letters of the unit are set as a unit is."""

    node: Node
    upright: bool


def measured(tokens: list[Token], source: str, variables: frozenset[str]) -> Measured | None:
    """Tokens as a value with a unit or with words that name what is counted; None where they are neither."""
    if all(token.kind in _BARE and token.text not in _TELLING for token in tokens):
        return None
    return _chain(tokens, source, variables) or _measured(tokens, source, variables)


def _chain(tokens: list[Token], source: str, variables: frozenset[str]) -> Measured | None:
    """`v = 90 km/h = 25 m/s`: every member that can be one a quantity, the last one too; None of any other text."""
    places = _relations(tokens)
    if not places or len(places) > _MAX_CHAIN:
        return None
    starts, stops = [0, *(place + 1 for place in places)], [*places, len(tokens) - 1]
    members: list[Node] = []
    upright, slanted = True, False
    for start, stop in zip(starts, stops, strict=True):
        part = [*tokens[start:stop], Token("end", "", tokens[stop].position)]
        found = _measured(part, source, variables) if start < stop else None
        if found is not None and _is_number_with_unit(found.node):
            members.append(found.node)
            slanted = slanted or not (found.upright or stop == len(tokens) - 1)
            upright = upright and found.upright
            continue
        value = _value(part, 0, len(part) - 1, variables) if stop < len(tokens) - 1 else None
        value = value or (worked(part[:-1], partial(_factor, source, variables)) if members else None)
        if value is None:
            return None
        members.append(value)
    if len(members) == _PAIR and not isinstance(members[0], Quantity):
        return None
    if slanted and len({each.unit.dimension for each in members if isinstance(each, Quantity)}) > 1:
        # Letters before a sign of equality are units where every member measures the same (`5 m = 500 cm`).
        return None
    return Measured(Relation(tuple(members), tuple(tokens[place].text for place in places)), upright)


def _factor(source: str, variables: frozenset[str], part: list[Token]) -> Node | None:
    """A factor of the working in a chain: a number with a unit, or a number."""
    found = _measured(part, source, variables)
    if found is not None and _is_number_with_unit(found.node):
        return found.node
    value = _value(part, 0, len(part) - 1, variables)
    return None if value is None or parts(value, Symbol) else value


def _is_number_with_unit(node: Node) -> bool:
    if not isinstance(node, Quantity) or node.counted:
        return False
    return not parts(node.value, Symbol)


def _relations(tokens: list[Token]) -> list[int]:
    """Places of the signs of equality that stand in no bracket."""
    depth, found = 0, []
    for place, token in enumerate(tokens):
        if token.kind == "op":
            depth += (token.text in _OPENING) - (token.text in _CLOSING)
            if not depth and token.text in ("=", "~="):
                found.append(place)
    return found


def _measured(tokens: list[Token], source: str, variables: frozenset[str]) -> Measured | None:
    end = len(tokens) - 1
    money = _money(tokens, variables)
    if money is not None:
        return Measured(money, upright=True)
    together = _compound(tokens, variables)
    if together is not None:
        return Measured(together, upright=True)
    for start in _unit_starts(tokens):
        unit = read_unit(tokens, start, end)
        value = _value(tokens, 0, start, variables) if unit is not None else None
        if value is not None and unit is not None:
            return Measured(_with_unit_inside(value, unit), _is_upright(tokens[start:end], source))
    counted = _counted(tokens, source, variables)
    return Measured(counted, upright=True) if counted is not None else None


def _is_upright(unit: list[Token], source: str) -> bool:
    """Whether a unit's letters are set as a unit's are; so are several letters together after a number and
    a space (`45 km`); `\\mu` and, after a thin space, `\\Omega` have but one form."""
    before = source[: unit[0].position]
    if len(unit) > 1 and _NUMBER_AND_SPACE.search(before) and not any(token.space for token in unit[1:]):
        return True
    spaced = _THIN_SPACE.search(before) is not None
    greek = {"mu", "Omega"} if spaced else {"mu"}
    return all(token.kind != "letter" or token.text in greek for token in unit if token.text.isalpha())


def _money(tokens: list[Token], variables: frozenset[str]) -> Node | None:
    """A sign of currency before a number, perhaps with a sign, and with `million` or the name of it after."""
    sign = 1 if tokens[0].text == "-" and len(tokens) > 3 else 0
    end = len(tokens) - 1
    if tokens[sign].kind != "word" or tokens[sign].text not in _MONEY or end <= sign + 1:
        return None
    unit = read_unit(tokens, sign, sign + 1)
    last = tokens[end - 1]
    factor = numerals.SCALES.get(last.text.lower(), 1) if last.kind == "word" else _MONEY_SCALES.get(last.text, 1)
    if factor > 1 or (last.kind == "word" and unit is not None and read_unit(tokens, end - 1, end) == unit):
        end -= 1
    value = _value(tokens, sign + 1, end, variables)
    if value is None or unit is None:
        return None
    scale = Fraction(-factor if sign else factor)
    return Quantity(value if scale == 1 else Product((Number(scale), value)), unit)


def _compound(tokens: list[Token], variables: frozenset[str]) -> Node | None:
    """`1 h 30 min`, `5 feet 6 inches`: the same dimension in falling units."""
    starts = [place for place, token in enumerate(tokens[:-1]) if token.kind == "number"]
    if not 2 <= len(starts) <= 4 or starts[0] != 0:
        return None
    parts: list[Quantity] = []
    for start, following in zip(starts, [*starts[1:], len(tokens) - 1], strict=True):
        stop = following
        while stop - 1 > start and tokens[stop - 1].text in ("and", ","):
            stop -= 1
        unit, value = read_unit(tokens, start + 1, stop), _value(tokens, start, start + 1, variables)
        if start + 1 == stop and parts and parts[-1].unit == named("h") and _MINUTES.fullmatch(tokens[start].text):
            unit = named("min")  # `1 h 30`
        if unit is None or value is None or is_number(unit):
            return None
        parts.append(Quantity(value, unit))
    first = parts[0].unit
    falling = all(a.unit.scale > b.unit.scale for a, b in pairwise(parts))
    if not falling or not all(same_dimension(first, part.unit) for part in parts):
        return None
    terms = tuple(Product((part.value, Number(part.unit.scale / first.scale))) for part in parts)
    return Quantity(Sum(terms), first)


def _with_unit_inside(value: Node, unit: Unit) -> Node:
    """`p = 1 atm` is an equation about a quantity."""
    if isinstance(value, Relation):
        return Relation((*value.operands[:-1], Quantity(value.operands[-1], unit)), value.operators)
    return Quantity(value, unit)


def _unit_starts(tokens: list[Token]) -> Iterator[int]:
    """Places at which a unit may begin that goes on to the end: none before a sign that stands in no unit."""
    first = max(
        (place for place, token in enumerate(tokens) if token.text in _NOT_IN_UNITS and token.kind == "op"), default=0
    )
    for index in range(first + 1, len(tokens) - 1):
        token = tokens[index]
        if token.kind in ("letter", "roman", "word", "command") or token.text in _UNIT_STARTS:
            yield index
            if index > _MAX_SEARCHED:
                return


def _value(tokens: list[Token], start: int, stop: int, variables: frozenset[str]) -> Node | None:
    """What stands before a unit, words of scale included."""
    factor = 1
    while stop - 1 > start and tokens[stop - 1].kind == "word" and tokens[stop - 1].text.lower() in numerals.SCALES:
        stop -= 1
        factor *= numerals.SCALES[tokens[stop].text.lower()]
    if start >= stop:
        return None
    part = [*tokens[start:stop], Token("end", "", tokens[stop].position)]
    parser = Statements(part, variables)
    try:
        node = parser.answer()
    except LanguageError:
        return None
    if parser.token.kind != "end" or first_word(node) is not None or isinstance(node, Listing):
        return None
    return node if factor == 1 else Product((Number(Fraction(factor)), node))


def _counted(tokens: list[Token], source: str, variables: frozenset[str]) -> Node | None:
    """`17 apples`, `5.4 square units`, `2 million people`: a value and then only words, none of which hedges.

    Words after a unit (`2.4 meters long`) say what was measured.
    """
    first, tail = _words_after(tokens)
    if not tail or first == 0 or any(word in ("and", "or", "not", "if", "else") for word in tail):
        return None
    if tail[0] in _ELSEWHERE and tail[1:2] not in (["total"], ["all"]):
        return None
    value = _value(tokens, 0, first, variables)
    if value is None or words.hedged(source) or parts(value, Symbol):
        return None
    factor, tail = numerals.scaled(" ".join(tail).replace("per cent", "percent").split())
    unit = named(tail[0]) if tail and len(tail[0]) > _SHORTEST_NAME else None
    tail = [word.lower() for word in (tail[1:] if unit else tail)]
    if any(word in numerals.OPERATIONS for word in tail):
        return None
    counted = " ".join(word for word in tail if word not in _FILLERS)
    return Quantity(value if factor == 1 else Product((Number(Fraction(factor)), value)), unit or ONE, counted)


def _words_after(tokens: list[Token]) -> tuple[int, list[str]]:
    """The words that end the tokens, short ones (`red`, `of`) too beside a longer one; where they begin."""
    first, long = len(tokens) - 1, False
    tail: list[str] = []
    while first > 0:
        start = first - 1
        while tokens[start].kind == "letter" and not tokens[start].space and tokens[start - 1].kind == "letter":
            start -= 1
        run = "".join(token.text for token in tokens[start:first])
        short = run.islower() and (len(run) > 2 or run in _PREPOSITIONS) and tokens[start].space
        if tokens[start].kind != "word" and not (tokens[start].kind == "letter" and short):
            break
        long = long or tokens[start].kind == "word"
        first, tail = start, [run, *tail]
    return (first, tail) if long else (first, [])
