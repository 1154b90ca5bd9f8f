"""Sets in plain type: intervals, points, sets in braces, their unions, and inequalities (`x ≤ -1 or x > 2`)."""

import re
from collections.abc import Callable, Iterator
from typing import Final

_NUMBER: Final = r"\s*[-−+]?(?:\d[\d./]*(?:√\d+|π)?|∞|√\d+|π(?:/\d+)?|inf(?:inity)?)\s*"
_INTERVAL: Final = rf"[(\[\]]{_NUMBER}(?:,{_NUMBER}){{1,3}}[)\]\[]"
_IN_BRACES: Final = (
    r"(?<!\\)\{(?=[^{}\n]{0,80}[,±])(?![^{}\n]{0,80}(?:[A-Za-z]{3}|[\\$\ue000-\ue2ff:|]))[^{}\n]{1,80}\}"
)
_SET: Final = rf"(?:{_INTERVAL}|{_IN_BRACES})"
_NAMES: Final = r"(?:\([a-z](?:_?\d)?(?:,\s*[a-z](?:_?\d)?){1,4}\)\s*=\s*)?"
"""`(x, y, z) =` before a point."""
_SETS: Final = re.compile(rf"(?<![\w\])}}^_\\]){_NAMES}{_SET}(?:\s*[∪∩∖]\s*{_SET}){{0,4}}(?![\w^(])")
_SIDE: Final = r"[-−+]?(?:\d+(?:[.,/]\d+)?(?:√\d+|π)?|∞|π(?:/\d+)?|√\d+)"
_SIGN: Final = r"\s*(?:[≤≥≠]|<=|>=|[<>])\s*"
_INEQUALITY: Final = re.compile(
    rf"(?<![\w\\$)\]}}^_=<>≤≥+*/·×√.-])(?<![−-]\s)(?:{_SIDE}{_SIGN})?[a-zθ](?:{_SIGN}{_SIDE})"
    r"(?=\s*(?:\*\*|[.,;:)\n]|\Z|\s(?:or|and|but|where|if|because|since|so|which|only)\b))(?![.,]\d)"
)

_SIDE_IN_NUMBERS: Final = r"[\d(√−-][\d \t.,+*×·÷/()!^²³√π%−-]*"
_EQUATION_LINE: Final = re.compile(
    rf"^[ \t]*(?:[-•][ \t]+)?(?P<equation>(?:[A-Za-z](?:_?\d)?['’]?(?:\(\d+\))?[ \t]*|\d[^=\nA-Za-z]{{0,80}})"
    rf"=[ \t]*{_SIDE_IN_NUMBERS}(?:[=≈][ \t]*{_SIDE_IN_NUMBERS}){{0,6}})$",
    re.MULTILINE,
)


def equation_lines(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each line that is an equation in numbers alone: `7 · 6 / 2 = 21`, `P = 3/8`."""
    for found in _EQUATION_LINE.finditer(text):
        equation = found["equation"].rstrip(" \t.,")
        if all(side.count("(") == side.count(")") for side in re.split("[=≈]", equation)):
            yield found.start("equation"), found.start("equation") + len(equation)


def with_plain_sets(text: str, put: Callable[[str], str | None]) -> str:
    """A text in which sets in plain type are what `put` gives for their formulas; None leaves one as it is."""

    def in_brackets(found: re.Match[str]) -> str:
        return put(re.sub(r"(?<!\\)([{}])", r"\\\1", found[0])) or found[0]

    def as_it_stands(found: re.Match[str]) -> str:
        return put(found[0]) or found[0]

    text = _SETS.sub(in_brackets, text)
    return _INEQUALITY.sub(as_it_stands, text) if re.search("[<>≤≥≠]", text) else text
