"""Reads one answer: `read(text) -> Parsed`."""

import re
from dataclasses import dataclass
from functools import lru_cache

from grading.language import names, numerals, words
from grading.language.limits import LanguageError, TooLargeError
from grading.language.measured import measured
from grading.language.prepare import prepare
from grading.language.statement import Statements
from grading.language.tokens import Token, tokenize
from grading.language.tree import Node, Text
from grading.language.walking import first_word, is_deeper

_SHORT = 80
_MAX_HEIGHT = 200
"""Of a tree: of groups within groups, and of signs behind one another (`a/b/c`)."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A read answer. `conditions` is the raw text after "where", "for" and the like; `source` what was read.

    `upright` tells, of a quantity, that its unit is set as a unit (`5 \\mathrm{m}`, `5 km`) and can be nothing else.
    """

    node: Node
    source: str
    conditions: str = ""
    upright: bool = False

    def __post_init__(self) -> None:
        """Raises TooLargeError for a tree that nests deeper than what walks through it may go."""
        if is_deeper(self.node, _MAX_HEIGHT):
            raise TooLargeError(f"more than {_MAX_HEIGHT} operations stand within one another")


@lru_cache(maxsize=128)
def read(
    text: str, variables: frozenset[str] = frozenset(), grouped: bool = True, decimal_comma: bool = False
) -> Parsed:
    """Read an answer.

    `variables` are letters that are no constants (`e`, `i`) and commands to be taken for symbols (`\\foo`);
    `grouped` joins `1,024`; `decimal_comma` reads `1.234,5` as a German or French text means it.
    Never evaluates. Raises LanguageError, which says where reading stopped and why.
    """
    meaning = words.phrase(text) if len(text) < _SHORT else None
    if meaning is not None:
        return Parsed(meaning, text)
    source = prepare(text, grouped, decimal_comma)
    if not source:
        raise LanguageError("the answer is empty")
    meaning = words.phrase(source) if len(source) < _SHORT else None
    if meaning is not None:
        return Parsed(meaning, source)
    tokens = _tokens(source)
    try:
        return _whole(tokens, source, variables)
    except LanguageError as error:
        quantity = _quantity(tokens, source, variables) or _worded(source, variables)
        if quantity is not None:
            return quantity
        if _is_prose(source):
            return Parsed(Text(words.plain(text)), source)
        return _with_words(tokens, source, variables, error)


def _whole(tokens: list[Token], source: str, variables: frozenset[str]) -> Parsed:
    parser = Statements(list(tokens), variables)
    node = parser.answer()
    rest = source[parser.token.position :] if parser.token.kind != "end" else ""
    bare = first_word(node)
    if bare is not None:
        raise LanguageError(f"'{bare}' is a word, not an expression")
    return Parsed(node, source, rest)


def _quantity(tokens: list[Token], source: str, variables: frozenset[str]) -> Parsed | None:
    found = measured(tokens, source, variables)
    return Parsed(found.node, source, upright=found.upright) if found is not None else None


def _worded(source: str, variables: frozenset[str]) -> Parsed | None:
    """`seven apples`: number words before what is counted."""
    digits = numerals.leading(source) if len(source) < _SHORT and source[:1].isalpha() else None
    return _quantity(tokenize(digits), digits, variables) if digits is not None else None


def _tokens(source: str) -> list[Token]:
    """The tokens of a text that is read as an expression and with a unit, found once."""
    return list(_tokens_of(source))


@lru_cache(maxsize=128)
def _tokens_of(source: str) -> tuple[Token, ...]:
    return tuple(tokenize(source))


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


@lru_cache(maxsize=128)
def with_unit(text: str, variables: frozenset[str] = frozenset(), decimal_comma: bool = False) -> Parsed | None:
    """Read `text` as a value with a unit even where all of it could be read as an expression (`10 m/s`)."""
    try:
        source = prepare(text, True, decimal_comma)
        return (_quantity(_tokens(source), source, variables) or _worded(source, variables)) if source else None
    except LanguageError:
        return None


def _is_prose(source: str) -> bool:
    """Whether a text is words rather than broken mathematics."""
    bare = re.sub(r"\\(?:text|mathrm|textbf|mbox|operatorname)\b|[{}]", " ", source)
    if set(re.findall(r"\\([A-Za-z]+)", bare)) - _KNOWN_COMMANDS:
        return False
    letters = sum(len(run) for run in re.findall(r"(?<![\\A-Za-z])[A-Za-z]{2,}", bare))
    return letters > 0 and letters * 2 >= len("".join(bare.split()))


_KNOWN_COMMANDS = frozenset(
    {*names.GREEK, *names.OPERATORS, *names.FUNCTIONS, *names.SPACING, *names.CONSTANTS, *names.ACCENTS, *names.STYLES}
) | {"frac", "sqrt", "mathbb", "mathcal", "left", "right", "dfrac", "circ", "ldots", "emptyset", "text", "mathrm"}
