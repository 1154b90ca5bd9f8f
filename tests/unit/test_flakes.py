"""The script that looks for unsteady tests finds one, tells it from one that is simply wrong, and repeats an order."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DEPENDENT = """
import pytest
seen = []

@pytest.mark.parametrize("number", range(6))
def test_other(number):
    seen.append(number)

def test_dependent():
    assert len(seen) % 2 == 0

def test_wrong():
    assert False
"""


@pytest.mark.timeout(300)
def test_a_test_that_depends_on_others_is_found(tmp_path: Path) -> None:
    (tmp_path / "test_suite.py").write_text(DEPENDENT)

    def runs(*more: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "tools.flakes", *more, str(tmp_path), "-p", "no:cacheprovider"]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    done = runs("--runs", "6")
    found = json.loads(done.stdout.splitlines()[-1])
    assert [name.rpartition("::")[2] for name in found["flakes"]] == ["test_dependent"], done.stdout + done.stderr
    assert [name.rpartition("::")[2] for name in found["failed always"]] == ["test_wrong"]
    assert done.returncode == 1
    # The run in which it failed, once more: the same order, so it fails again.
    line = next(line for line in done.stdout.splitlines() if "test_dependent" in line)
    seed = line.split()[1].rstrip(":")
    assert "test_dependent" in runs("--runs", "1", "--seed", seed).stdout
    assert runs("--runs", "1", "-k", "other").returncode == 0
