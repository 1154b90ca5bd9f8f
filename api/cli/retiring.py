"""`retire`: publish items of a hidden split that are presumed known."""

from typing import Annotated

import typer

from api.cli.common import as_admin, console, run
from api.core.settings import Settings
from api.worker.retiring import retire as retire_split


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(retire)


def retire(
    benchmark: Annotated[str, typer.Argument(help="slug of the benchmark")],
    split: Annotated[str, typer.Option(help="the hidden split")],
    version: Annotated[str, typer.Option(help="version of the release that this makes")],
    into: Annotated[str, typer.Option(help="the dev split that gets the items")] = "dev",
    everything: Annotated[bool, typer.Option("--everything", help="all of the split, not its feedback part")] = False,
    anyway: Annotated[
        bool, typer.Option("--anyway", help="though the ledger does not presume the golds public")
    ] = False,
) -> None:
    """Publish a split's feedback part as dev items and draw a new one from its ranking part, in a new release."""
    settings = Settings()
    done = run(
        as_admin(
            settings,
            lambda session: retire_split(
                session, settings, benchmark, split, version, into, everything=everything, anyway=anyway
            ),
        )
    )
    console.print(f"published {done.slug} {done.version} ({done.problems} problems)", highlight=False)
