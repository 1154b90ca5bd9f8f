"""`groups`: how the entries of a board do on groups of items, for an owner who takes no part."""

from collections.abc import Iterable
from typing import Annotated

import typer
from rich.table import Table

from api.cli.common import as_admin, console, run
from api.core.settings import Settings
from api.worker.grouping import EntryGroups, groups_of
from protection.feedback.exit import GROUP_ITEMS
from protection.feedback.release import GroupBand


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(groups)


def groups(
    benchmark: Annotated[str, typer.Argument(help="slug of the benchmark")],
    split: Annotated[str, typer.Option(help="the hidden split")],
) -> None:
    """Show an owner who takes no part each entry's score bands on groups of at least 50 items of a hidden split."""
    settings = Settings()
    found = run(as_admin(settings, lambda session: groups_of(session, settings, benchmark, split)))
    shown = list(_rows(found))
    if not shown:
        console.print(f"no entry is on the board, or no group has {GROUP_ITEMS} items", highlight=False)
        return
    table = Table("organisation", "model", "by", "group", "items", "score")
    for row in shown:
        table.add_row(*row)
    console.print(table)


def _rows(found: Iterable[EntryGroups]) -> Iterable[tuple[str, ...]]:
    for entry in found:
        for by, bands in (("subject", entry.subjects), ("type", entry.types)):
            for band in bands:
                yield (entry.organisation, entry.model, by, band.group, str(band.items), _score(band))


def _score(band: GroupBand) -> str:
    if band.from_score is None or band.to_score is None:
        return "not told from guessing"
    return f"{band.from_score:.3f} to {band.to_score:.3f}"
