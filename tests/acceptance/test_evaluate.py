"""Agents over the real service: episodes and questions, interrupted and gone on with."""

import asyncio
import json
import re
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

import heldout
from api.core.settings import Settings
from api.hosting.server import Host
from heldout.evaluation import Budget, Command, Course, Entrant, Task, chat, evaluate, evaluate_all
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
    assert (first.done, first.complete, dict(first.errors)) == (4, False, {"ConnectionError": 2})
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
        return evaluate(client, agent, benchmark="parrot", split="dev", model="p", out=tmp_path, concurrency=2)

    first = await asyncio.to_thread(play, chat(broken))
    assert (first.done, dict(first.errors)) == (0, {"ConnectionError": 4})
    second = await asyncio.to_thread(play, chat(parrot))
    assert second.complete
    assert dict(second.finish_reasons) == {"completed": 4}
    graded = await settled(service, second.submission)
    assert graded.score == 1.0
    for file in (second.folder / "transcripts").iterdir():
        said = [step["action"]["text"] for step in json.loads(file.read_text())["transcript"][1:]]
        assert said[0] == "hello"
        assert len(said) == 2


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


async def test_an_agent_alone_is_enough(client: heldout.Client, tmp_path: Path) -> None:
    done = await asyncio.to_thread(
        heldout.evaluate, guesser, benchmark="quiz", split="dev", concurrency=2, out=tmp_path, client=client
    )
    assert (done.entrant, done.tasks, done.complete) == ("guesser", 2, True)
