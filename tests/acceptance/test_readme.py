"""The README's snippets, run as they stand, by somebody who has a key and nothing else."""

import functools
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx2
import pytest

import heldout
import heldout.evaluation
from api.core.settings import Settings
from api.hosting.server import Host
from tests.support.external_postgres import free_port
from tests.support.listening import listening
from tests.support.operator_commands import folder
from tests.support.service import Service, choice_pack
from tests.support.sessions import echo_pack
from tests.support.snippets import ROOT, executed, snippets

__all__ = ["folder"]
SNIPPETS = snippets("README.md", "python")


async def participant(service: Service, port: int, monkeypatch: pytest.MonkeyPatch, benchmark: str) -> None:
    """The environment that the README asks for, and a default client made from it."""
    monkeypatch.setenv("HELDOUT_API_KEY", await service.key())
    monkeypatch.setenv("HELDOUT_BASE_URL", f"http://127.0.0.1:{port}")
    monkeypatch.setenv("HELDOUT_BENCHMARK", benchmark)
    heldout.configure()


def test_both_snippets_are_there() -> None:
    assert len(SNIPPETS) == 2


@pytest.mark.timeout(900)
def test_ones_own_machine_has_a_score_and_a_row_on_the_board(folder: Path) -> None:
    """The README's commands in a checkout while an instance serves, at a free port."""
    commands = snippets("README.md", "sh")[2]
    port, programs = free_port(), Path(sys.executable).parent
    here = commands.replace("http://127.0.0.1:8080", f"http://127.0.0.1:{port}").replace(".venv/bin", str(programs))
    assert here.count(str(programs)) == 4
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("HELDOUT_", "DATABASE_URL"))}
    variables = kept | {"HOME": str(folder), "HELDOUT_PORT": str(port), "COLUMNS": "100"}
    variables |= {"HELDOUT_DATA_DIR": str(folder / "data")}
    up = subprocess.Popen(
        [str(programs / "heldout-server"), "up"], cwd=ROOT, env=variables, text=True, stdout=subprocess.PIPE
    )
    try:
        assert up.stdout
        while "serving at" not in (line := up.stdout.readline()):
            assert line, "it ended"
        text = f"set -e\ncd {ROOT}\n{here.replace('--command', f'--out {folder}/results --command')}"
        done = subprocess.run(
            ["bash", "-c", text], env=variables, capture_output=True, text=True, timeout=300, check=False
        )
    finally:
        up.terminate()
        up.wait(60)
    assert done.returncode == 0, done.stdout + done.stderr
    # Which choice is right differs from organisation to organisation: "B" may earn a third, or nothing.
    assert re.search(r"smoke-dev\W+3 of 3\W+0\.\d{3}\W.*graded", done.stdout), done.stdout
    assert re.search(r"1 \W guess", done.stdout), "a row on the board"


@pytest.mark.timeout(300)
async def test_questions_are_answered_as_the_readme_says(
    service: Service, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    await service.publish(choice_pack())
    async with listening(service.app) as port:
        await participant(service, port, monkeypatch, "quiz")
        names = {"my_model": lambda prompt: f"I read {len(prompt)} characters.\nANSWER: B"}
        await executed(service, SNIPPETS[0], names)
    assert "graded" in capsys.readouterr().out


@pytest.mark.timeout(300)
async def test_an_agent_is_evaluated_as_the_readme_says(
    settings: Settings, service: Service, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def answer(request: httpx2.Request) -> httpx2.Response:
        found = re.search(rb"dev-(\d+)", request.content)
        text = f"finish[{found[1].decode()}]" if found else "finish[0]"
        return httpx2.Response(200, json={"choices": [{"message": {"role": "assistant", "content": text}}]})

    scripted = functools.partial(heldout.evaluation.ChatModel, transport=httpx2.MockTransport(answer))
    monkeypatch.setattr(heldout.evaluation, "ChatModel", scripted)
    monkeypatch.chdir(tmp_path)
    await service.publish(echo_pack("live-os"))
    async with Host.running(settings), listening(service.app) as port:
        await participant(service, port, monkeypatch, "live-os")
        names: dict[str, Any] = {"sdk": heldout, "key": "k"}
        await executed(service, SNIPPETS[1], names)
    assert names["outcome"].complete, names["outcome"].errors
