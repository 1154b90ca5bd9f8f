"""Two processes and one folder of results."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from heldout import Conflict, _failures
from heldout.evaluation.locked import locked

HOLD = """
import sys, pathlib
from heldout.evaluation.locked import locked
with locked(pathlib.Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_the_second_says_who_has_it_and_a_process_that_died_has_nothing(tmp_path: Path) -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdin=pipe, stdout=pipe) as first:
        assert first.stdout
        assert first.stdout.readline() == b"held\n"
        with pytest.raises(Conflict, match=rf"is in use by process {first.pid} on "), locked(tmp_path):
            pass
        first.kill()
        first.wait()
    with locked(tmp_path):
        assert str(os.getpid()) in (tmp_path / "lock").read_text()


def test_the_command_ends_as_for_wrong_usage(monkeypatch: pytest.MonkeyPatch) -> None:
    def app(**more: object) -> None:
        raise Conflict("results/m/quiz-dev is in use by process 7 on here", code="folder_in_use")

    monkeypatch.setattr(_failures, "Client", type("Client", (), {}))
    with pytest.raises(SystemExit) as ended:
        _failures.run(app)  # type: ignore[arg-type]
    assert ended.value.code == 2
