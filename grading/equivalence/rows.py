"""A matrix that is told by its rows, its columns or its name: `the matrix with rows (0, -1) and (1, 0)`."""

import re
from typing import Final

_LONGEST: Final = 300
_VECTOR: Final = r"\$?\s?\([^()$\n]{1,120}\)(?:\s?\$)?"
_TOLD: Final = re.compile(
    rf"(?:(?:the|a)\s+)?(?:[23]\s*[×x]\s*[23]\s+)?matrix\s+(?:with|having|whose|that\s+has)\s+(?:the\s+)?(?P<by>row|column)s?\s+(?:vectors?\s+)?(?:are\s+)?"
    rf"(?P<all>{_VECTOR}(?:\s?[,;]?\s?(?:and\s)?{_VECTOR}){{1,5}})",
    re.IGNORECASE,
)
_SIZE: Final = r"(?:\$?(?P<{0}>\d)\s*(?:×|x|\\times|-?by-?)\s*(?P={0})\$?\s*)"
_NAMED: Final = re.compile(
    rf"(?:the|an?)\s+{_SIZE.format('size')}?(?P<sort>identity|unit|zero|null)\s+(?:matrix|vector)(?:\s+\$?[IO](?:_\{{?\d\}}?)?\$?)?"
    rf"|(?:\\mathbf\s*\{{?)?(?P<letter>[I0O])\}}?_\{{{_SIZE.format('index')}\}}|\\(?:vec|mathbf)\s*\{{?\s*(?P<nought>0)\s*\}}?",
    re.IGNORECASE,
)
_CALLED: Final = re.compile(
    r"((?<![A-Za-z\\])I(?:_\{?\w\}?)?\s*\$?)\s*,?\s*\(?\s*(?:(?:i\.e\.|that\s+is),?\s+)?(?:which\s+is\s+)?the\s+"
    rf"{_SIZE.format('called')}?(?:identity|unit)(?:\s+matrix)?\)?",
    re.IGNORECASE,
)
"""`I_2`, the identity matrix"""
_OF_ENTRIES: Final = re.compile(r"\\begin\s*\{[a-zA-Z]*matrix|^\W*(?:\\mathbb\s*)?\{?I(?:_\{?\w\}?)?\W*$")
_IDENTITY: Final = re.compile(r"\W*I_\{?(?P<size>\w)\}?\W*")
_NOUGHTS: Final = re.compile(
    r"\W*(?:\\(?:left|right|begin\s*\{[a-z]matrix\}|end\s*\{[a-z]matrix\})|0|[^\w\\]|\\\\)+\W*"
)
_ROUND: Final = re.compile(r"[\s$]*\((?P<inner>[^(),]{1,40})\)[\s$.]*")
_ANGLE: Final = re.compile(r"[\s$]*(?:I\s*=\s*)?\\langle\s*(?P<inner>[^(),|]{1,40}?)\s*\\rangle[\s$.]*")
_WHOLES: Final = re.compile(r"[\s$]*(?P<inner>\d{1,6})\s*\\mathbb\s*\{?\s*Z\s*\}?[\s$.]*")
_EACH: Final = re.compile(r"\(([^()]*)\)")


def with_names(text: str, gold: str) -> str:
    """A text with `the 3 × 3 identity matrix` as `I_3`, and with the zero vector as the gold, where it is that."""
    if "angle" in gold + text and len(text) <= _LONGEST:
        text = _ideal(text, gold)
    if len(text) > _LONGEST or "\\begin" in text or _NAMED.search(text) is None:
        return text
    noughts = "0" in gold and _NOUGHTS.fullmatch(gold) is not None
    if not noughts and _OF_ENTRIES.search(gold) is None:
        return text
    known = _IDENTITY.fullmatch(gold.strip())

    def written(found: re.Match[str]) -> str:
        sort = (found["sort"] or "").lower()
        if noughts and (found["nought"] or sort in ("zero", "null")):
            return f"${gold.strip('$ ')}$" if sort else gold.strip("$ ")
        if found["nought"]:
            return found[0]
        letter = "O" if sort in ("zero", "null") or found["letter"] in ("0", "O") else "I"
        size = found["size"] or found["index"] or (known["size"] if known is not None and letter == "I" else None)
        name = f"{letter}_{size}" if size else letter
        return f"${name}$" if sort else name

    return _NAMED.sub(written, _CALLED.sub(r"\1", text))


def _ideal(text: str, gold: str) -> str:
    """An ideal as the gold writes it: `(2)`, `\\langle 2 \\rangle` or `2\\mathbb Z`."""
    round_, angle = _ROUND.fullmatch(text), _ANGLE.fullmatch(text)
    if _ROUND.fullmatch(gold) is not None and angle is not None:
        return f"({angle['inner']})"
    whole = _WHOLES.fullmatch(text) or round_
    return f"\\langle {whole['inner']} \\rangle" if _ANGLE.fullmatch(gold) is not None and whole is not None else text


def with_rows(text: str) -> str:
    """A text in which a matrix that is told by its rows stands as one; rows of different lengths are left."""
    return _TOLD.sub(_written, text) if "row" in text or "column" in text else text


def _written(found: re.Match[str]) -> str:
    rows = [[entry.strip() for entry in each.split(",")] for each in _EACH.findall(found["all"])]
    if len({len(row) for row in rows}) != 1 or not all(entry for row in rows for entry in row):
        return found[0]
    if found["by"].lower() == "column":
        rows = [list(row) for row in zip(*rows, strict=True)]
    body = r" \\ ".join(" & ".join(row) for row in rows)
    return rf"$\begin{{pmatrix}} {body} \end{{pmatrix}}$"
