"""The snippets of docs/client.md, run as they stand against a real service."""

import functools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

import heldout
import heldout.evaluation
from api.accounts.models import MemberRole, Scope
from api.core.settings import Settings
from api.hosting.server import Host
from envs import registry
from envs.browser import chromium
from packs.read import read_pack
from tests.support.listening import listening
from tests.support.service import READER, Service, choice_pack
from tests.support.sessions import echo_pack
from tests.support.snippets import ROOT, executed, snippets

START, RUN, ACCESS, EPISODE, SHELL, LOOK, GYM, NAMED, EVALUATE = snippets("docs/client.md", "python")
SECONDS = 600


def _answer(request: httpx2.Request) -> httpx2.Response:
    del request
    return httpx2.Response(200, json={"choices": [{"message": {"role": "assistant", "content": "ANSWER: B"}}]})


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[dict[str, Any]]:
    """What the page's reader has: a model, its key, and a folder of one's own."""
    monkeypatch.chdir(tmp_path)
    scripted = functools.partial(heldout.evaluation.ChatModel, transport=httpx2.MockTransport(_answer))
    monkeypatch.setattr(heldout.evaluation, "ChatModel", scripted)
    yield {"sdk": heldout, "solve": lambda prompt: f"{len(prompt)} characters\nANSWER: B", "key": "k"}
    heldout.configure()


async def _participant(service: Service, port: int, monkeypatch: pytest.MonkeyPatch, **more: Any) -> None:
    monkeypatch.setenv("HELDOUT_API_KEY", await service.key(**more))
    monkeypatch.setenv("HELDOUT_BASE_URL", f"http://127.0.0.1:{port}")
    heldout.configure()


@pytest.mark.timeout(SECONDS)
async def test_questions_runs_access_and_evaluation(
    service: Service, monkeypatch: pytest.MonkeyPatch, names: dict[str, Any]
) -> None:
    await service.publish(choice_pack("demo-arb", agreement=True))
    await service.publish(choice_pack("my-benchmark", agreement=True, approval=True))
    async with listening(service.app) as port:
        await _participant(service, port, monkeypatch, organisation="applicant")
        await executed(service, "sdk.accept_agreement('my-benchmark', name='Grace Hopper')", names)
        scopes = [*READER, Scope.ACCOUNT_WRITE, Scope.BENCHMARKS_WRITE]
        more: dict[str, Any] = {"organisation": "owners", "role": MemberRole.OWNER, "scopes": scopes}
        await _participant(service, port, monkeypatch, email="own@example.org", **more)
        await executed(service, START, names)
        assert names["submission"].settled
        for snippet in (RUN, ACCESS, EVALUATE):
            await executed(service, snippet, names)
    assert names["submission"].received == 8
    assert names["state"].state == "accepted"
    assert "/invite?token=" in names["link"]
    assert names["asked"].organisation == "applicant"
    assert names["outcome"].complete, names["outcome"].errors


@pytest.mark.timeout(SECONDS)
async def test_an_episode_is_played_as_the_page_says(
    settings: Settings, service: Service, monkeypatch: pytest.MonkeyPatch, names: dict[str, Any]
) -> None:
    await service.publish(echo_pack("parrot"))
    async with Host.running(settings), listening(service.app) as port:
        await _participant(service, port, monkeypatch)
        await executed(service, "episode_id = sdk.episodes('dev', benchmark='parrot').first(1)[0].id", names)
        await executed(service, EPISODE, names)
    assert names["session"].finish_reason == "task_limit"


@pytest.mark.timeout(SECONDS)
async def test_a_tool_of_a_shell_is_called_as_the_page_says(
    settings: Settings, service: Service, monkeypatch: pytest.MonkeyPatch, names: dict[str, Any]
) -> None:
    await service.publish(read_pack(ROOT / "benchmarks" / "live-os", registry))
    async with Host.running(settings), listening(service.app) as port:
        await _participant(service, port, monkeypatch)
        await executed(service, "shell_id = sdk.episodes('dev', benchmark='live-os').first(1)[0].id", names)
        await executed(service, SHELL, names)
    assert [tool.name for tool in names["session"].tools] == ["bash_action", "finish_action", "answer_action"]
    assert "usr" in names["result"].observation.text


@pytest.mark.timeout(SECONDS)
@pytest.mark.skipif(chromium.executable() is None, reason="no Chromium on this machine")
async def test_a_page_is_looked_at_and_clicked_as_the_page_says(
    settings: Settings, service: Service, monkeypatch: pytest.MonkeyPatch, names: dict[str, Any], tmp_path: Path
) -> None:
    await service.publish(read_pack(ROOT / "benchmarks" / "demo-forms", registry))
    async with Host.running(settings), listening(service.app) as port:
        await _participant(service, port, monkeypatch)
        await executed(service, "episode_id = sdk.episodes('dev', benchmark='demo-forms').first(1)[0].id", names)
        await executed(service, "session = sdk.open_session(episode_id)", names)
        await executed(service, LOOK, names)
        await executed(service, GYM, names)
        seen, ended = names["seen"], names["terminated"]
        await executed(service, "session.cancel(); env.close()", names)
        await executed(service, NAMED, names)
        await executed(service, "first, info = env.reset(); env.close()", names)
    assert (tmp_path / "page.png").read_bytes().startswith(b"\x89PNG")
    assert re.search(r"\[\d+\]", str(seen)), "the page's elements"
    assert ended is False
    assert re.search(r"\[\d+\]", str(names["first"])), "the page's elements"
