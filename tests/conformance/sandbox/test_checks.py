"""The attack suite: nothing is open where the backend claims full isolation, and the suite can see an open door."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from envs.sandbox.base import Backend, Image
from envs.sandbox.checks import attacks
from envs.sandbox.checks.rows import Outcome, Row
from envs.sandbox.checks.suite import LIMITS, check_backend
from envs.sandbox.checks.words import words
from envs.sandbox.doctor import Finding, report

pytestmark = pytest.mark.sandbox


async def test_nothing_is_open_in_a_full_sandbox(rooted: Backend) -> None:
    if rooted.traits.weaknesses:
        pytest.skip(f"weaker here: {rooted.traits.weaknesses}")
    rows = await check_backend(rooted)
    assert [row for row in rows if row.bad] == []
    outcomes = Counter(row.outcome for row in rows)
    assert outcomes[Outcome.REFUSED] > 120
    assert outcomes[Outcome.CONTAINED] >= 12
    assert outcomes[Outcome.WORKS] >= 10
    assert outcomes[Outcome.UNKNOWN] == 0
    text = "\n".join(report([Finding("bubblewrap", True, rows=rows)]))
    assert "Safe for agents nobody has looked at: bubblewrap" in text


@pytest.mark.parametrize("user", ["agent", "root"])
async def test_an_ordinary_users_sandbox_reaches_nothing_either(backend: Backend, user: str) -> None:
    sandbox = await backend.start(Image(user=user), LIMITS)
    rows = [*await words(sandbox), *await attacks.files(sandbox), *await attacks.reach(sandbox, user)]
    await sandbox.destroy()
    assert [row for row in rows if row.bad] == []


def test_the_probe_program_sees_open_doors() -> None:
    """Run unconfined, as nobody: what a sandbox must hide is found."""
    with attacks._bait() as bait:
        # the system's own interpreter: a virtual environment may be closed to others
        python = "/usr/bin/python3" if Path("/usr/bin/python3").exists() else sys.executable
        command = [python, "-I", "-S", "-", json.dumps(bait)]
        script = attacks.INSIDE.read_text()
        done = subprocess.run(
            command, input=script, capture_output=True, text=True, timeout=120, check=True, user=_nobody(), cwd="/"
        )
    found = {line["name"]: line["allowed"] for line in map(json.loads, done.stdout.splitlines()) if "allowed" in line}
    for name in ("connect to 127.0.0.1", "the machine's abstract socket", "a file of the machine"):
        assert found[name], name
    assert found["gain rights by execve"]
    assert found["capabilities that reach the machine"]


def _nobody() -> int | None:
    return 65534 if os.geteuid() == 0 else None


def test_a_report_says_what_is_open() -> None:
    bad = Finding("bubblewrap-user", True, weaknesses=("CPU time is not capped",))
    bad.rows = [Row("limits", "CPU hog", Outcome.OPEN, "2 CPUs of 1")]
    text = "\n".join(report([bad, Finding("docker", False, "no engine answers")]))
    assert "OPEN: CPU hog: 2 CPUs of 1" in text
    assert "docker: cannot be used here: no engine answers" in text
    assert "not for strangers" in text
    untried = "\n".join(report([Finding("bubblewrap", True)]))
    assert "The attacks were not tried" in untried
    assert "Safe" not in untried
    assert "cannot isolate anything" in "\n".join(report([Finding("docker", False, "no engine answers")]))
