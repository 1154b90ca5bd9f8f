"""`heldout run` against the scripted service: what is said of a run, and whose folder it is."""

import json
import re
from pathlib import Path
from typing import Any

import httpx2
import pytest
from typer.testing import CliRunner, Result

from heldout import Conflict, Model, _commands, _outcomes
from heldout.evaluation import ChatModel, evaluate
from heldout.evaluation.ledger import AGENT_ERROR, Done, Failure, Ledger
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


def test_each_version_of_a_model_has_a_folder_and_one_of_before_goes_on(quiz: Scripted, tmp_path: Path) -> None:
    for version in ("1", "2"):
        assert play(tmp_path, "--command", "echo B", model=f"m@{version}").exit_code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m@1", "m@2"]
    assert len(quiz.submissions) == 2
    (tmp_path / "m@2").rename(tmp_path / "m")
    assert play(tmp_path, "--command", "echo B", model="m@2").exit_code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m", "m@1"]
    assert len(quiz.submissions) == 2, "the same run goes on in the folder without a version"
    assert play(tmp_path, "--command", "echo B", model="m@3").exit_code == 0
    assert (tmp_path / "m@3").is_dir()


def test_what_differs_from_the_folders_run_is_said(tmp_path: Path) -> None:
    def ledger(**model: Any) -> Ledger:
        return Ledger(tmp_path, benchmark="b", version="1", split="s", model=Model.model_validate(model))

    first = ledger(name="m", version="1", parameters={"temperature": 0, "seed": 5})
    first.record(Done(problem="p", finish_reason="answered", answer="A"))
    words = "(model m@1 → m@2; seed 5 → not given; temperature 0 → 1)"
    with pytest.raises(Conflict, match=re.escape(words)):
        ledger(name="m", version="2", parameters={"temperature": 1})


def test_a_run_that_only_failed_is_begun_anew_with_other_settings(tmp_path: Path) -> None:
    def ledger(temperature: float) -> Ledger:
        model = Model(name="m", parameters={"temperature": temperature})
        return Ledger(tmp_path, benchmark="b", version="1", split="s", model=model)

    first = ledger(0)
    first.record(Done(problem="p", finish_reason=AGENT_ERROR, answer=""))
    first.fail(Failure(problem="p", error="E", message="no", counted=True))
    second = ledger(1)
    assert (second.done, sum(second.attempts.values())) == ({}, 0)
    assert second.head.key != first.head.key, "a submission of the other model"
    assert (tmp_path / "failed-1.jsonl").exists()
    second.record(Done(problem="p", finish_reason="answered", answer="A"))
    assert set(ledger(1).done) == {"p"}
    with pytest.raises(Conflict):
        ledger(0)


def test_the_benchmark_of_the_environment_is_run(quiz: Scripted, tmp_path: Path) -> None:
    command = ["run", "-m", "m", "--command", "echo B", "--out", str(tmp_path), "--no-wait"]
    assert CliRunner().invoke(_commands.app, command).exit_code == 2
    done = CliRunner().invoke(_commands.app, command, env={"HELDOUT_BENCHMARK": "demo"})
    assert done.exit_code == 0, done.output
    assert (tmp_path / "m" / "demo-test").is_dir()
