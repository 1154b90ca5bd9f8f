"""Brackets and arrows as people type them: sets in plain braces, rows of numbers, classes, maps of an element."""

import re

_PLAIN_SET = re.compile(
    r"\s*(?P<name>[A-Z(][^={}\\\n\d]{0,30}?\s*=\s*|[A-Za-z]\s*=\s*)?\{[^{}\\=:|]{1,80},[^{}\\=:|]{1,80}\}\s*"
)
_PLAIN_BUILDER = re.compile(r"\s*\{(?P<inner>[^{}]{1,80}(?:∈|\\in\b)[^{}]{1,80}[:|][^{}]{1,120})\}\s*")
"""`{y ∈ ℝ : y ≥ 1}`"""
_FAMILY = re.compile(
    r"\s*\{(?P<inner>[^{}:|]{1,80}(?::|\s\|\s|\\mid\b)[^{}]{0,60}(?:∈|\\in\b|[<>≤≥])[^{}]{1,60}(?:\{[^{}]{1,9}\})?)\}\s*"
)
"""`{(t, −2t) : t ∈ ℝ}`"""
_SYSTEM = re.compile(
    r"\\left\s*\\\{\s*\\begin\{(?P<name>aligned|array|matrix|gathered|split|alignedat)\}(?:\{[lcr|\s\d]{1,12}\})?(?P<rows>[^{}]*=(?:[^{}]|\{[^{}]*\}){1,200}?)\\end\{(?P=name)\}\s*\\right\s*\."
)
_TO_INFINITY = re.compile(r"(,\s*\+?(?:\\infty|∞)\s*)(\\right\s*)?\](?!\s*-?\d)")
_FROM_INFINITY = re.compile(r"(\\left\s*)?\[(\s*[-−]\s*(?:\\infty|∞)\s*,)")

_RANGED = re.compile(
    r"(?:\\left)?(?:\\\{|\()(?P<body>[^=;]{1,80}?)(?:\\right)?(?:\\\}|\))_\{?(?P<letter>[a-z])(?:=|\\geq?|≥)(?P<low>-?\d+)\}?(?:\^\{?(?P<high>[^{}$]{1,20})\}?)?"
)
"""`\\{2k - 1\\}_{k=1}^n`"""
_CLASS = re.compile(r"[\s$]*\[(?P<rest>-?\d{1,6})\]_\{?(?P<modulus>\d{1,6})\}?[\s.$]*")
_DIVIDES = re.compile(r"\W*(?P<divisor>\d{1,6})\s*(?:\\mid|∣|\|)\s*(?P<letter>[a-z])\W*")

_PARITY = re.compile(
    r"(?<![A-Za-z\\])(?P<letter>[a-z])\s*(?:\\text\s*\{\s*(?:is\s+)?(?P<how>even|odd)\s*\}|(?:is\s+)?(?P<plain>even|odd)\b)(?=[^{}]*\})"
)
"""`{n : n \\text{ even}}`"""

_APART = r"(?:\s|\\[ ,;:]|~|\\q?quad|&)+"
_ROW = re.compile(
    rf"(?P<lead>[^\[\]]{{0,20}})\[\s*(?P<row>[-−]?\d[\d./]*(?:{_APART}[-−]?\d[\d./]*){{1,9}})\s*\](?P<rest>[^\[\]]{{0,12}})"
)
"""`[1\\ 2\\ 3]`"""
_BETWEEN = re.compile(_APART)
_MAPS = re.compile(
    r"[\s$]*(?:(?P<name>[A-Za-z])\s*:\s*)?(?P<letter>[a-z])\s*(?:\\(?:long)?mapsto(?![A-Za-z])|↦)\s*"
    r"(?P<value>[^$↦]{1,200}?)[\s$.]*"
)
"""`x \\mapsto x^2`"""


def with_brackets(text: str) -> str:
    """A text with its set and its intervals as the language writes them."""
    if "{" in text and "\\begin" not in text and ("even" in text or "odd" in text):
        text = _PARITY.sub(lambda found: f"{found['letter']} \\equiv {int('odd' in found[0])} \\pmod{{2}}", text)
    maps = _MAPS.fullmatch(text) if "mapsto" in text or "↦" in text else None
    if maps is not None:
        return f"{maps['name'] or 'f'}({maps['letter']}) = {maps['value']}"
    row = _ROW.fullmatch(text.strip(" $.")) if "[" in text else None
    if row is not None:
        return f"{row['lead']}[{_BETWEEN.sub(', ', row['row'])}]{row['rest']}"
    ranged = _RANGED.fullmatch(text.strip(" $.")) if "_" in text else None
    if ranged is not None:
        high = ranged["high"]
        end = f"\\le {ranged['letter']} \\le {high}" if high and "infty" not in high and "∞" not in high else ""
        limits = f"{ranged['low']} {end}" if end else f"{ranged['letter']} \\ge {ranged['low']}"
        return f"\\{{{ranged['body']} : {limits}\\}}"
    residue = _CLASS.fullmatch(text)
    if residue is not None:
        return f"{residue['rest']} \\pmod{{{residue['modulus']}}}"
    divides = _DIVIDES.fullmatch(text)
    if divides is not None:
        return f"{divides['letter']} \\equiv 0 \\pmod{{{divides['divisor']}}}"
    return _endless(_in_braces(_SYSTEM.sub(_rows_of, text) if "\\begin" in text else text))


def _rows_of(found: re.Match[str]) -> str:
    """Equations one below the other behind a brace as LaTeX writes cases."""
    rows = re.sub(r"&?\s*=\s*&?", "=", found["rows"])
    return f"\\begin{{cases}}{rows}\\end{{cases}}"


def _in_braces(text: str) -> str:
    """A set in plain braces, `{4, 9}`, as LaTeX writes it."""
    built = (_PLAIN_BUILDER.fullmatch(text) or _FAMILY.fullmatch(text)) if "{" in text else None
    if built is not None:
        return f"\\{{{built['inner']}\\}}"
    found = _PLAIN_SET.fullmatch(text) if "{" in text and "\\" not in text else None
    return f"{found['name'] or ''}\\{{{text[text.index('{') + 1 : text.rindex('}')]}\\}}" if found is not None else text


def _endless(text: str) -> str:
    """An interval that is closed at infinity as the open one that is meant."""
    return (
        _TO_INFINITY.sub(r"\1\2)", _FROM_INFINITY.sub(lambda found: f"{found[1] or ''}({found[2]}", text))
        if "inf" in text or "∞" in text
        else text
    )
