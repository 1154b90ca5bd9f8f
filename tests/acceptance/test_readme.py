"""The README's snippets, run as they stand, by somebody who has a key and nothing else."""

import functools
import re
from pathlib import Path
from typing import Any

import httpx2
import pytest

import heldout
import heldout.evaluation
from api.core.settings import Settings
from api.hosting.server import Host
from tests.support.listening import listening
from tests.support.service import Service, choice_pack
from tests.support.sessions import echo_pack
from tests.support.snippets import executed, snippets

SNIPPETS = snippets("README.md", "python")


async def participant(service: Service, port: int, monkeypatch: pytest.MonkeyPatch, benchmark: str) -> None:
    """The environment that the README asks for, and a default client made from it."""
    monkeypatch.setenv("HELDOUT_API_KEY", await service.key())
    monkeypatch.setenv("HELDOUT_BASE_URL", f"http://127.0.0.1:{port}")
    monkeypatch.setenv("HELDOUT_BENCHMARK", benchmark)
    heldout.configure()


def test_both_snippets_are_there() -> None:
    assert len(SNIPPETS) == 2


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
