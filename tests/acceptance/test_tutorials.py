"""The tutorials, typed command by command as they stand; what one of them leaves behind the next one finds."""

import asyncio
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from api.core.settings import Settings
from tests.support.external_postgres import free_port
from tests.support.listening import listening
from tests.support.models import scripted_model
from tests.support.operator_commands import folder
from tests.support.snippets import ROOT, snippets, working
from tests.support.stranger import Stranger, empty_environment, hosted
from tests.support.terminal import Terminal

__all__ = ["folder"]
PARTICIPANT, OWNER, OPERATOR = (f"docs/tutorials/{name}.md" for name in ("participant", "owner", "operator"))
PLACEHOLDER = re.compile(r"(?<=\s)pck_\.\.\.")


def commands(page: str) -> Iterator[str]:
    """The page's commands, one a line."""
    for block in snippets(page, "bash"):
        yield from (line for line in block.splitlines() if line)


@pytest.mark.timeout(900)
async def test_a_participant_and_then_an_owner(settings: Settings, tmp_path: Path) -> None:
    async with hosted(settings) as (service, provider), listening(service.app) as port, scripted_model() as model:
        stranger = Stranger(service, provider, f"http://127.0.0.1:{port}")
        names = {
            "https://bench.example.org": stranger.address,
            "https://models.example/v1": model,
            "my-organisation": "strangers",
        }
        variables = await empty_environment(tmp_path) | {"COLUMNS": "120"}
        said: dict[str, str] = {}
        async with Terminal.opened(tmp_path / "home", variables) as terminal:
            for command in (*commands(PARTICIPANT), *commands(OWNER)):
                typed = command
                for name, here in names.items():
                    typed = typed.replace(name, here)
                packs = re.findall(r"pck_[0-9a-f]{32}", "".join(said.values()))
                typed = PLACEHOLDER.sub(packs[-1] if packs else "", typed)
                login = command.startswith("heldout login")
                typing = stranger.login(terminal, typed) if login else terminal.type(typed)
                said[f"{len(said)} {command}"] = await working(service, asyncio.ensure_future(typing))
            (program,) = snippets(PARTICIPANT, "python")
            (tmp_path / "home" / "program.py").write_text(program)
            printed = await working(service, asyncio.ensure_future(terminal.type("python program.py")))
    _participated(said)
    _owned(said)
    assert printed.strip() == "graded 0.5"
    assert len(model.asked) == 2


def _of(said: dict[str, str], words: str) -> list[str]:
    return [text for command, text in said.items() if words in command]


def _participated(said: dict[str, str]) -> None:
    assert "of strangers" in _of(said, "heldout whoami")[0]
    assert "smoke" in _of(said, "heldout benchmarks")[0]
    for run in ("guess@1 --benchmark smoke", "my-model@1"):
        assert "0.500" in _of(said, run)[0]
    assert all(name in _of(said, "leaderboard --benchmark smoke")[0] for name in ("guess", "my-model"))


def _owned(said: dict[str, str]) -> None:
    assert ["rivers 1.0.0: checked" in text for text in _of(said, "packs check")] == [True, True]
    assert "Which river flows through Cologne?" in _of(said, "packs preview")[0]
    assert "rivers" in _of(said, "heldout benchmarks")[1]
    assert "0.000" in _of(said, "echo ANSWER: Tiber")[0]
    assert "1.0.1 only mends golds of 1.0.0" in _of(said, "packs diff")[0]
    assert "1 of 1 submissions would move" in _of(said, "regrades preview")[0]
    assert "Tiber" in _of(said, "regrades list")[0]


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed: make test-packages")
@pytest.mark.timeout(900)
def test_an_operator(folder: Path) -> None:
    """A real instance at a free port, with `make install` left to whoever runs this test."""
    started, *rest = snippets(OPERATOR, "bash")
    here = {
        "http://127.0.0.1:8080": f"http://127.0.0.1:{(port := free_port())}",
        ". .venv/bin/activate": f"export PATH={Path(sys.executable).parent}:$PATH",
    }
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HELDOUT_")}
    variables = kept | {"HOME": str(folder), "HELDOUT_PORT": str(port), "COLUMNS": "100"}

    def script(text: str) -> str:
        for name, place in here.items():
            assert name in "".join((started, *rest))
            text = text.replace(name, place)
        return f"set -e\n{text}"

    def begun(text: str) -> subprocess.Popen[str]:
        program = ["bash", "-c", text]
        return subprocess.Popen(
            program, cwd=ROOT, env=variables, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )

    up = begun(script(started).replace("heldout-server up", "exec heldout-server up"))
    try:
        assert up.stdout
        while "serving at" not in (line := up.stdout.readline()):
            assert line, "it ended"
        done = begun(script("".join(rest)))
        said, _ = done.communicate(timeout=600)
        assert done.returncode == 0, said
        expected = (
            "ok    database",
            '"ready":true',
            "/login/link?token=",
            "imported rivers 1.0.0",
            "restored",
            "0.200",
        )
        assert [words for words in expected if words not in said] == [], said
    finally:
        up.terminate()
        up.wait(60)
