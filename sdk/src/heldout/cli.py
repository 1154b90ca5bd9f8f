"""The command `heldout`; needs the extra: `pip install 'heldout[cli]'`."""

import sys


def main() -> None:
    """Run the command line; errors are one line each, without a traceback."""
    try:
        from heldout import _commands, _failures
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in {"typer", "rich", "click"}:
            raise
        sys.exit("the command line needs more packages: pip install 'heldout[cli]'")
    _failures.run(_commands.app)
