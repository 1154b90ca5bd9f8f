"""From an empty environment to the first score, by the README's commands alone, on an instance with sign-in."""

import asyncio
import json
import re
import time
from pathlib import Path

import pytest

from api.core.settings import Settings
from envs import registry
from packs.read import read_pack
from tests.support.listening import listening
from tests.support.models import scripted_model
from tests.support.snippets import ROOT, snippets, working
from tests.support.stranger import Stranger, empty_environment, hosted
from tests.support.terminal import Terminal

COMMANDS = [line for line in snippets("README.md", "sh")[1].splitlines() if line]


@pytest.mark.timeout(900)
async def test_a_stranger_has_a_score_after_at_most_five_commands(settings: Settings, tmp_path: Path) -> None:
    assert len(COMMANDS) <= 5
    pack = await asyncio.to_thread(read_pack, ROOT / "benchmarks" / "smoke", registry, grade_gold=False)
    async with hosted(settings, pack) as (service, provider), listening(service.app) as port, scripted_model() as model:
        address = f"http://127.0.0.1:{port}"
        stranger = Stranger(service, provider, address)
        variables = await empty_environment(tmp_path)
        said = ""
        async with Terminal.opened(tmp_path / "home", variables) as terminal:
            begun = time.monotonic()
            for command in COMMANDS:
                typed = command.replace("https://bench.example.org", address).replace(
                    "https://models.example/v1", model
                )
                typing = stranger.login(terminal, typed) if typed == "heldout login" else terminal.type(typed)
                said += await working(service, asyncio.ensure_future(typing))
            seconds = time.monotonic() - begun
    record = {"commands": len(COMMANDS), "seconds": round(seconds, 1), "asked": len(model.asked)}
    print(json.dumps(record))
    assert "logged in for strangers" in said
    assert "3 of 3" in said, said
    assert re.search(r"answered 3\W+(?:state )?graded", said), said
    assert re.search(r"(?:│|score) 0\.\d{3}\W", said), "a score: nobody has to grade by hand"
    assert re.search(r"sub_[0-9a-f]{32}", said), "the submission's whole id"
