"""`heldout run` against the scripted service: what is said of a run, and whose folder it is."""

import json
from pathlib import Path
from typing import Any

import httpx2
import pytest
from typer.testing import CliRunner, Result

from heldout import _commands, _outcomes
from heldout.evaluation import ChatModel, evaluate
from sdk.tests.scripted import QUICK, Scripted


@pytest.fixture
def quiz(service: Scripted, monkeypatch: pytest.MonkeyPatch) -> Scripted:
    """Three questions and no episode; the command speaks to this service."""
    service.count = 3
    none = httpx2.Response(200, json={"items": [], "next": None})
    service.first("GET", "/v1/benchmarks/demo/episodes", *[lambda _: none] * 9)
    monkeypatch.setattr("heldout._run_command.Client", service.client)
    return service


def play(out: Path, *more: str, model: str = "m") -> Result:
    """The command with its usual arguments."""
    command = ["run", "-m", model, "-b", "demo", "--out", str(out), "--no-wait", *more]
    return CliRunner().invoke(_commands.app, command)


def test_replies_that_are_empty_are_said(quiz: Scripted, tmp_path: Path) -> None:
    done = play(tmp_path, "--command", "true")
    assert done.exit_code == 0, done.output
    assert "3 of 3 replies were empty" in done.output
    record = json.loads(play(tmp_path, "--command", "true", "--json").stdout.splitlines()[-1])
    assert (record["replies_empty"], record["replies_cut_by_length"]) == (3, 0)


CHAT: dict[str, Any] = {"choices": [{"message": {"content": "I was thin"}, "finish_reason": "length"}]}
RESPONSES: dict[str, Any] = {"output": [], "incomplete_details": {"reason": "max_output_tokens"}}
MESSAGES: dict[str, Any] = {"content": [{"type": "text", "text": "I was thin"}], "stop_reason": "max_tokens"}


@pytest.mark.parametrize(("protocol", "reply"), [("chat", CHAT), ("responses", RESPONSES), ("messages", MESSAGES)])
def test_replies_that_were_cut_by_length_are_said(
    quiz: Scripted, tmp_path: Path, capsys: pytest.CaptureFixture[str], protocol: Any, reply: dict[str, Any]
) -> None:
    transport = httpx2.MockTransport(lambda _: httpx2.Response(200, json=reply))
    agent = ChatModel("m", url="https://models.test/v1", protocol=protocol, retries=QUICK, transport=transport)
    for _ in range(2):
        outcome = evaluate(quiz.client(), agent, benchmark="demo", model="m", out=tmp_path)
        assert (outcome.answered, outcome.cut) == (3, 3), "the second time from the folder"
    assert outcome.empty == (3 if protocol == "responses" else 0)
    _outcomes.show([outcome])
    assert "3 of 3 replies were cut by length (finish_reason length)" in capsys.readouterr().out


def test_what_a_cut_message_is_marked_with_is_not_sent_back() -> None:
    sent: list[Any] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        sent.append(json.loads(request.content))
        return httpx2.Response(200, json=CHAT)

    model = ChatModel("m", url="https://models.test/v1", retries=QUICK, transport=httpx2.MockTransport(answer))
    first, _ = model.talk([{"role": "user", "content": "x"}], ())
    assert first["finish_reason"] == "length"
    model.talk([{"role": "user", "content": "x"}, first], ())
    assert sent[1]["messages"][1] == {"role": "assistant", "content": "I was thin"}
