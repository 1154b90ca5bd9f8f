"""The evaluator of AgentBench's function-calling variant, as it is released, plays every environment by its tools."""

import asyncio
import json
import os
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

import heldout
from api.admission import policies
from api.controller.app import controller
from api.controller.samples import Samples, Task
from api.core.settings import Settings
from api.hosting.server import Host
from envs.base import Action, Observation, ToolCall
from packs.problem import ReferenceLine
from tests.support import suite
from tests.support.listening import listening
from tests.support.live import databases
from tests.support.service import Service

PROGRAM = f"{os.environ.get('HELDOUT_HARNESSES', '')}/agentrl-eval"
pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.timeout(1800),
    pytest.mark.skipif(not Path(PROGRAM).is_file(), reason="`make test-harnesses` installs agentrl-eval and runs this"),
]
KEY = "a-key-of-the-controller"


def called(action: Action) -> ToolCall | None:
    """A gold action as a call of its world's tools; None where none does it."""
    text = action.text
    if text is None:
        return action.tool
    if found := re.search(r"Answer: ([A-F])\.(?:\nAction: (\w+))?(?:\nValue: (.*))?", text):
        given = zip(("choice", "action", "value"), found.groups(), strict=True)
        return ToolCall(name="choose_element", arguments={name: value for name, value in given if value})
    if found := re.fullmatch(r"Action:\n(search|click)\[(.*)\]", text):
        name, field = {"search": ("search_action", "keywords"), "click": ("click_action", "value")}[found[1]]
        return ToolCall(name=name, arguments={field: found[2]})
    if found := re.fullmatch(r"Action: (\w+)\((.*)\)", text):
        fields = {"get_neighbors": "variable relation", "intersection": "variable1 variable2"}
        named = fields.get(found[1], "variable attribute" if found[1].startswith("arg") else "variable").split()
        return ToolCall(name=found[1], arguments=dict(zip(named, found[2].rsplit(", ", len(named) - 1), strict=True)))
    if text.startswith("ACTION: "):
        return ToolCall(name="take_action", arguments={"action": text.removeprefix("ACTION: ")})
    if text.startswith("{"):
        held = json.loads(text)
        return ToolCall(name="guess" if "guess_type" in held else "move", arguments=held)
    return None if text.startswith("Final Answer: #") else ToolCall(name="ask_question", arguments={"question": text})


def model(samples: Samples, known: dict[str, ReferenceLine]) -> FastAPI:
    """A chat endpoint that plays the golds; the evaluator names what it asks for as TASK:INDEX, for caches."""
    app, taken = FastAPI(), Counter[str]()

    def reply(key: str) -> dict[str, Any]:
        task, _, index = key.partition(":")
        session = samples.open(task, index).session
        seen = Observation(text=session.observation.text, data=session.observation.data)
        action = policies.gold(known[session.instruction])(seen, taken[key])
        taken[key] += 1
        assert action is not None
        call = called(action)
        if call is None:
            return {"content": action.text}
        function = {"name": call.name, "arguments": json.dumps(call.arguments)}
        return {"content": None, "tool_calls": [{"id": f"c{taken[key]}", "type": "function", "function": function}]}

    @app.post("/v1/chat/completions")
    async def chat(body: dict[str, Any]) -> dict[str, Any]:
        key = body.get("prompt_cache_key")
        # One request is the evaluator's own, to see that somebody answers.
        said = await asyncio.to_thread(reply, key) if key else {"content": "Yes."}
        choice = {"index": 0, "message": {"role": "assistant", **said}, "finish_reason": "stop"}
        return {"id": "1", "object": "chat.completion", "created": 1, "model": body["model"], "choices": [choice]}

    return app


async def evaluated(folder: Path, address: str, port: int, tasks: Sequence[str]) -> tuple[list[dict[str, Any]], str]:
    """The results that the evaluator wrote, and what it said."""
    command = [PROGRAM, "--model", "gold", "--base-url", f"http://127.0.0.1:{port}/v1", "--api-key", "x"]
    command += ["--chat-completions", "--controller", address, "-j", "2", "--output", str(folder), *tasks]
    process = await asyncio.create_subprocess_exec(
        *command, cwd=folder, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    said, _ = await process.communicate()
    assert process.returncode == 0, said.decode()
    (written,) = folder.glob("*/results.jsonl")
    return [json.loads(line) for line in written.read_text().splitlines()], said.decode()


async def test_the_released_evaluator_plays_every_environment(
    settings: Settings, service: Service, tmp_path: Path
) -> None:
    packs = suite.packs()
    for pack in packs.values():
        await service.publish(pack)
    names = [suite.TASKS[part] for part in packs]
    tasks = [Task(suite.TASKS[part], pack.benchmark.slug, "dev") for part, pack in packs.items()]
    key = await service.key()
    async with databases(), Host.running(settings), listening(service.app) as number:
        with heldout.Client(base_url=f"http://127.0.0.1:{number}", api_key=key) as client:
            samples = Samples(client, tasks, model="gold", run="1", capacity=2, whole=False)
            known = suite.Knowing(packs).known
            async with listening(controller(samples, KEY)) as port, listening(model(samples, known)) as chat:
                address = f"http://heldout:{KEY}@127.0.0.1:{port}/fc"
                playing = asyncio.create_task(evaluated(tmp_path, address, chat, names))
                while not (await asyncio.wait({playing}, timeout=0.5))[0]:
                    await service.work()
                results, said = playing.result()
    assert len(packs) == 8
    assert Counter(result["task"] for result in results) == {
        suite.TASKS[part]: len(pack.problems) for part, pack in packs.items()
    }, said
    for result in results:
        assert (result["status"], result["metric_reward"], result["metric_score"]) == ("completed", 1.0, 1.0), result
