"""`doctor`: what this machine can and cannot isolate."""

from typing import Annotated

import typer

from api.cli.common import run


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(doctor)


def doctor(
    quick: Annotated[bool, typer.Option("--quick", help="only say which backends start, without the attacks")] = False,
) -> None:
    """Put this machine's sandboxes through the attack suite and say in plain words what they isolate (a minute)."""
    # The Docker SDK is slow to import; other commands need not wait for it.
    from envs.browser import doctor as browser
    from envs.sandbox.doctor import examine, report

    findings = run(examine(attacks=not quick))
    typer.echo("\n".join([*report(findings), "", *browser.report()]))
    if not any(finding.usable for finding in findings):
        raise typer.Exit(1)
