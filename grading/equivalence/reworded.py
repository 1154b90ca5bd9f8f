"""Answers with arithmetic, bases, constants and numbers in words, in the spelling that the comparison knows."""

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Final

from grading.language.logic import is_logic
from grading.language.numerals import number_of

_NUMBER: Final = r"[-−]?\d[\d,]*(?:\.\d+)?"
_IN_WORDS: Final = re.compile(
    rf"(?P<one>{_NUMBER})\s+(?P<how>times|multiplied\s+by|plus|minus|divided\s+by|over)\s+(?P<other>{_NUMBER})\s+(?P<is>is|makes|equals|gives|comes\s+to|are|make)\s+(?=\**(?P<value>{_NUMBER})(?![\d%.,]\d))",
    re.IGNORECASE,
)
"""`6 times 7 makes 42`"""
_OPERATIONS: Final[dict[str, Callable[[Fraction, Fraction], Fraction]]] = {
    "times": lambda one, other: one * other,
    "multiplied": lambda one, other: one * other,
    "plus": lambda one, other: one + other,
    "minus": lambda one, other: one - other,
    "divided": lambda one, other: one / other,
    "over": lambda one, other: one / other,
}
_PLUS_CONSTANT: Final = re.compile(
    r"(?<=[\w)}²³$*])\s*,?\s+plus\s+(?:an?\s+|some\s+|any\s+|the\s+)?(?:(?:arbitrary|additive|integration)\s+)?constant(?:\s+of\s+integration)?(?:\s+\$?C\$?)?(?=[\s.!*]*$)",
    re.IGNORECASE,
)
"""`x^4/4 plus a constant`"""
_WORD_VALUE: Final = re.compile(r"^(?P<lead>\W*\$?[A-Za-z]\$?\s*=\s*)(?P<words>[a-z]+(?:[ -][a-z]+){0,4})[\s.!]*$")
_REMAINDER: Final = re.compile(
    r"^\W*(?P<number>\d{1,12})\s*(?:mod|%|\\bmod|\\mod)\s*\(?(?P<modulus>\d{1,9})\)?\s*=\s*(?P<rest>\d{1,9})[\s.$*]*$"
)
"""`17 mod 7 = 3`"""
_ARROW: Final = re.compile(
    rf"(?P<one>{_NUMBER}\s?%?)\s*(?:→|⇒|⟶|->|\\to(?![a-z]))\s*(?P<other>{_NUMBER}\s?\\?%)(?=[\s.*$!]*$)"
)
"""`0.35 → 35 %`"""
_TENDS: Final = re.compile(
    r"^\W*?\$?(?P<head>(?!.*(?:\\(?:text|sim|lim|simeq|approx|mathrm|sum|int)|[~≈∼]|\b(?:as|when|if|for|where)\b|(?<![\\A-Za-z])[A-Za-z]{4}))[^→=\n$,;:]{3,60}?)\s*(?:→|\\to(?![a-z]))\s*(?P<value>[^→=\n$,;:]{1,20}?)\$?[\s.*]*$"
)
"""`(1 + 1/n)^n → e`"""
_LETTER: Final = re.compile(r"(?<![\\A-Za-z])[a-z](?![A-Za-z])")
_IN_BASE: Final = re.compile(
    r"^\W*(?:(?:the\s+)?(?:number\s+|decimal\s+)?\d+\s+)?(?:written\s+|expressed\s+)?in\s+(?:(?P<system>binary|ternary|octal|hex(?:adecimal)?)|base\s+(?P<base>\d{1,2}|[a-z]+))(?:\s+notation)?\s*,?\s*(?:is|=|:|reads|becomes|it\s+is)\s*(?:written\s+)?[`*$]*(?P<digits>[0-9A-Fa-f]{1,40})[`*$]*[\s.!]*$",
    re.IGNORECASE,
)
"""`45 in binary is 101101`"""
_SYSTEMS: Final = {"binary": 2, "ternary": 3, "octal": 8, "hex": 16, "hexadecimal": 16}
_INDEXED: Final = re.compile(r"_\{?\d{1,2}\}?\s*$|[₀-₉]+\s*$|^0[xbo]", re.IGNORECASE)
_PREFIXED: Final = re.compile(r"(?<![\w.])0([xXbo])([0-9A-Fa-f]{1,40})(?=\s*=)")
_BASES: Final = {"x": 16, "b": 2, "o": 8}


def reworded(text: str, gold: str) -> str:
    """The text in that spelling; any other text as it is."""
    text = _IN_WORDS.sub(_worked, text) if " " in text else text
    text = _PLUS_CONSTANT.sub(" + C", text) if "constant" in text else text
    text = _WORD_VALUE.sub(_in_digits, text) if "=" in text else text
    text = _ARROW.sub(_same_share, text) if "%" in text else text
    text = _PREFIXED.sub(_in_ten, text) if "=" in text and "0" in text else text
    tends = _TENDS.match(text) if "→" in text or "\\to" in text else None
    tends = None if is_logic(text) else tends
    if tends is not None and _LETTER.search(tends["head"]) and re.search(r"[\d(\\/^]", tends["head"]):
        return tends["value"]
    based = _IN_BASE.match(text) if _INDEXED.search(gold) else None
    if based is not None:
        return _based(based)
    rest = _REMAINDER.match(text) if "=" in text else None
    if rest is None or not int(rest["modulus"]):
        return text
    return rest["rest"] if int(rest["number"]) % int(rest["modulus"]) == int(rest["rest"]) else text


def _value(text: str) -> Fraction:
    share = text.rstrip("\\").endswith("%")
    plain = Fraction(text.replace(",", "").replace("−", "-").rstrip(" %\\"))
    return plain / 100 if share else plain


def _worked(found: re.Match[str]) -> str:
    """Arithmetic in words as what it makes, where that is true."""
    try:
        one, other, value = (_value(found[part]) for part in ("one", "other", "value"))
        true = _OPERATIONS[found["how"].split()[0].lower()](one, other) == value
    except (ValueError, ZeroDivisionError):
        return found[0]
    return f"that {'makes' if found['is'].lower().startswith('make') else 'is'} " if true else found[0]


def _in_digits(found: re.Match[str]) -> str:
    number = number_of(found["words"])
    return found[0] if number is None else f"{found['lead']}{number}"


def _same_share(found: re.Match[str]) -> str:
    """A number and, behind an arrow, the same in per cent as that."""
    return found["other"] if _value(found["one"]) == _value(found["other"]) else found[0]


def _in_ten(found: re.Match[str]) -> str:
    try:
        return str(int(found[2], _BASES[found[1].lower()]))
    except ValueError:
        return found[0]


def _based(found: re.Match[str]) -> str:
    system = (found["system"] or "").lower()
    base = _SYSTEMS.get(system) or (int(found["base"]) if found["base"].isdigit() else number_of(found["base"]))
    return f"{found['digits'].upper()}_{{{base}}}" if base else found[0]
