"""`heldout-server`: every command of the service."""

import typer

from api.commands import (
    administration,
    auditing,
    baseline,
    canary,
    checking,
    convert,
    demo,
    doctor,
    gate,
    generate,
    people,
    regrading,
    reviewing,
    rubrics,
    serving,
    simulate,
    transfer,
)

app = typer.Typer(
    name="heldout-server",
    help="Heldout: benchmarks whose test sets stay unseen.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
_COMMANDS = (
    serving,
    administration,
    transfer,
    convert,
    generate,
    baseline,
    demo,
    checking,
    simulate,
    auditing,
    gate,
    doctor,
    regrading,
    reviewing,
    rubrics,
    canary,
    people,
)
for _module in _COMMANDS:
    _module.register(app)


def main() -> None:
    """Entry point."""
    app()


if __name__ == "__main__":
    main()
