"""The end of a chain whose name or working cannot be read: `pH = pK_a + log(...) = 7.21 + 0.19 = 7.40`."""

import itertools
import re
from collections.abc import Iterator
from typing import Final

_NAME: Final = re.compile(
    r"(?:\\(?:text|mathrm|operatorname|mathit)\s*\{[A-Za-z ]{1,24}\}|\\?[A-Za-z]+)(?:_\{?[\\\w]{1,12}\}?)?'?"
    r"(?:\s*\([^()=]{1,40}\))?"
    r"|\\?[A-Za-z]+\s*\^\s*\{?\s*\\circ\s*\}?\s*_\s*(?:\{[^{}=]{1,30}\}|\w)"
    r"|\\(?:o?i{0,3}nt|sum|prod|lim)(?![A-Za-z]).{1,100}"
)
"""What a chain may begin with: a name, and its argument; an integral, a sum, a limit, whose value is asked for."""
_SIGN: Final = re.compile(r"(?<![<>!:=])=(?!=)|≈|\\approx(?![A-Za-z])")
_SEVERAL: Final = re.compile(
    r"[,;<>≤≥≠?$\n]|\\(?:le|ge|leq|geq|lt|gt|ne|neq|leqslant|geqslant|in|to|equiv|sim|implies|iff|Rightarrow|Leftrightarrow|begin|quad|qquad|pm|mp|lor)(?![A-Za-z])"
    r"|\b(?:or|and|if|for|when|not)\b"
)
"""What makes more than a value of a member."""
_DENIED: Final = re.compile(r"\\neq?(?![A-Za-z])|≠|!=|\?|\b(?:not|no|wrong|false|never|if|or)\b")
_GROUP: Final = re.compile(r"\([^()\[\]{}]*\)|\[[^()\[\]{}]*\]|\{[^()\[\]{}]*\}")
_GAP: Final = re.compile(r"\\[,;:! ]")
_NAMED_CHAIN: Final = re.compile(
    r"(?P<name>[A-Za-z]\w{0,3}['′]?(?:\([^()=]{1,40}\)|\[[^\[\]=]{1,40}\])?)\s*[=≈]\s*"
    r"(?P<members>[^=≈\n$]{1,80}(?:[=≈][^=≈\n$]{1,80}){1,5})"
)
_WORKING: Final = re.compile(
    r"\s*(?:[-−+*/×·÷^\s().\d²³⁴⁻⁰¹⁵-⁹%!]|,(?=\d{3})"
    r"|(?<![A-Za-z])(?!(?i:or|if|at|is|so|in|no|of|to|by|as|on|an|be|we|it|up|do|vs|et|ou|un|si|en|la|le)(?![A-Za-z]))"
    r"[A-Za-z]{1,2}[₀-₉]?(?![A-Za-z])|(?:log|ln|exp|sqrt|√)|[A-Za-z]\([^()]{1,40}\)|\[[^\[\]]{1,12}\])+\s*"
)
"""A member of a chain that is worked out, without words: `P(none)`, `[H⁺]`."""
_EXACTLY: Final = re.compile(
    r"(?=.*(?:ln|log|√|sqrt|π|pi|e))(?:[-−+*/×·÷^\s().\d²³√πe]|(?:ln|log|sqrt|exp|pi)(?![A-Za-z]))+"
)
_IN_NUMBERS: Final = re.compile(r"[-−+*/×·÷^\s().\d,²³]*\d[-−+*/×·÷^\s().\d,²³%]*")
_LONGEST: Final = 600
_MOST: Final = 8


def ends(text: str) -> Iterator[str]:
    """The ends of a chain `name = working = value`, the longest first; none where the text is no such chain.

    A chain of two is an equation that could not be read, and no working.
    """
    bare = _GAP.sub(" ", text.strip().strip("$").strip(" ."))
    if len(bare) > _LONGEST or "=" not in bare:
        return
    signs = [found for found in _SIGN.finditer(bare) if _depth(bare[: found.start()]) == 0]
    if not 2 <= len(signs) <= _MOST or _NAME.fullmatch(bare[: signs[0].start()].strip()) is None:
        return
    if _DENIED.search(bare) or _SEVERAL.search(_outside(bare)):
        return
    for sign in signs[1:]:
        end = bare[sign.end() :]
        if not _SEVERAL.search(end):
            yield f"${end.strip()}$"


def _outside(text: str) -> str:
    """What stands outside of all brackets."""
    while (shorter := _GROUP.sub(" ", text)) != text:
        text = shorter
    return text


def _depth(text: str) -> int:
    """How many brackets are open at the end of a text."""
    return sum(text.count(mark) for mark in "([{") - sum(text.count(mark) for mark in ")]}")


def in_numbers(given: str) -> str:
    """The end in numbers of a chain that begins with a name (`P(at least one) = 1 - P(none) = 1 - 1/3 = 2/3`).

    Other texts, and chains without words or symbols between the name and the numbers, stay as they are.
    """
    found = _NAMED_CHAIN.fullmatch(given.strip()) if "=" in given or "≈" in given else None
    if found is None:
        return given
    members = re.split(r"\s*(?:=|≈)\s*", found["members"].rstrip(" ."))
    if "≈" in found["members"] and len(members) == 2 and _EXACTLY.fullmatch(members[0]):
        return given
    kept = list(itertools.takewhile(lambda each: _IN_NUMBERS.fullmatch(each) is not None, reversed(members)))
    if not kept or len(kept) == len(members) or not all(_WORKING.fullmatch(each) for each in members):
        return given
    return " = ".join(reversed(kept)) if "≈" not in found["members"] else kept[0]
