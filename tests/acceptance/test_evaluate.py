"""Agents over the real service: episodes and questions, interrupted and gone on with."""

import asyncio
import json
import os
import re
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

import heldout
from api.core.settings import Settings
from api.hosting.server import Host
from heldout.evaluation import (
    Budget,
    Command,
    ContextLimitError,
    Course,
    Entrant,
    Outcome,
    Reply,
    Task,
    chat,
    evaluate,
    evaluate_all,
)
from heldout.evaluation.protocols import Spent
from heldout.models import Model
from tests.support.bridge import Bridge
from tests.support.service import Service, choice_pack
from tests.support.sessions import echo_pack


@pytest.fixture
async def client(settings: Settings, service: Service) -> AsyncIterator[heldout.Client]:
    """A participant of two benchmarks, on a service with a host of environments."""
    await service.publish(echo_pack(count=4))
    await service.publish(choice_pack(count=8))
    key = await service.key()
    async with Host.running(settings):
        with heldout.Client(api_key=key, base_url="http://heldout.test", transport=Bridge(service)) as made:
            yield made


def parrot(messages: list[dict[str, Any]], tools: object) -> tuple[dict[str, Any], heldout.Usage]:
    """Talks once, then ends with the number that the instruction asks for."""
    found = re.search(r"-(\d+)", str(messages[0]["content"]))
    assert found
    text = f"finish[{found[1]}]" if len(messages) > 1 else "hello"
    return {"role": "assistant", "content": text}, heldout.Usage(tokens=10)


def guesser(task: Task) -> str:
    """Always the second choice."""
    assert task.problem is not None
    return "ANSWER: B"


async def settled(service: Service, submission: heldout.Submission) -> heldout.Submission:
    """The submission once its jobs have run."""
    await service.work()
    return await asyncio.to_thread(submission.wait, timeout=60)


async def test_what_failed_is_left_and_done_in_the_next_run(
    service: Service, client: heldout.Client, tmp_path: Path
) -> None:
    asked: list[str] = []

    def shaky(task: Task) -> str:
        asked.append(task.id)
        if len(asked) in (2, 5):
            raise ConnectionError("the model is away")
        return guesser(task)

    def play(agent: Any, **more: Any) -> Any:
        return evaluate(client, agent, benchmark="quiz", split="test", model="b", out=tmp_path, concurrency=1, **more)

    first = await asyncio.to_thread(play, shaky, budget=Budget(tasks=6))
    assert (first.done, first.complete, dict(first.errors)) == (4, False, {"ConnectionError: the model is away": 2})
    assert first.submission.state == "open"
    done = [json.loads(line)["problem"] for line in (first.folder / "run.jsonl").read_text().splitlines()[1:]]
    asked.clear()
    second = await asyncio.to_thread(play, guesser)
    assert second.complete
    assert second.submission.id == first.submission.id
    lines = [json.loads(line) for line in (first.folder / "run.jsonl").read_text().splitlines()[1:]]
    assert [line["problem"] for line in lines[:4]] == done
    assert len({line["problem"] for line in lines}) == 8
    graded = await settled(service, second.submission)
    assert graded.score == pytest.approx(0.3), "2 of 8, as a band"


async def test_an_episode_that_was_begun_goes_on(service: Service, client: heldout.Client, tmp_path: Path) -> None:
    def broken(messages: list[dict[str, Any]], tools: object) -> tuple[dict[str, Any], None]:
        if len(messages) > 1:
            raise ConnectionError("the model is away")
        return {"role": "assistant", "content": "hello"}, None

    def play(agent: Any) -> Any:
        more: dict[str, Any] = {"out": tmp_path, "concurrency": 4, "outage_seconds": 0}
        return evaluate(client, agent, benchmark="parrot", split="dev", model="p", **more)

    first = await asyncio.to_thread(play, chat(broken))
    assert (first.done, dict(first.errors)) == (0, {"ConnectionError: the model is away": 4})
    assert (first.begun, first.idle_seconds) == (4, 900)
    second = await asyncio.to_thread(play, chat(parrot))
    assert second.complete
    assert second.begun == 0
    assert dict(second.finish_reasons) == {"completed": 4}
    graded = await settled(service, second.submission)
    assert graded.score == 1.0
    for file in (second.folder / "transcripts").iterdir():
        said = [step["action"]["text"] for step in json.loads(file.read_text())["transcript"][1:]]
        assert said[0] == "hello"
        assert len(said) == 2


async def test_an_agent_that_always_raises_on_one_task_ends_with_a_graded_submission(
    service: Service, client: heldout.Client, tmp_path: Path
) -> None:
    stuck: list[str] = []

    def agent(task: Task) -> str:
        stuck[:] = stuck or [task.id]
        if task.id == stuck[0]:
            raise ValueError("no such option: Z")
        return guesser(task)

    outcome = await asyncio.to_thread(
        evaluate, client, agent, benchmark="quiz", split="dev", model="s", out=tmp_path, attempts=2
    )
    assert outcome.complete
    assert outcome.finish_reasons["agent_error"] == 1
    assert dict(outcome.errors) == {"ValueError: no such option: Z": 2}
    failures = [json.loads(line) for line in (outcome.folder / "errors.jsonl").read_text().splitlines()]
    assert [failure["problem"] for failure in failures] == stuck * 2
    assert "Traceback" in failures[0]["message"]
    assert "no such option: Z" in (outcome.folder / "summary.json").read_text()
    assert (await settled(service, outcome.submission)).state == "graded"


async def test_an_episode_whose_agent_always_raises_ends_too(
    service: Service, client: heldout.Client, tmp_path: Path
) -> None:
    def broken(messages: list[dict[str, Any]], tools: object) -> tuple[dict[str, Any], None]:
        raise ValueError("I cannot")

    agent = chat(broken)
    outcome = await asyncio.to_thread(
        evaluate, client, agent, benchmark="parrot", split="dev", model="e", out=tmp_path, attempts=1
    )
    assert dict(outcome.finish_reasons) == {"agent_error": 4}
    assert outcome.failed
    finalized = await asyncio.to_thread(outcome.submission.finalize)
    graded = await settled(service, finalized)
    assert (graded.state, graded.score) == ("graded", 0.0)


async def test_like_errors_stop_the_run_and_leave_its_tasks(client: heldout.Client, tmp_path: Path) -> None:
    def away(task: Task) -> str:
        raise heldout.AuthenticationError("the key is not known")

    def play(agent: Any, **more: Any) -> Any:
        return evaluate(client, agent, benchmark="quiz", split="test", model="k", out=tmp_path, concurrency=1, **more)

    first = await asyncio.to_thread(play, away, stop_after=3)
    assert first.stopped == "AuthenticationError: the key is not known (3 times in 0 s, and nothing else)"
    assert sum(first.errors.values()) == 3
    assert (first.done, first.complete) == (0, False)
    assert (await asyncio.to_thread(play, guesser)).complete


async def test_an_answer_that_is_too_long_is_kept_to_its_end(
    service: Service, client: heldout.Client, tmp_path: Path
) -> None:
    longest = (await asyncio.to_thread(client.limits)).answer_characters

    def wordy(task: Task) -> str:
        return "x" * longest + "\0\ud800\nANSWER: B"

    outcome = await asyncio.to_thread(evaluate, client, wordy, benchmark="quiz", split="dev", model="w", out=tmp_path)
    assert (outcome.complete, outcome.left_out) == (True, outcome.tasks)
    assert (await settled(service, outcome.submission)).score == pytest.approx(0.5), "B is right in 1 of 2"


async def test_what_episodes_cost_reaches_the_submission(
    service: Service, client: heldout.Client, tmp_path: Path
) -> None:
    outcome = await asyncio.to_thread(
        evaluate, client, chat(parrot), benchmark="parrot", split="dev", model="u", out=tmp_path
    )
    assert outcome.usage.tokens == 80
    graded = await settled(service, outcome.submission)
    assert graded.usage
    assert graded.usage["tokens"] == 80
    assert graded.usage["seconds"] > 0


@pytest.mark.parametrize(
    ("budget", "words"),
    [
        (Budget(tokens=25), "30 of 25 tokens are spent"),
        (Budget(cost=0.25), "$0.30 of $0.25 are spent"),
        (Budget(seconds=0), "0 of 0 seconds are over"),
    ],
)
async def test_a_budget_that_is_spent_starts_nothing_more_and_is_said(
    client: heldout.Client, tmp_path: Path, budget: Budget, words: str
) -> None:
    def costly(task: Task) -> Reply:
        return Reply(guesser(task), Spent(tokens=10, cost=0.1, reasoning_tokens=4))

    def play(limit: Budget | None) -> Any:
        more: dict[str, Any] = {"out": tmp_path, "concurrency": 1, "budget": limit}
        return evaluate(client, costly, benchmark="quiz", split="test", model="b", **more)

    first = await asyncio.to_thread(play, budget)
    assert (first.spent, first.complete) == (words, False)
    assert first.done == (0 if budget.seconds == 0 else 3)
    second = await asyncio.to_thread(play, None)
    assert (second.complete, second.spent, second.usage.tokens, second.usage.reasoning_tokens) == (True, "", 80, 32)


async def test_a_full_context_ends_an_episode_as_such(service: Service, client: heldout.Client, tmp_path: Path) -> None:
    def full(messages: list[dict[str, Any]], tools: object) -> tuple[dict[str, Any], None]:
        if len(messages) > 1:
            raise ContextLimitError("maximum context length is 8192 tokens")
        return {"role": "assistant", "content": "hello"}, None

    outcome = await asyncio.to_thread(
        evaluate, client, chat(full), benchmark="parrot", split="dev", model="c", out=tmp_path
    )
    assert dict(outcome.finish_reasons) == {"context_limit": 4}
    assert not outcome.errors


async def test_several_agents_over_several_benchmarks(service: Service, client: heldout.Client, tmp_path: Path) -> None:
    def versatile(task: Task) -> Any:
        return chat(parrot)(task) if task.session else guesser(task)

    entrants = [Entrant(name, versatile, Model(name=name), concurrency=2) for name in ("one", "two")]
    courses = [Course("parrot", "dev", concurrency=2), Course("quiz", "dev", concurrency=1)]
    told: list[Any] = []
    outcomes = await asyncio.to_thread(evaluate_all, client, entrants, courses, out=tmp_path, progress=told.append)
    assert [(o.entrant, o.course, o.complete) for o in outcomes] == [
        ("one", "parrot-dev", True),
        ("one", "quiz-dev", True),
        ("two", "parrot-dev", True),
        ("two", "quiz-dev", True),
    ]
    assert told[-1]["ended"] == 12
    assert (told[-1]["waiting"], told[-1]["rate"] * told[-1]["seconds"]) == ("", pytest.approx(12))
    assert max(report["running"] for report in told) <= 3


async def test_a_command_plays(service: Service, client: heldout.Client, tmp_path: Path) -> None:
    program = tmp_path / "agent.py"
    program.write_text(
        "import json, re, sys\n"
        "first = json.loads(sys.stdin.readline())\n"
        "number = re.search(r'-(\\d+)', first['observation'])[1]\n"
        "print(json.dumps({'text': 'finish[' + number + ']'}), flush=True)\n"
        "sys.stdin.readline()\n"
    )
    agent = Command([sys.executable, str(program)], seconds=120)
    outcome = await asyncio.to_thread(
        evaluate, client, agent, benchmark="parrot", split="dev", model="cmd", out=tmp_path / "out", concurrency=2
    )
    assert outcome.complete, outcome.errors
    graded = await settled(service, outcome.submission)
    assert graded.score == 1.0


async def test_a_folder_has_one_run_at_a_time(client: heldout.Client, tmp_path: Path) -> None:
    def play(agent: Any) -> Any:
        return evaluate(client, agent, benchmark="quiz", split="dev", model="two", out=tmp_path, concurrency=1)

    said: list[heldout.Conflict] = []

    def meanwhile(task: Task) -> str:
        with pytest.raises(heldout.Conflict) as refused:
            play(guesser)
        said.append(refused.value)
        return guesser(task)

    assert (await asyncio.to_thread(play, meanwhile)).complete
    assert [error.code for error in said] == ["folder_in_use"] * 2
    assert f"two{os.sep}quiz-dev is in use by process {os.getpid()} on " in said[0].detail
    assert (await asyncio.to_thread(play, guesser)).complete, "free again"


async def test_an_agent_alone_is_enough(service: Service, client: heldout.Client, tmp_path: Path) -> None:
    loops = set()

    async def guessing(task: Task) -> str:
        await asyncio.sleep(0)
        loops.add(asyncio.get_running_loop())
        return guesser(task)

    def play(agent: Any, wait: bool) -> Outcome:
        more: dict[str, Any] = {"benchmark": "quiz", "split": "dev", "out": tmp_path, "client": client}
        return heldout.evaluate(agent, concurrency=2, wait=wait, **more)

    done = await asyncio.to_thread(play, guesser, False)
    assert (done.entrant, done.tasks, done.complete, done.submission.score) == ("guesser", 2, True, None)
    waiting = asyncio.create_task(asyncio.to_thread(play, guessing, True))
    while not waiting.done():
        await service.work()
        await asyncio.sleep(0.05)
    done = await waiting
    assert (done.entrant, done.complete, done.submission.state, len(loops)) == ("guessing", True, "graded", 1)
    assert repr(done).startswith("<Outcome guessing on quiz-dev: 2 of 2 done, sub_")
    with pytest.raises(heldout.Invalid, match="'gpt-5' is no agent"):
        heldout.evaluate("gpt-5", client=client)  # type: ignore[arg-type]
