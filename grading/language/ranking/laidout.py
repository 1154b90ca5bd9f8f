"""A response whose tables and blocks of plain lines are laid out as sentences, and whose numbers are in figures."""

import re
from typing import Final

from grading.language.figures import written
from grading.language.numerals import PARTS, WHOLE, number_of
from grading.language.unitnames import is_unit

_ROWS: Final = re.compile(r"(?:^[ \t]*\|[^\n]*\|[ \t]*(?:\n|\Z))+", re.MULTILINE)
_RULE: Final = re.compile(r"[\s|:+-]+")
_CELL: Final = re.compile(r"(?<!\\)\|(?![^$\n]{0,40}\|[^$\n]{0,40}\$)")
_BLOCK: Final = re.compile(
    r"^[ \t]*(?P<fence>```|~~~)[ \t]*(?:text|txt|plain\w*|math)?[ \t]*\n(?P<lines>.*?)^[ \t]*(?P=fence)[ \t]*$",
    re.DOTALL | re.MULTILINE,
)
_PROGRAM: Final = re.compile(
    r"\b(?:def|import|return|print|for|while|if|let|const|var|function)\b[^=\n]*[(:{]|;\s*$|==|\+=|#include",
    re.MULTILINE,
)
_GOES_ON: Final = re.compile(r"\n[ \t]*(?==|≈)")
_IN_HEAD: Final = re.compile(
    r"[(\[]([A-Za-zµΩ°%][\w/²³·^°]{0,9})[)\]]$|\bin\s([A-Za-zµΩ°%][\w/²³·^°]{0,9})$|^([A-Za-zµΩ°][\w/²³·^°]{0,5})$"
)
_NUMBER: Final = re.compile(r"\*{0,2}[-−]?\d[\d,]*(?:\.\d+)?\*{0,2}")
_KEYCAP: Final = re.compile("[0-9]\ufe0f?\u20e3")
"""A number of a step as a picture."""
_LONGEST: Final = 400
_ONE: Final = "(?:" + "|".join(WHOLE) + ")"
_PART: Final = "(?:" + "|".join(PARTS) + ")s?"
IN_WORDS: Final = (
    rf"(?<![\w\\-])(?:a\s+(?=hundred|thousand|million|dozen))?{_ONE}"
    rf"(?:[\s-]+(?:and\s+)?(?:an?\s+)?(?:{_ONE}|{_PART})\b)*(?:\s+point(?:\s+{_ONE}\b)+)?(?![\w-])"
)
"""A number in words."""
_IN_WORDS: Final = re.compile(IN_WORDS, re.IGNORECASE)
_GAP: Final = "[ \u00a0\u2009\u202f]"
_GROUPED: Final = re.compile(
    rf"(?<![\w.,])(?<!\d{_GAP})[1-9]\d{{0,2}}(?:(?:{_GAP}000)+|(?:{_GAP}\d{{3}})+(?=(?:\.\d+)?{_GAP}?[A-Za-z°%µΩ€£]))(?![\d,]|{_GAP}\d)"
)
"""A number whose groups of three digits stand apart, where it is no list of numbers."""
_ONE_UNIT: Final = re.compile(r"(?<![\w-])one\s+(?P<unit>(?!second\b|degree\b)[a-z]{4,12})\b(?!\s+(?:\d|and\b))")
"""`exactly one joule`; other things that are one are not counted."""
_NO_NUMBERS: Final = frozenset(["one", "dozen", "zero", "thousand", "hundred", "million", "billion"])


def laid_out(text: str) -> str:
    """The text with a line for each row of its tables, `first cell: other cells`, its blocks opened, and in figures."""
    if "```" in text or "~~~" in text:
        text = _BLOCK.sub(_opened, text)
    if "|" in text:
        text = _ROWS.sub(_rows, text)
    text = _GROUPED.sub(lambda found: re.sub(r"\s", "", found[0]), text)
    text = _IN_WORDS.sub(_figures, _KEYCAP.sub("", text) if "\u20e3" in text else text)
    return _ONE_UNIT.sub(_counted, text)


def _counted(one: re.Match[str]) -> str:
    return f"1 {one['unit']}" if is_unit(one["unit"]) else one[0]


def _figures(number: re.Match[str]) -> str:
    value = number_of(number[0]) if number[0].lower() not in _NO_NUMBERS else None
    return number[0] if value is None else written(value)


def _opened(block: re.Match[str]) -> str:
    if _PROGRAM.search(block["lines"]):
        return block[0]
    lines = [line.strip() for line in _GOES_ON.sub(" ", block["lines"]).split("\n") if line.strip()]
    return "\n" + "\n\n".join(lines) + "\n"


def _rows(table: re.Match[str]) -> str:
    lines = [line.strip()[1:-1] for line in table[0].strip().split("\n")]
    rows = [[cell.strip() for cell in _CELL.split(line)] for line in lines if not _RULE.fullmatch(line)]
    ruled = any(_RULE.fullmatch(line) for line in lines[1:2])
    heads, rows = (rows[0], rows[1:]) if ruled and len(rows) > 1 else ([], rows)
    said = []
    units = [_unit_of_column(head) for head in heads]
    for head, *cells in rows:
        fits = len(heads) == len(cells) + 1
        named = fits and len(cells) > 1
        parts = [
            (f"{heads[at + 1]} " if named and heads[at + 1] else "")
            + (_with_unit(cell, units[at + 1]) if fits else cell)
            for at, cell in enumerate(cells)
            if cell
        ]
        said.append(f"- {head}: {'; '.join(parts)}"[:_LONGEST] if head else f"- {'; '.join(parts)}"[:_LONGEST])
    return "\n" + "\n".join(said) + "\n"


def _unit_of_column(head: str) -> str:
    """The unit in which a column's head says that its numbers are: `W`, `mass (g)`, `F in N`."""
    said = _IN_HEAD.search(head.strip(" *"))
    unit = next((each for each in said.groups() if each), "") if said is not None else ""
    return unit if unit and is_unit(unit) else ""


def _with_unit(cell: str, unit: str) -> str:
    return f"{cell} {unit}" if unit and _NUMBER.fullmatch(cell) else cell
