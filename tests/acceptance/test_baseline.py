"""`heldout-server baseline`: one episode that cannot be played ends nothing, and SIGTERM leaves nothing behind."""

import asyncio
import dataclasses
import signal
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest

from api.cli.baseline import play
from packs.pack import Pack
from packs.write import write_pack
from tests.support.processes import alive, data_dir, family, kill
from tests.support.service import choice_pack
from tests.support.sessions import echo_pack


def _pack() -> Pack:
    """Three episodes, of which the second cannot be built."""
    pack = echo_pack("three", count=3)
    lines = []
    for number, line in enumerate(pack.references):
        assert line.episode
        broken = line.episode.model_copy(update={"spec": {"greetng": "hello"}})
        changed: dict[str, Any] = {"oracle": ({"text": "finish[{{output}}]"},)} | (
            {"episode": broken} if number == 1 else {}
        )
        lines.append(line.model_copy(update=changed))
    dev = tuple(problem for problem in pack.problems if problem.split == "dev")
    head = pack.benchmark.model_copy(update={"splits": {"dev": pack.benchmark.splits["dev"]}})
    return dataclasses.replace(pack, benchmark=head, problems=dev, references=tuple(lines[:3]))


@pytest.mark.parametrize("policy", ["null", "random"])
async def test_an_episode_that_cannot_be_built_is_an_unscored_item(policy: str) -> None:
    pack = _pack()
    told = await play(pack, policy, list(pack.problems))
    assert told["n"] == 3
    assert told["outcomes"].pop("unscored") == 1
    assert sum(told["outcomes"].values()) == 2
    (unscored,) = [item for item in told["not_full"] if item["outcome"] == "unscored"]
    assert unscored["id"] == "dev-1"
    assert "greetng" in unscored["reason"], "the owner is told what is wrong with the specification"


async def test_sigterm_ends_processes_and_database(tmp_path: Path) -> None:
    pack = choice_pack(count=2)
    write_pack(tmp_path / "pack", pack.benchmark, list(pack.problems), list(pack.references))
    code = (
        "import asyncio, api.cli.baselines.throwaway as t, api.cli.main as m\n"
        "async def wait(self, submission, seconds=0):\n    print('grading', flush=True); await asyncio.Event().wait()\n"
        "t.Throwaway.until_graded = wait\n"
        "m.main()\n"
    )
    command = [sys.executable, "-c", code, "baseline", "--pack", str(tmp_path / "pack"), "--policy", "null"]
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE, start_new_session=True)
    started: list[psutil.Process] = []
    try:
        assert process.stdout
        assert await process.stdout.readline() == b"grading\n"
        started = psutil.Process(process.pid).children(recursive=True)
        served = {word for child in started for word in ("serve", "worker", "host") if word in child.cmdline()}
        assert served == {"serve", "worker", "host"}
        folder = data_dir(started)
        started = family(process.pid)
        process.send_signal(signal.SIGTERM)
        # What is left behind would hold the pipe open, and this would wait for it.
        assert await asyncio.wait_for(process.wait(), 120) == 128 + signal.SIGTERM
        assert not alive(started)
        assert not folder.exists()
    finally:
        kill(started)
