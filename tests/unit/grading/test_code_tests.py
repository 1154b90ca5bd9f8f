"""Programs: their outputs are judged outside the place where they run."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from grading import Answer, Outcome, Tools, grade
from grading.kinds.code_tests import program
from grading.tools import RunnerUnavailableError, RunResult


class LocalRunner:
    """Runs our own harmless programs with this interpreter in a folder of the test's."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, files: dict[str, str], argv: list[str], stdin: str, seconds: float) -> RunResult:
        for name, text in files.items():
            (self.folder / name).write_text(text)
        done = subprocess.run(
            [sys.executable, *argv[1:]], input=stdin, capture_output=True, text=True, cwd=self.folder, timeout=120
        )
        return RunResult(exit_code=done.returncode, stdout=done.stdout, stderr=done.stderr)


class Replying:
    """Gives one scripted result."""

    def __init__(self, result: RunResult | None) -> None:
        self.result = result

    def run(self, files: dict[str, str], argv: list[str], stdin: str, seconds: float) -> RunResult:
        if self.result is None:
            raise RunnerUnavailableError("the pool is empty")
        return self.result


DOUBLE = {"kind": "code_tests", "cases": [{"stdin": "2\n", "stdout": "4\n"}, {"stdin": "5\n", "stdout": "10"}]}


def test_programs_really_run(tmp_path: Path) -> None:
    tools = Tools(runner=LocalRunner(tmp_path))
    right = "Here:\n```python\nprint(int(input()) * 2)\n```\nDone."
    assert grade(Answer(text=right), DOUBLE, tools).outcome is Outcome.CORRECT
    half = grade(Answer(text="print(4)"), {**DOUBLE, "score": "share"}, tools)
    assert half.score == 0.5
    assert "case 2: other output" in half.reason
    assert grade(Answer(text="print(4)"), DOUBLE, tools).score == 0
    assert "exit code" in grade(Answer(text="raise SystemExit(3)"), DOUBLE, tools).reason


def ran(stdout: str = "", **more: Any) -> Tools:
    return Tools(runner=Replying(RunResult(exit_code=0, stdout=stdout, stderr="", **more)))


@pytest.mark.parametrize(
    ("stdout", "compare", "right"),
    [
        ("1.0000000001 x\n", "numbers", True),
        ("1.01 x", "numbers", False),
        ("1 y", "numbers", False),
        ("1 x x", "numbers", False),
        ("1 x  \n\n", "lines", True),
        ("1.0 x", "lines", False),
    ],
)
def test_outputs(stdout: str, compare: str, right: bool) -> None:
    reference = {"kind": "code_tests", "cases": [{"stdout": "1 x"}], "compare": compare}
    assert (grade(Answer(text="pass"), reference, ran(stdout)).score == 1) is right


def test_no_sandbox_is_no_verdict() -> None:
    assert grade(Answer(text="pass"), DOUBLE).outcome is Outcome.UNSCORED
    assert grade(Answer(text="pass"), DOUBLE, Tools(runner=Replying(None))).outcome is Outcome.UNSCORED
    assert grade(Answer(text="pass"), DOUBLE, ran(timed_out=True)).outcome is Outcome.INCORRECT
    assert grade(Answer(text=" "), DOUBLE, ran()).outcome is Outcome.UNPARSEABLE


def test_the_last_block_is_the_program() -> None:
    assert program("```\na\n```\ntext\n```c++\nb\n```") == "b\n"
    assert program("a = 1") == "a = 1"
