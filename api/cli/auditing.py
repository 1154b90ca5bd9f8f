"""`trace` and `ledger`: who leaked a copy, and whether the ledger still holds."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from api.cli.common import as_admin, console, fail, run
from api.core.settings import Settings
from api.leaks.schemas import LeakReport
from api.ledger import sealing
from api.ledger.schemas import LedgerCheck


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(trace)
    app.command("check-ledger")(check_ledger)


def trace(
    file: Annotated[Path, typer.Argument(help="the leaked text, JSON or JSON lines; - reads standard input")],
    benchmark: Annotated[str, typer.Option(help="slug of the benchmark it comes from")],
    as_json: Annotated[bool, typer.Option("--json", help="print the whole report as JSON")] = False,
) -> None:
    """Name whose copy a leaked text comes from, or say that the evidence is too weak to accuse anyone."""
    # It reads answers as graders do, which takes a second to import, and `check-ledger` has no use for.
    from api.worker.tracing import trace as trace_leak

    settings = Settings()
    try:
        text = sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        fail(f"{file} cannot be read: {error.strerror}")

    async def work() -> LeakReport:
        try:
            return await as_admin(settings, lambda session: trace_leak(session, settings, benchmark, {"text": text}))
        except LookupError:
            fail(f"there is no benchmark '{benchmark}'")

    report = run(work())
    if as_json:
        print(report.model_dump_json())
        return
    console.print(report.summary, highlight=False)
    for suspect in report.suspects[:5]:
        mark = "NAMED" if suspect.named else "     "
        console.print(
            f"{mark} {suspect.organisation}: {suspect.matched} of {report.positions} marks, "
            f"evidence 10^{suspect.evidence:.1f}, chance of a false accusation at most {suspect.bound:.2g}",
            highlight=False,
        )
    for channel in report.canaries:
        console.print(f"the canary of the channel '{channel}' is in the text", highlight=False)


def check_ledger() -> None:
    """Seal what is new, walk the hash chain of the exposure ledger, and name the first row that does not fit."""
    settings = Settings()

    async def work() -> LedgerCheck:
        await as_admin(settings, sealing.seal)
        return await as_admin(settings, sealing.check)

    result = run(work())
    if not result.holds:
        fail(f"broken at row {result.broken} of the ledger; the {result.rows} rows before it hold")
    console.print(f"holds: {result.rows} rows, head {result.head}", highlight=False)
