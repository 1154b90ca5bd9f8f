"""The end of a chain whose name or working cannot be read: `pH = pK_a + log(...) = 7.21 + 0.19 = 7.40`."""

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
