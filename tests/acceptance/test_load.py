"""The load generator itself: what it says of a service that is killed piece by piece, and that it sees a loss."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from uuid import uuid4

import psutil
import pytest

from api.cli.baselines.throwaway import throwaway, unlimited
from api.core.ids import public_id
from tests.support.processes import alive, data_dir, family, kill
from tests.support.scratch import scratch
from tests.support.service import choice_pack
from tools.load.__main__ import lost_or_doubled
from tools.load.participants import Tally


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_nothing_is_lost_or_doubled_while_each_kind_of_process_is_killed() -> None:
    options = ["--participants", "10", "--seconds", "32", "--faults", "2"]
    done = subprocess.run([sys.executable, "-m", "tools.load", *options], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
    faults = json.loads(done.stdout.splitlines()[-1])["faults"]
    assert {"kill serve-0", "kill worker-0"} <= faults.keys()
    for operation in ("board", "browse", "page", "submit", "step", "open"):
        assert f'"operation": "{operation}"' in done.stdout


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_what_was_acknowledged_and_is_not_there_is_seen() -> None:
    async with throwaway(unlimited(choice_pack()), place=scratch()) as running:
        gone = Tally(submissions={public_id("sub", uuid4()): 20}, sessions={public_id("ses", uuid4()): 7})
        assert len(await lost_or_doubled(running.database, gone)) == 2
        assert await lost_or_doubled(running.database, Tally()) == []


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_sigterm_leaves_no_process_and_no_file_behind() -> None:
    options = ["--participants", "4", "--seconds", "900", "--faults", "1"]
    with subprocess.Popen([sys.executable, "-m", "tools.load", *options], stderr=subprocess.PIPE, text=True) as process:
        started: list[psutil.Process] = []
        try:
            assert process.stderr
            assert any(line.startswith("kill serve-0") for line in process.stderr)
            started = family(process.pid)
            folder = data_dir(started)
            process.send_signal(signal.SIGTERM)
            process.stderr.read()
            assert process.wait() == 128 + signal.SIGTERM
            assert not alive(started)
            assert not folder.exists()
            assert str(folder) not in Path("/proc/mounts").read_text()
        finally:
            kill(started)
