"""A listing as a table in a terminal: which columns there are is the service's word, sent with every page."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from pydantic import JsonValue
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from heldout.models import Column, Entry

_LEFT = {"text", "date", "flag"}


def leaderboard_table(columns: Sequence[Column], entries: Iterable[Entry], title: str | None = None) -> Table:
    """The columns that are shown in a terminal; an optional one is left out where it is empty in all rows."""
    rows = [entry.cells for entry in entries]
    shown = [
        column
        for column in columns
        if "terminal" in column.shown_in
        and (not column.optional or not all(_empty(row.get(column.name)) for row in rows))
    ]
    table = Table(title=title)
    for column in shown:
        # Names give way in a narrow terminal; a number that is cut off would be another number.
        left = column.format in _LEFT
        table.add_column(column.label.lower(), justify="left" if left else "right", no_wrap=not left, overflow="fold")
    for row in rows:
        # Names of models are not rich markup.
        table.add_row(*(Text(written(column.format, row.get(column.name))) for column in shown))
    return table


def listing(console: Console, names: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Rows as a table; see `show`."""
    table = Table(*names)
    for row in rows:
        # Texts of problems and models are not rich markup.
        table.add_row(*map(Text, row))
    show(console, table)


def show(console: Console, table: Table, heads: int = 1) -> None:
    """The table or, where the terminal is too narrow, of each row the first `heads` cells with the others named below:
    ids are there to be copied, nothing is cut and no word is broken."""
    # Measured on a wide terminal: on this one it would be as wide as there is room.
    if console.measure(table, options=console.options.update(width=10_000)).maximum <= console.width:
        console.print(table)
        return
    if table.title:
        console.print(table.title, soft_wrap=True)
    names = [str(column.header) for column in table.columns]
    for row in zip(*(map(str, column.cells) for column in table.columns), strict=True):
        console.print(Text(" \u00b7 ".join(cell for cell in row[:heads] if cell)), soft_wrap=True)
        words = [f"{name} {cell}" for name, cell in zip(names[heads:], row[heads:], strict=True) if cell]
        for line in _filled(words, console.width - 4):
            console.print(Text(f"    {line}"), soft_wrap=True)


def _filled(words: Sequence[str], width: int) -> list[str]:
    """Facts in lines of at most `width`, each fact whole."""
    lines: list[str] = []
    for word in words:
        if lines and cell_len(f"{lines[-1]}, {word}") < width:
            lines[-1] += f", {word}"
        else:
            lines[-1:] = [*(f"{line}," for line in lines[-1:]), word]
    return lines


def _empty(value: JsonValue) -> bool:
    return value is None or value is False or value == ""


def written(form: str, value: JsonValue) -> str:
    """A value as people read it; `–` where there is none, and the plain value of a format that is not known here."""
    if value is None:
        return "–"
    given: Any = value
    try:
        return _WRITTEN.get(form, str)(given)
    except (TypeError, ValueError, LookupError):
        return str(value)


_WRITTEN: dict[str, Callable[[Any], str]] = {
    "score": "{:.3f}".format,
    "integer": "{:,.0f}".format,
    "percent": "{:.0%}".format,
    "money": "${:,.2f}".format,
    "seconds": "{:,.0f} s".format,
    "date": lambda value: str(value[:10]),
    "flag": lambda value: "yes" if value else "",
    "interval": lambda value: "{:.3f}–{:.3f}".format(*value),
    "gap": lambda value: "{gap:+.2f} ({low:+.2f} to {high:+.2f}), p = {p}".format(**value),
}
