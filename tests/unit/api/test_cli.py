"""The command line imports what a command needs, and its help names every command."""

import os
import signal
import subprocess
import sys

import pytest
import typer
from typer.main import get_command

from api.cli import common
from api.cli import main as cli


def test_every_module_adds_the_commands_that_are_said_of_it() -> None:
    for module, commands in cli.MODULES.items():
        group = get_command(cli.built([module]))
        assert tuple(group.commands) == commands, module  # type: ignore[attr-defined]


def test_the_service_starts_without_what_only_owners_commands_need() -> None:
    code = (
        "import sys; from api.cli import main as cli; sys.argv = ['heldout-server', 'serve', '--help']\n"
        "try: cli.main()\n"
        "except SystemExit: pass\n"
        "print(sorted(m for m in ('scipy.stats', 'sympy', 'api.cli.admission', 'playwright') if m in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]", done.stdout


def test_sigterm_is_heard_where_the_work_never_waited() -> None:
    async def blocks() -> None:
        os.kill(os.getpid(), signal.SIGTERM)

    with pytest.raises(typer.Exit) as ended:
        common.run(blocks())
    assert ended.value.exit_code == 128 + signal.SIGTERM
