"""A text of formulas on lines of their own: which of them is the answer."""

import re
from typing import Final

from grading.language.wordless import is_wordless

_OPENED: Final = re.compile(r"\\(?:[\[({]|begin\b|left\b)|(?<!\\)[({\[]")
_CLOSED: Final = re.compile(r"\\(?:[\])}]|end\b|right\b)|(?<!\\)[)}\]]")
_DOLLAR: Final = re.compile(r"(?<!\\)\$")
_GOES_ON: Final = re.compile(
    r"(?:[=<>≤≥≈≠+\-−*/×·÷,;:&^_]|\\\\|\\(?:leq?|geq?|neq?|approx|cdot|times|div|to|in|equiv|pm|mp|quad|cup|cap|text\{[^{}]*\})"
    r"|(?<![A-Za-z])(?:or|and|is|by|to|of|the|that|with|where|for|if))[\s$.*\\\])]*$"
)
_FROM_BEFORE: Final = re.compile(
    r"[\s$*&]*(?:\\[\[(][\s&]*)?(?:[=<>≤≥≈≠*/×·÷,;:)\]}^_]|[-−+](?=\s)|\\(?:leq?|geq?|neq?|approx|cdot|times|div|to|in|equiv|pm|mp|quad|cup|cap|end|right|implies|iff"
    r"|Rightarrow|text|mathrm)(?![A-Za-z])|[⇒⟹→]|\(|[A-Za-zµ°%]{2,}|[A-Za-z]\W*$)"
)
"""How a line begins that goes on with the one before it: a relation, an operation, a word, a unit."""
_BRACKETED: Final = re.compile(r"[\s$]*\([^()]*\)[\s$.]*$")
_NAMED: Final = re.compile(r"[\s$*]*(?:\\\[)?\s*\\?[A-Za-z]+(?:_\w|_\{\w+\})?\s*=[^=]*$")
_NUMBER: Final = re.compile(r"[\s$*\\\[\]().]*[-−+]?\d[\d.,/]*[\s$*\\\[\]().]*")
_MOST: Final = 400
SEVERAL: Final = "several values on lines of their own"


def last_of(text: str) -> str | None:
    """The last of several formulas on lines of their own, `name = value` on each of them as a list.

    The text as it is where its lines are one formula; None where they are plain numbers that differ.
    """
    if "\n" not in text.strip() or len(text) > _MOST:
        return text
    parts = _parts(text.strip())
    if len(parts) < 2 or not all(_is_formula(part) for part in parts[-1:]):
        return text
    if all(_NAMED.match(part) for part in parts):
        return ", ".join(part.strip(" $*\n.") for part in parts)
    if all(_NUMBER.fullmatch(part) for part in parts):
        values = {re.sub(r"[^\d.,/\-−+]|\.$", "", part.strip().rstrip(".")) for part in parts}
        return parts[-1] if len(values) == 1 else None
    return parts[-1]


def _is_formula(part: str) -> bool:
    return is_wordless(part.replace("\n", " "))


def _parts(text: str) -> list[str]:
    """Lines, joined where a bracket, a formula or an operation goes on over the end of one."""
    parts: list[str] = []
    for line in text.split("\n"):
        if not line.strip():
            continue
        if parts and (_open(parts[-1]) or _GOES_ON.search(parts[-1]) or _follows(line)):
            parts[-1] += "\n" + line
        else:
            parts.append(line)
    return parts


def _follows(line: str) -> bool:
    return _FROM_BEFORE.match(line) is not None and not _BRACKETED.match(line)


def _open(text: str) -> bool:
    opened, closed = len(_OPENED.findall(text)), len(_CLOSED.findall(text))
    return opened > closed or len(_DOLLAR.findall(text)) % 2 == 1
