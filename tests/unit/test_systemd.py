"""The units of infra/systemd, by systemd's own checks and against the commands that there are."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import typer

from api.cli.main import MODULES, built

UNITS = Path(__file__).resolve().parents[2] / "infra" / "systemd"
PROGRAM = "/opt/heldout/.venv/bin/heldout-server"
# What makes sandboxes or runs compilers needs namespaces and more system calls.
CLOSED = ["heldout-migrate.service", "heldout-serve@.service"]

needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed: apt install systemd"
)


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The units as on a machine where the program is there."""
    for unit in UNITS.glob("*.service"):
        (tmp_path / unit.name).write_text(unit.read_text().replace(PROGRAM, "/bin/true"))
    return tmp_path


def _verify(folder: Path) -> str:
    names = [path.name.replace("@.", "@8081.") for path in sorted(folder.glob("heldout*.service"))]
    for name in names:
        if "@" in name and not (folder / name).exists():
            (folder / name).symlink_to(folder / name.replace("@8081.", "@."))
    done = subprocess.run(
        ["systemd-analyze", "verify", *(str(folder / name) for name in names)],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stderr


@needs_systemd
def test_systemd_understands_every_line(installed: Path) -> None:
    assert "heldout" not in _verify(installed)
    unit = installed / "heldout-host.service"
    unit.write_text(unit.read_text().replace("ProtectHome=", "ProtectHomes="))
    assert "ProtectHomes" in _verify(installed), "the check sees a misspelt line"


@needs_systemd
@pytest.mark.parametrize("name", CLOSED)
def test_what_needs_no_sandbox_is_closed_up(installed: Path, name: str) -> None:
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=yes", "--threshold=30", str(installed / name)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-200:]


def test_every_unit_starts_a_command_that_there_is() -> None:
    commands = typer.main.get_command(built(MODULES)).commands  # type: ignore[attr-defined]
    for unit in sorted(UNITS.glob("*.service")):
        found = re.search(rf"^ExecStart={re.escape(PROGRAM)} (\S+)(.*)$", unit.read_text(), re.MULTILINE)
        assert found, unit.name
        assert found[1] in commands, unit.name
        options = {name for parameter in commands[found[1]].params for name in parameter.opts}
        assert set(re.findall(r"--\S+", found[2])) <= options, unit.name


def test_restarted_until_stopped_and_given_time_to_drain() -> None:
    for unit in sorted(UNITS.glob("*.service")):
        text = unit.read_text()
        assert "User=heldout" in text, unit.name
        assert ("Type=oneshot" in text) != ("Restart=always" in text), unit.name
    assert "TimeoutStopSec=150" in (UNITS / "heldout-host.service").read_text()
