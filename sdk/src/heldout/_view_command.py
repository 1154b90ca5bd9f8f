"""`heldout view`: a run on a page."""

import webbrowser
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from heldout._files import replaced, writable
from heldout._text import storable
from heldout._view import page


def view(
    folder: Annotated[Path, typer.Argument(help="the folder of results, or of one run")] = Path("results"),
    to: Annotated[Path | None, typer.Option("--out", "-o", help="the page; default: view.html in the folder")] = None,
    show: Annotated[bool, typer.Option("--open", help="open it in the browser")] = False,
) -> None:
    """Write a run's tasks, messages, transcripts, costs and errors as one static page."""
    written = to or folder / "view.html"
    if to is not None or folder.is_dir():
        writable(written, "--out")
    # A model may have said what UTF-8 has no room for.
    replaced(written, storable(page(folder)))
    Console().print(str(written), markup=False, highlight=False, soft_wrap=True)
    if show:
        webbrowser.open(written.resolve().as_uri())
