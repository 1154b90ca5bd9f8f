"""Formulas that are written among words without delimiters (`the answer is \\frac{1}{2}`), and values without dress."""

import re
from collections.abc import Iterator

_TOKEN = re.compile(
    r"\\(?P<command>[A-Za-z]+)|\\(?P<escaped>[,;:! |{}%])|(?P<open>\{)|(?P<space>[ \t]+)"
    r"|(?P<number>\d+(?:[.,]\d+)*|\.\d+)"
    r"|(?P<word>[A-Za-z]{2,})|(?P<letter>[A-Za-zα-ωΑ-Ω])|(?P<colon>:=)|(?P<sign>[-+−*/=^_()\[\]|<>≤≥≈±·×!~&'²³°])|(?P<comma>,)"
    r"|(?P<other>.)",
    re.DOTALL,
)
_OPTION = re.compile(r"\[[^\[\]\n{}]{1,80}\](?=\{)")
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_ARTICLE = re.compile(r"(?:[aI]|an)\s+(?![-+−*/=^_(\[<>≤≥≈])")
_TYPE = frozenset({"text", "textbf", "textit", "mbox", "textrm", "emph", "n", "t", "r", "quad", "qquad", "item"})
"""Commands that alone make no formula of a text."""
_MOST = 200
_DRESS = re.compile(
    r"^\W*[A-Za-z]\w{0,3}\s*(?:=|\\approx)|\\(?:boxed|text|mathrm)|\\[,;:! ]|[\s${}()*\\]|[.,](?!\d)|(?<!\d)[.,](?!\d)"
)


def plain_value(text: str) -> str:
    """A value's writing without name and dress, by which two of them are held against one another."""
    return _DRESS.sub("", text)


def bare_formulas(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each run of mathematics with a command in it. Linear in the length."""
    closing = _closings(text)
    start, end, place, marked, count = -1, -1, 0, False, 0
    while place < len(text) and count < _MOST:
        found = _TOKEN.match(text, place)
        if found is None:
            break
        kind, place = found.lastgroup, found.end()
        if kind == "open" and found.start() in closing:
            place = closing[found.start()]
            if start < 0:
                start = found.start()
            marked = marked or "\\" in text[found.start() : place]
            end = place
        elif kind in ("command", "number", "letter", "sign", "escaped", "colon"):
            if start < 0:
                start = found.start()
            marked = marked or (kind == "command" and found["command"] not in _TYPE)
            option = _OPTION.match(text, place) if kind == "command" else None
            end = place = option.end() if option is not None else place
        elif kind == "space" or (kind == "comma" and start >= 0):
            continue
        else:
            if start >= 0 and marked:
                count += 1
                yield _trimmed(text, start, end)
            start, marked = -1, False
    if start >= 0 and marked:
        yield _trimmed(text, start, end)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    article = _ARTICLE.match(text, start, end)
    while article is not None:
        start = article.end()
        article = _ARTICLE.match(text, start, end)
    while end > start and text[end - 1] in "([ ":
        end -= 1
    return start, end


def _closings(text: str) -> dict[int, int]:
    """Where each brace is closed, by the place where it opens."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for match in _BRACE.finditer(text):
        if match[0] == "{":
            opened.append(match.start())
        elif match[0] == "}" and opened:
            found[opened.pop()] = match.end()
    return found
