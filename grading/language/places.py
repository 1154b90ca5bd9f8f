"""Points that are said by their coordinates: `x = 8, y = 7 and x = 4, y = 1` are `(8, 7), (4, 1)`."""

import re
from typing import Final

_GAP: Final = r"(?:\s|\\[,;! ]|\\q?quad(?![A-Za-z]))*"
_ONE: Final = r"(?P<{0}>[a-zα-ω](?:_\w)?)\s*=\s*(?P<{0}{0}>[^=,$;]{{1,40}}?)"
_PLACE: Final = re.compile(
    rf"{_GAP}\$?{_GAP}{_ONE.format('a')}\$?\s*(?:,|\band\b){_GAP}\$?{_ONE.format('b')}{_GAP}\$?[\s.]*"
)
_BETWEEN: Final = re.compile(r"\s*(?:;|,?\s*\b(?:and|or)\b(?:\s+also\b)?|(?<=\$),)\s*(?=\$?\s*(?P<name>[a-zα-ω])\s*=)")


_ORIGIN: Final = re.compile(
    r"(?:(?<=\bat\s)|(?<=\bare\s)|(?<=\band\s)|(?<=\bpoints\s))the\s+origin(?=\s*(?:,\s+(?:and|at)\b|and\b|[.!]?\s*$))(?!\s+and\s+(?!at\b|the\s+point|\$?\())"
)
_AND_POINT: Final = re.compile(r"(?<=\)\$\s)and\s+(?:at\s+)?the\s+points?\s+(?=\$?\()")
_ZEROS: Final = re.compile(r"\(\s*(0\s*,\s*0(?:\s*,\s*0)?)\s*\)")


def with_origin(text: str, gold: str) -> str:
    """`at the origin and at (1, 1)` with the point in coordinates, where the gold has it so."""
    zeros = _ZEROS.search(gold) if "origin" in text else None
    return _AND_POINT.sub("and ", _ORIGIN.sub(f"$({zeros[1]})$", text)) if zeros is not None else text


def with_places(text: str) -> str:
    """The text as it is where it does not give two or more points in the same two letters, and nothing else."""
    if text.count("=") < 4:
        return text
    joints = list(_BETWEEN.finditer(text))
    first = _PLACE.match(text)
    name = joints[0]["name"] if joints and first is None else (first["a"] if first is not None else "")
    cuts = [each for each in joints if each["name"] == name]
    starts, ends = [0, *(each.end() for each in cuts)], [*(each.start() for each in cuts), len(text)]
    parts = [_PLACE.fullmatch(text[start:end]) for start, end in zip(starts, ends, strict=True)]
    found = [each for each in parts if each is not None]
    if len(found) < len(parts) or len(found) < 2 or len({(each["a"], each["b"]) for each in found}) > 1:
        return text
    swapped = found[0]["a"] > found[0]["b"]
    if found[0]["a"] == found[0]["b"]:
        return text
    pairs = [(each["bb"], each["aa"]) if swapped else (each["aa"], each["bb"]) for each in found]
    return ", ".join(f"({one.strip()}, {other.strip()})" for one, other in pairs)
