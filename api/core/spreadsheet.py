"""What is written into CSV files that a spreadsheet opens."""

import csv
import io
import unicodedata
from collections.abc import Iterable, Sequence

_FORMULA = frozenset("=+-@")


def safe_cell(value: object) -> object:
    """The cell's value, made text where a spreadsheet would run it as a formula.

    Spreadsheets pass over space before the sign, and some take its full-width and small forms for it.
    """
    if not isinstance(value, str) or not value:
        return value
    begin = next((character for character in value if not _passed_over(character)), "")
    sign = unicodedata.normalize("NFKC", begin)[:1]
    return "'" + value if sign in _FORMULA or value[0] in "\t\r\n" else value


def table(rows: Iterable[Sequence[object]]) -> str:
    """Rows as CSV that a spreadsheet opens safely."""
    out = io.StringIO()
    csv.writer(out).writerows([safe_cell(cell) for cell in row] for row in rows)
    return out.getvalue()


def _passed_over(character: str) -> bool:
    return character.isspace() or unicodedata.category(character) in ("Cc", "Cf")
