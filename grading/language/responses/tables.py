"""The value that a response ends in as lines of its own: a table's row of totals, letters with their values."""

import re
from typing import Final

_TOTAL: Final = re.compile(
    r"\W*(?:(?:grand|final|overall)\s+)?(?:totals?|sums?|answer|result|in\s+total|altogether|gesamt|summe|somme|totale|suma|итого|всего|合计|总计|合計|합계)\W*",
    re.IGNORECASE,
)
_CELL: Final = re.compile(
    r"\s*(?P<bold>\*\*|__)?\s*(?P<value>\$?[-−]?\\?[$€£]?\d[\d.,]*(?:\s?[%°A-Za-zµ/²³]{1,6})?\$?)\s*(?(bold)(?:\*\*|__))\s*"
)
_ASSIGNED: Final = re.compile(
    r"[\s>]*(?:[-*•+]\s+|\d{1,2}[.)]\s+)?(?:\*\*|__)?\$?(?P<name>\\?[A-Za-z]{1,7}(?:_\w|_\{\w{1,3}\}|[₀-₉])?)\s*=\s*(?P<value>[^=<>≤≥≈\n]{1,40}?)\$?(?:\*\*|__)?[.,;]?\s*"
)
_UNSOUND: Final = re.compile(
    r"\b(?:not|never|no|n['’]t|try|tried|trying|guess\w*|suppose\w*|assum\w*|claims?|said|says|wrong\w*|let|given|where|with|if|initially|start\w*|test\w*|check\w*|reject\w*)\b",
    re.IGNORECASE,
)
"""Words of the line before the letters with which they are no solution."""
_LEAST: Final = 2
_LETTER: Final = re.compile(r"\\[a-z]+|[A-Za-z](?:_.*|[₀-₉])?")


def total_of(text: str) -> str | None:
    """The value of a last row that is headed as the total: its only one, or the only one in bold type."""
    line = text.rstrip().rpartition("\n")[2].strip()
    if not line.endswith("|") or not line.startswith("|"):
        return None
    head, *cells = line.strip("|").split("|")
    if not _TOTAL.fullmatch(head):
        return None
    found = [cell for cell in map(_CELL.fullmatch, cells) if cell is not None]
    bold = [cell for cell in found if cell["bold"]]
    kept = bold if bold else found
    return kept[0]["value"] if len(kept) == 1 else None


def letters_on_lines(text: str) -> str | None:
    """`x = 7` and `y = 3` on the last lines of a response as a list of them."""
    lines = [line for line in text.split("\n") if line.strip()]
    found: list[re.Match[str]] = []
    while lines and (assigned := _ASSIGNED.fullmatch(lines[-1])) is not None and _LETTER.fullmatch(assigned["name"]):
        found.insert(0, assigned)
        lines.pop()
    names = {each["name"] for each in found}
    wordy = any(re.search(r"(?<![\\A-Za-z])[A-Za-z]{4,}", each["value"]) for each in found)
    if len(found) < _LEAST or len(names) < len(found) or wordy or (lines and _UNSOUND.search(lines[-1])):
        return None
    return ", ".join(f"{each['name']} = {each['value'].strip()}" for each in found)
