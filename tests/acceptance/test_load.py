"""The load generator itself: what it says of a service that is killed piece by piece, and that it sees a loss."""

import subprocess
import sys
from uuid import uuid4

import pytest

from api.cli.baselines.throwaway import throwaway, unlimited
from api.core.ids import public_id
from tests.support.service import choice_pack
from tools.load.__main__ import lost_or_doubled
from tools.load.participants import Tally


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_nothing_is_lost_or_doubled_while_each_kind_of_process_is_killed() -> None:
    options = ["--participants", "10", "--seconds", "30", "--faults", "6"]
    done = subprocess.run([sys.executable, "-m", "tools.load", *options], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
    assert '"killed": 0' not in done.stdout
    for operation in ("board", "browse", "page", "submit", "step", "open"):
        assert f'"operation": "{operation}"' in done.stdout


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_what_was_acknowledged_and_is_not_there_is_seen() -> None:
    async with throwaway(unlimited(choice_pack())) as running:
        gone = Tally(submissions={public_id("sub", uuid4()): 20}, sessions={public_id("ses", uuid4()): 7})
        assert len(await lost_or_doubled(running.database, gone)) == 2
        assert await lost_or_doubled(running.database, Tally()) == []
