"""The mutation check: a planted fault that a test notices, one that it misses, one that no test reaches."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mutmut", reason="the dependency group `mutation` is not installed")

ROOT = Path(__file__).parents[2]
MODULE = """
def fare(age):
    if age < 6:
        return 0
    return 3


def note(age):
    return [age + 1]


def unused(age):
    return age + 7
"""
TESTS = """
from planted.fares import fare, note


def test_fares():
    assert fare(5) == 0
    assert fare(6) == 3


def test_note_is_made():
    assert note(40)
"""
RUN = """
import json, sys
from pathlib import Path
import pytest
from tools.mutation.faults import faults_of
from tools.mutation.trial import Trial

package = Path(sys.argv[1]) / "planted"
faults = list(faults_of(package / "fares.py"))
trial = Trial(faults, package, 1, 20.0, 0.0)
pytest.main(["-q", "-p", "no:xdist", "-p", "no:cacheprovider", str(package.parent / "test_fares.py")], plugins=[trial])
print(json.dumps({f"{fault.function}: {fault.was} -> {fault.became}": trial.outcomes[number]
                  for number, fault in enumerate(faults)}))
"""


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What became of every fault of the planted module."""
    place = tmp_path_factory.mktemp("planted")
    (place / "planted").mkdir()
    (place / "planted" / "__init__.py").touch()
    (place / "planted" / "fares.py").write_text(MODULE)
    (place / "test_fares.py").write_text(TESTS)
    paths = f"{ROOT}:{place}"
    command = [sys.executable, "-c", RUN, str(place)]
    environment = {"PYTHONPATH": paths, "PATH": "/usr/bin:/bin"}
    done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, timeout=120, check=True)
    found: dict[str, str] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_a_fault_that_a_test_notices_is_killed(outcomes: dict[str, str]) -> None:
    assert outcomes["fare: < 6 -> <= 6"] == "killed"
    assert outcomes["fare: 3 -> 4"] == "killed"


def test_a_fault_whose_effect_no_test_asks_for_survives(outcomes: dict[str, str]) -> None:
    assert outcomes["note: age + 1 -> age - 1"] == "survived"
    assert outcomes["note: 1 -> 2"] == "survived"


def test_a_fault_that_no_test_runs_is_unreached(outcomes: dict[str, str]) -> None:
    assert {outcome for fault, outcome in outcomes.items() if fault.startswith("unused")} == {"unreached"}
