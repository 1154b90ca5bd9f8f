"""Reads one answer: `read(text) -> Parsed`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import lru_cache

from grading.language import names, words
from grading.language.limits import LanguageError
from grading.language.prepare import prepare
from grading.language.statement import Statements
from grading.language.tokens import Token, tokenize
from grading.language.tree import Listing, Node, Quantity, Ratio, Relation, Symbol, Text
from grading.language.units import ONE, Unit
from grading.language.unittext import read_unit

_MONEY = frozenset({"dollar", "euro", "pound", "yen"})
_UNIT_STARTS = frozenset({"%", "deg", "/", "(", "{"})


@dataclass(frozen=True, slots=True)
class Parsed:
    """A read answer. `conditions` is the raw text after "where", "for" and the like; `source` what was read."""

    node: Node
    source: str
    conditions: str = ""


def children(node: Node) -> Iterator[Node]:
    """Direct parts of a node, in order."""
    for field in fields(node):
        yield from _nodes(getattr(node, field.name))


def _nodes(value: object) -> Iterator[Node]:
    if isinstance(value, Node):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _nodes(part)


def walk(node: Node) -> Iterator[Node]:
    """The node and all its parts, without recursion."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(children(current))


@lru_cache(maxsize=2048)
def read(text: str, variables: frozenset[str] = frozenset(), grouped: bool = True) -> Parsed:
    """Read an answer. `variables` are letters that are no constants (`e`, `i`); `grouped` joins `1,024`.

    Never evaluates. Raises LanguageError, which says where reading stopped and why.
    """
    meaning = words.phrase(text) if len(text) < 80 else None
    if meaning is not None:
        return Parsed(meaning, text)
    source = prepare(text, grouped)
    if not source:
        raise LanguageError("the answer is empty")
    meaning = words.phrase(source) if len(source) < 80 else None
    if meaning is not None:
        return Parsed(meaning, source)
    tokens = tokenize(source)
    try:
        return _whole(tokens, source, variables)
    except LanguageError as error:
        quantity = _quantity(tokens, source, variables)
        if quantity is not None:
            return quantity
        if _is_prose(source):
            return Parsed(Text(words.plain(text)), source)
        return _with_words(tokens, source, variables, error)


def _whole(tokens: list[Token], source: str, variables: frozenset[str]) -> Parsed:
    parser = Statements(list(tokens), variables)
    node = parser.answer()
    rest = source[parser.token.position :] if parser.token.kind != "end" else ""
    bare = _first_word(node)
    if bare is not None:
        raise LanguageError(f"'{bare}' is a word, not an expression")
    return Parsed(node, source, rest)


def _with_words(tokens: list[Token], source: str, variables: frozenset[str], error: LanguageError) -> Parsed:
    """Mathematics in which upright words stand as symbols (`375 \\mathrm{Hz} t`)."""
    parser = Statements(list(tokens), variables)
    try:
        node = parser.answer()
    except LanguageError:
        raise error from None
    if parser.token.kind != "end" or "\\mathrm" not in source:
        raise error
    return Parsed(node, source)


def _first_word(node: Node) -> str | None:
    """A symbol made of a word that is no label of an equation, if there is one."""
    labels: set[int] = set()
    for part in walk(node):
        if isinstance(part, Relation) and part.operators[0] == "=":
            labels.update(id(label) for label in walk(part.operands[0]))
        if isinstance(part, Ratio):
            labels.update(id(label) for label in walk(part.parts[0]))
        if isinstance(part, Symbol) and id(part) not in labels and is_wordy(part.name):
            return part.name
    return None


def is_wordy(name: str) -> bool:
    """Whether a symbol's name is a word of several letters and no Greek letter."""
    head = name.partition("_")[0]
    return len(head) > 1 and head.isalpha() and ":" not in head and head not in _GREEK_LIKE


def _quantity(tokens: list[Token], source: str, variables: frozenset[str]) -> Parsed | None:
    """A number before (or a currency sign before) a unit, or a value before words that name what is counted."""
    end = len(tokens) - 1
    if tokens[0].kind == "word" and tokens[0].text in _MONEY and end > 1:
        unit = read_unit(tokens, 0, 1)
        value = _value(tokens, 1, end, variables)
        return Parsed(Quantity(value, unit), source) if value is not None and unit is not None else None
    for start in _unit_starts(tokens):
        unit = read_unit(tokens, start, end)
        value = _value(tokens, 0, start, variables) if unit is not None else None
        if value is not None and unit is not None:
            return Parsed(_with_unit_inside(value, unit), source)
    return _counted(tokens, source, variables)


def _with_unit_inside(value: Node, unit: Unit) -> Node:
    """`p = 1 atm` is an equation about a quantity."""
    if isinstance(value, Relation):
        return Relation((*value.operands[:-1], Quantity(value.operands[-1], unit)), value.operators)
    return Quantity(value, unit)


def _unit_starts(tokens: list[Token]) -> Iterator[int]:
    for index in range(1, len(tokens) - 1):
        token = tokens[index]
        if token.kind in ("letter", "roman", "word", "command") or token.text in _UNIT_STARTS:
            yield index
            if index > 80:
                return


def _value(tokens: list[Token], start: int, stop: int, variables: frozenset[str]) -> Node | None:
    if start >= stop:
        return None
    part = [*tokens[start:stop], Token("end", "", tokens[stop].position)]
    parser = Statements(part, variables)
    try:
        node = parser.answer()
    except LanguageError:
        return None
    if parser.token.kind != "end":
        return None
    return node if _first_word(node) is None and not isinstance(node, Listing) else None


def _counted(tokens: list[Token], source: str, variables: frozenset[str]) -> Parsed | None:
    """`17 apples`, `5.4 square units`: a value and then only words, none of which hedges."""
    stop = len(tokens) - 1
    first = stop
    while first > 0 and tokens[first - 1].kind == "word":
        first -= 1
    tail = tokens[first:stop]
    if not tail or first == 0 or any(token.text in ("and", "or", "not", "if", "else") for token in tail):
        return None
    value = _value(tokens, 0, first, variables)
    if value is None or words.hedged(source) or any(isinstance(part, Symbol) for part in walk(value)):
        return None
    return Parsed(Quantity(value, ONE), source)


def with_unit(text: str, variables: frozenset[str] = frozenset()) -> Parsed | None:
    """Read `text` as a value with a unit even where all of it could be read as an expression (`10 m/s`)."""
    try:
        source = prepare(text)
        return _quantity(tokenize(source), source, variables) if source else None
    except LanguageError:
        return None


def _is_prose(source: str) -> bool:
    """Whether a text is words rather than broken mathematics."""
    bare = re.sub(r"\\(?:text|mathrm|textbf|mbox|operatorname)\b|[{}]", " ", source)
    if set(re.findall(r"\\([A-Za-z]+)", bare)) - _KNOWN_COMMANDS:
        return False
    letters = sum(len(run) for run in re.findall(r"(?<![\\A-Za-z])[A-Za-z]{2,}", bare))
    return letters * 2 > len("".join(bare.split()))


_KNOWN_COMMANDS = frozenset(
    {*names.GREEK, *names.OPERATORS, *names.FUNCTIONS, *names.SPACING, *names.CONSTANTS, *names.ACCENTS, *names.STYLES}
) | {"frac", "sqrt", "mathbb", "mathcal", "left", "right", "dfrac", "circ", "ldots", "emptyset", "text", "mathrm"}
_GREEK_LIKE = frozenset(
    [
        "alpha",
        "beta",
        "gamma",
        "delta",
        "epsilon",
        "zeta",
        "eta",
        "theta",
        "iota",
        "kappa",
        "lambda",
        "mu",
        "nu",
        "xi",
        "omicron",
        "rho",
        "sigma",
        "tau",
        "upsilon",
        "phi",
        "chi",
        "psi",
        "omega",
        "Gamma",
        "Delta",
        "Theta",
        "Lambda",
        "Xi",
        "Pi",
        "Sigma",
        "Upsilon",
        "Phi",
        "Psi",
        "Omega",
        "hbar",
        "nabla",
        "partial",
        "mho",
        "aleph",
        "wp",
        "AA",
        "pi",
    ]
)
