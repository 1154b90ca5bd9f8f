"""Agents and assignment, without a service."""

import json
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heldout import Conflict, Observation, Problem, Session
from heldout.evaluation import ChatModel, Command, ContextLimitError, EndpointError, Reply, Task
from heldout.evaluation.agents import chat
from heldout.evaluation.assign import assign
from heldout.evaluation.faults import outside, sentence
from heldout.evaluation.history import shortened
from heldout.evaluation.ledger import Done, Ledger
from heldout.evaluation.protocols import Spent
from heldout.models import Action, Model, StepResult
from sdk.tests.scripted import QUICK

PROBLEM = Problem(id="p", benchmark="b", split="s", type="t", subject="u", statement="How many?")


def test_all_slots_that_can_be_used_are_used() -> None:
    pending = {("a", "x"): 5, ("a", "y"): 5, ("b", "x"): 5}
    found = assign({"a": 2, "b": 2}, {"x": 2, "y": 2}, pending)
    assert sum(found.values()) == 4
    assert found == {("a", "y"): 2, ("b", "x"): 2}
    assert assign({"a": 3}, {"x": 2}, {("a", "x"): 9}) == {("a", "x"): 2}
    assert assign({"a": 0}, {"x": 2}, {("a", "x"): 9}) == {}
    assert assign({"a": 1}, {"x": 2}, {("a", "x"): 0}) == {}


slots = st.dictionaries(st.sampled_from("abcd"), st.integers(0, 4), min_size=1)


@given(slots, slots, st.integers(0, 6))
def test_no_slot_is_given_twice(agents: dict[str, int], environments: dict[str, int], left: int) -> None:
    pending = {(agent, env): left for agent in agents for env in environments}
    found = assign(agents, environments, pending)
    for agent, count in agents.items():
        assert sum(number for (name, _), number in found.items() if name == agent) <= count
    for env, count in environments.items():
        assert sum(number for (_, name), number in found.items() if name == env) <= count
    assert all(0 < number <= pending[pair] for pair, number in found.items())


def test_a_chat_endpoint_is_an_agent() -> None:
    seen: list[httpx2.Request] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        seen.append(request)
        if len(seen) == 1:
            return httpx2.Response(429, headers={"Retry-After": "0"}, json={"error": {"message": "busy"}})
        message = {"role": "assistant", "content": "ANSWER: 5", "refusal": None}
        return httpx2.Response(200, json={"choices": [{"message": message}], "usage": {"total_tokens": 7}})

    model = ChatModel(
        "m",
        url="https://models.test/v1",
        key="k",
        system="Be brief.",
        parameters={"temperature": 0},
        retries=QUICK,
        transport=httpx2.MockTransport(answer),
        sleep=lambda _: None,
    )
    reply = model(Task("p", problem=PROBLEM))
    assert (reply.answer, reply.usage.tokens) == ("ANSWER: 5", 7)  # type: ignore[union-attr]
    body = json.loads(seen[-1].content)
    assert str(seen[-1].url) == "https://models.test/v1/chat/completions"
    assert seen[-1].headers["authorization"] == "Bearer k"
    assert body["temperature"] == 0
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    busy = httpx2.MockTransport(lambda _: httpx2.Response(429))
    down = ChatModel("m", url="https://models.test/v1", retries=QUICK, transport=busy, sleep=lambda _: None)
    with pytest.raises(EndpointError, match="answered 429"):
        down(Task("p", problem=PROBLEM))


def test_a_command_answers_a_question() -> None:
    echo = Command([sys.executable, "-c", "import sys; print('ANSWER:', sys.stdin.read().strip())"], seconds=120)
    assert echo(Task("p", problem=PROBLEM)).answer == "ANSWER: How many?"
    failing = Command([sys.executable, "-c", "raise SystemExit('no model here')"], seconds=120)
    with pytest.raises(RuntimeError, match="no model here"):
        failing(Task("p", problem=PROBLEM))


def test_a_ledger_belongs_to_one_run_and_survives_a_torn_line(tmp_path: Path) -> None:
    def ledger(model: str) -> Ledger:
        return Ledger(tmp_path, benchmark="b", version="1.0.0", split="s", model=Model(name=model))

    first = ledger("m")
    first.record(Done(problem="p1", finish_reason="answered", answer="x"))
    with (tmp_path / "run.jsonl").open("ab") as file:
        file.write(b'{"problem": "p2"')
    again = ledger("m")
    assert set(again.done) == {"p1"}
    assert again.head.key == first.head.key
    again.record(Done(problem="p2", finish_reason="answered"))
    assert set(ledger("m").done) == {"p1", "p2"}
    with pytest.raises(Conflict, match="another run"):
        ledger("other")


def test_a_folder_of_the_version_before_goes_on_whose_head_held_no_sampling(tmp_path: Path) -> None:
    def ledger(folder: Path, **sampling: float) -> Ledger:
        return Ledger(folder, benchmark="b", version="1.0.0", split="s", model=Model(name="m", parameters=sampling))

    begun = '{"format": "heldout-evaluation-1", "benchmark": "b", "version": "1.0.0", "split": "s", "key": "k1", '
    begun += '"model": {"name": "m", "version": "", "organisation": "", "parameters": {}}}\n'
    (tmp_path / "run.jsonl").write_text(begun + '{"problem": "p1", "finish_reason": "answered", "answer": "x"}\n')
    for _ in range(2):
        went_on = ledger(tmp_path, temperature=0.5)
        assert (set(went_on.done), went_on.head.key) == ({"p1"}, "k1")
        assert went_on.head.model.parameters == {}, "its submission was begun so"
    (tmp_path / "new").mkdir()
    ledger(tmp_path / "new", temperature=0.5).record(Done(problem="p1", finish_reason="answered", answer="x"))
    assert ledger(tmp_path / "new", temperature=0.5).head.model.parameters == {"temperature": 0.5}
    for other in ({}, {"temperature": 0.7}):
        with pytest.raises(Conflict, match="another run"):
            ledger(tmp_path / "new", **other)


class Questions:
    """A session whose every observation is a conversation of its own, as in web browsing."""

    tools = ()
    history = ()
    instruction = "Choose."
    answer = None

    def __init__(self, count: int) -> None:
        self.left = count
        self.observation = self.asked()

    def asked(self) -> Observation:
        turns = [("user", "example"), ("agent", "A"), ("user", f"question {self.left}")]
        return Observation(data={"messages": [{"role": role, "content": text} for role, text in turns]})

    @property
    def over(self) -> bool:
        return self.left == 0

    def step(self, action: str) -> StepResult:
        del action
        self.left -= 1
        return StepResult(number=1, observation=self.asked())


def test_a_world_that_gives_whole_turns_begins_the_conversation_anew() -> None:
    heard: list[list[str]] = []

    def talk(messages: list[dict[str, Any]], tools: object) -> tuple[dict[str, Any], None]:
        del tools
        heard.append([f"{message['role']}: {message['content']}" for message in messages])
        return {"role": "assistant", "content": "A"}, None

    chat(talk)(Task("p", session=cast("Session", Questions(3))))
    assert heard == [["user: example", "assistant: A", f"user: question {left}"] for left in (3, 2, 1)]


class Talkative(Questions):
    """An episode that says 2,000 segments at every step."""

    def asked(self) -> Observation:
        return Observation(text=f"{self.left} " + "word " * 1998)


def test_published_histories_keep_the_first_message_and_the_latest_that_fit() -> None:
    heard: list[list[str]] = []

    def talk(messages: list[dict[str, Any]], tools: object) -> tuple[dict[str, Any], None]:
        del tools
        heard.append([str(message["content"])[:6] for message in messages])
        notice = f"[NOTICE] {2 * (len(heard) - 1)} messages are omitted."
        assert str(messages[0]["content"]).endswith(notice) == (len(heard) > 1)
        return {"role": "assistant", "content": f"A{len(heard)}"}, None

    chat(talk, history="published")(Task("p", session=cast("Session", Talkative(3))))
    assert heard == [["Choose"], ["Choose"], ["Choose"]]
    heard.clear()
    with pytest.raises(AssertionError):
        chat(talk)(Task("p", session=cast("Session", Talkative(3))))


def test_the_last_turns_and_a_number_of_tokens_are_histories_too() -> None:
    heard: list[list[str]] = []

    def talk(messages: list[dict[str, Any]], tools: object) -> tuple[dict[str, Any], None]:
        del tools
        heard.append([str(message["content"])[:6] for message in messages])
        return {"role": "assistant", "content": f"A{len(heard)}"}, None

    for history in ("last:1", "tokens:4100"):
        heard.clear()
        chat(talk, history=history)(Task("p", session=cast("Session", Talkative(3))))
        assert heard == [["Choose"], ["Choose", "A1", "2 word"], ["Choose", "A2", "1 word"]]
    heard.clear()
    chat(talk, history="last:2")(Task("p", session=cast("Session", Talkative(4))))
    assert heard[3] == ["Choose", "A2", "2 word", "A3", "1 word"]


@pytest.mark.parametrize("name", ["all", "last:0", "last:x", "tokens:", "tokens:-5", "published:3"])
def test_another_history_is_refused_before_anything_is_played(name: str) -> None:
    with pytest.raises(ValueError, match=r"last:N"):
        ChatModel("m", url="https://models.test/v1", history=name)


def test_shortened_messages_begin_with_the_agents_own_and_keep_calls_with_their_replies() -> None:
    call = {"id": "1", "function": {"name": "look", "arguments": "{}"}}
    first = {"role": "user", "content": [{"type": "text", "text": "go"}]}
    asked = {"role": "assistant", "content": None, "tool_calls": [call]}
    replies = [{"role": "tool", "content": text} for text in ("long " * 5, "end")]
    messages: list[dict[str, Any]] = [first, asked, replies[0], asked, replies[1]]
    assert shortened(messages) == messages
    for limit in (11, 7):
        told, *kept = shortened(messages, limit)
        assert told["content"][-1]["text"].endswith("[NOTICE] 2 messages are omitted.")
        assert kept == messages[3:]
    assert len(shortened(messages, 3)) == 1


def test_a_request_above_the_context_limit_is_not_sent() -> None:
    sent: list[dict[str, Any]] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        sent.append(json.loads(request.content))
        return httpx2.Response(200, json={"choices": [{"message": {"content": "said " * 50}}]})

    model = ChatModel(
        "m",
        url="https://models.test/v1",
        transport=httpx2.MockTransport(answer),
        parameters={"max_tokens": 40},
        context_limit=2100,
    )
    episode = cast("Session", Talkative(3))
    assert model(Task("p", session=episode)) == Reply(None, Spent(), "context_limit")
    assert len(sent) == 1
    model.context_limit = 20
    with pytest.raises(ContextLimitError, match=r"about 4\d tokens, and the context limit is set to 20"):
        model(Task("q", problem=PROBLEM))


def test_tasks_that_end_together_wait_for_the_disk_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The ledger's lock is not held while the disk works, and every line is whole."""
    ledger = Ledger(tmp_path / "run", benchmark="b", version="1", split="test", model=Model(name="m"))
    at_the_disk = threading.Barrier(4, timeout=20)
    monkeypatch.setattr("heldout.runs.os.fsync", lambda _: at_the_disk.wait())
    with ThreadPoolExecutor(4) as pool:
        done = [Done(problem=f"p{number}", finish_reason="answered", answer="x" * 20_000) for number in range(8)]
        list(pool.map(ledger.record, done))
    monkeypatch.undo()
    again = Ledger(tmp_path / "run", benchmark="b", version="1", split="test", model=Model(name="m"))
    assert set(again.done) == {f"p{number}" for number in range(8)}


class Endless:
    """An episode that goes on for as long as it is acted in, with an observation larger than a pipe holds."""

    tools = ()
    history = ()
    instruction = "Find the file."
    answer = None
    over = False
    status = SimpleNamespace(limits=None)
    observation = Observation(text="x" * 200_000)

    def step(self, action: Action) -> StepResult:
        del action
        return StepResult(number=1, observation=self.observation)


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("print('ls')", "wrote 'ls'"),
        ("pass", "without an action"),
        ("import os, time; os.close(0); os.close(1); time.sleep(600)", "without an action"),
        ("print('[1]')", r"wrote '\[1\]'"),
        ('print(\'{"command": "ls"}\')', "wrote"),
        ('import sys; sys.stdin.readline(); print(\'{"text": "ls"}\', flush=True)', "without an action"),
    ],
)
def test_a_command_that_does_not_speak_an_episodes_protocol_has_failed_by_itself(program: str, words: str) -> None:
    agent = Command([sys.executable, "-c", program], seconds=600)
    with pytest.raises(RuntimeError, match=words) as caught:
        agent(Task("p", session=cast("Session", Endless())))
    assert not outside(caught.value), "no outage is waited out for it"
    said = sentence(caught.value)
    assert said.endswith('{"text": ...} or {"tool": {"name": ..., "arguments": {...}}}'), said
