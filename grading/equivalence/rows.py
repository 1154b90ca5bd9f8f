"""A matrix that is told by its rows or its columns: `the matrix with rows (0, -1) and (1, 0)`."""

import re
from typing import Final

_VECTOR: Final = r"\$?\s?\([^()$\n]{1,120}\)(?:\s?\$)?"
_TOLD: Final = re.compile(
    rf"(?:(?:the|a)\s+)?(?:[23]\s*[×x]\s*[23]\s+)?matrix\s+(?:with|having|whose|that\s+has)\s+(?:the\s+)?(?P<by>row|column)s?\s+(?:vectors?\s+)?(?:are\s+)?"
    rf"(?P<all>{_VECTOR}(?:\s?[,;]?\s?(?:and\s)?{_VECTOR}){{1,5}})",
    re.IGNORECASE,
)
_EACH: Final = re.compile(r"\(([^()]*)\)")


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
