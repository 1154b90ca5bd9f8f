"""AgentBench's own assigner plays every environment through our controller, and its overall score is ours."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

import heldout
from api.controller.app import controller
from api.controller.samples import MAIN, Samples, Task
from api.core.settings import Settings
from api.hosting.server import Host
from tests.support import agentbench, suite
from tests.support.listening import listening
from tests.support.live import databases
from tests.support.service import Service

pytestmark = [pytest.mark.sandbox, pytest.mark.timeout(1800)]

KEY = "a-key-of-the-controller"
# An action of every environment, right in none.
REPLY = """Thought: I try.
Act: answer(1)
ACTION: look
Action: Answer
Final Answer: ["1"]
Action: click[buy now]
{"pick_fish": 0, "action": "normal", "target_position": 0}
"""


@pytest.fixture
async def model() -> AsyncIterator[int]:
    """A model over HTTP that has one reply, but asks as the gold does about lateral thinking."""
    pack, app = suite.packs()["ltp"], FastAPI()
    stories = {problem.statement: pack.reference_by_id[problem.id].oracle for problem in pack.problems}

    @app.post("/chat")
    async def chat(body: dict[str, Any]) -> dict[str, str]:
        first, number = body["messages"][0]["content"], len(body["messages"]) // 2
        assert body["messages"][-1]["role"] == "user"
        known = next((oracle for statement, oracle in stories.items() if statement in first), ())
        return {"text": str(known[number]["text"]) if number < len(known) else REPLY}

    async with listening(app) as port:
        yield port


def _main(name: str, overall: dict[str, Any]) -> float:
    """What AgentBench's analysis reads of a task, in [0, 1]."""
    path, scale = MAIN[name.split("-")[0]]
    found: Any = overall["custom"]
    for part in path:
        found = found[part]
    return float(found) / scale


async def test_every_environment_ends_and_the_overall_score_is_ours(
    settings: Settings, service: Service, model: int, tmp_path: Path
) -> None:
    agentbench.checkout()
    packs = suite.packs()
    for pack in packs.values():
        await service.publish(pack)
    names = [suite.TASKS[part] for part in packs]
    tasks = [Task(suite.TASKS[part], pack.benchmark.slug, "dev") for part, pack in packs.items()]
    key = await service.key()
    async with databases(), Host.running(settings), listening(service.app) as number:
        with heldout.Client(base_url=f"http://127.0.0.1:{number}", api_key=key) as client:
            samples = Samples(client, tasks, model="mine", run="1", capacity=2, whole=False)
            async with listening(controller(samples, KEY)) as port:
                address = f"heldout:{KEY}@127.0.0.1:{port}"
                playing = asyncio.create_task(agentbench.assigned(tmp_path, names, address, model))
                while not (await asyncio.wait({playing}, timeout=0.5))[0]:
                    await service.work()
                said = playing.result()
            board = await asyncio.to_thread(client.overall, "agentbench")
            weighted = 0.0
            for (part, pack), name in zip(packs.items(), names, strict=True):
                folder = tmp_path / "out" / "mine" / name
                assert (folder / "overall.json").exists(), said
                assert not (folder / "error.jsonl").exists(), (folder / "error.jsonl").read_text()
                overall = json.loads((folder / "overall.json").read_text())
                judged = await asyncio.to_thread(client.submission, overall["custom"]["submission"])
                assert overall["total"] == len(pack.problems)
                assert judged.score == pytest.approx(_main(name, overall))
                weight = next(item.average for item in board.parts if item.benchmark == f"agentbench-{part}")
                weighted += 100 * _main(name, overall) / weight
    (row,) = board.items
    assert (row.model, row.played) == ("mine", 8)
    assert row.score == pytest.approx(weighted / 8, abs=1e-4)
    assert row.score >= 3.57, "all of lateral thinking: 100 / 3.5 / 8"
