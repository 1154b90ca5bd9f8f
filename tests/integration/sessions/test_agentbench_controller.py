"""AgentBench's controller over live sessions: its protocol call by call, and its own assigner and HTTP agent."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI, Response

import heldout
from api.controller.app import controller
from api.controller.samples import Samples, Task
from api.hosting.server import Host
from tests.support import agentbench
from tests.support.listening import listening
from tests.support.service import Service

KEY = "a-key-of-the-controller"


@dataclass
class Harness:
    """The controller on a socket, the service, and a way to call it."""

    service: Service
    port: int
    http: httpx2.AsyncClient
    client: heldout.Client

    async def call(self, method: str, path: str, **more: Any) -> httpx2.Response:
        return await self.http.request(method, f"/api/{path}", **more)

    async def post(self, path: str, **body: Any) -> Any:
        reply = await self.call("POST", path, json=body)
        assert reply.status_code == 200, reply.text
        return reply.json()

    async def say(self, session: int, content: str | None, status: str = "normal") -> Any:
        said = {"status": status, "content": content}
        return await self.post("interact", session_id=session, agent_response=said)

    async def graded(self, waiting: asyncio.Task[Any]) -> Any:
        """What `waiting` gives, with the worker at work."""
        while not (await asyncio.wait({waiting}, timeout=0.2))[0]:
            await self.service.work()
        return waiting.result()


@pytest.fixture
async def harness(service: Service, host: Host) -> AsyncIterator[Harness]:
    key = await service.key()
    async with listening(service.app) as number:
        with heldout.Client(base_url=f"http://127.0.0.1:{number}", api_key=key) as client:
            tasks = [Task("kg-std", "parrot", "dev")]
            samples = Samples(client, tasks, model="tester", run="1", capacity=2, whole=False)
            async with listening(controller(samples, KEY)) as port:
                address = f"http://127.0.0.1:{port}"
                async with httpx2.AsyncClient(base_url=address, auth=("heldout", KEY), timeout=120) as http:
                    yield Harness(service, port, http, client)


def number_of(history: list[dict[str, str]]) -> int:
    found = re.search(r"Say the number of dev-(\d)", history[0]["content"])
    assert found
    return int(found[1])


async def test_call_by_call(harness: Harness) -> None:
    for auth in (("heldout", "wrong"), ("heldout", "")):
        refused = await harness.call("GET", "list_workers", auth=auth)
        assert (refused.status_code, KEY in refused.text) == (401, False)
    indices = (await harness.call("GET", "get_indices", params={"name": "kg-std"})).json()
    assert len(set(indices)) == 4
    assert (await harness.call("GET", "get_indices", params={"name": "os"})).status_code == 400
    worker = (await harness.call("GET", "list_workers")).json()["kg-std"]["workers"]["0"]
    assert (worker["capacity"], worker["current"], worker["status"]) == (2, 0, 0)
    for name, index, status in (("os", indices[0], 406), ("kg-std", "none", 400)):
        reply = await harness.call("POST", "start_sample", json={"name": name, "index": index})
        assert reply.status_code == status

    first, second = [await harness.post("start_sample", name="kg-std", index=index) for index in indices[:2]]
    assert first["output"]["status"] == "running"
    full = await harness.call("POST", "start_sample", json={"name": "kg-std", "index": indices[2]})
    assert full.status_code == 406
    assert await harness.post("start_sample", name="kg-std", index=indices[0]) == first
    again = await harness.say(first["session_id"], "hello")
    assert [turn["role"] for turn in again["output"]["history"]] == ["user", "agent", "user"]
    assert again["output"]["history"][1:] == [
        {"role": "agent", "content": "hello"},
        {"role": "user", "content": "hello"},
    ]
    assert set((await harness.call("GET", "list_sessions")).json()) == {"1", "2"}

    right = number_of(first["output"]["history"])
    ended = await harness.say(first["session_id"], f"finish[{right}]")
    assert ended["output"]["status"] == "completed"
    over = {"session_id": first["session_id"], "agent_response": {"status": "normal", "content": "more"}}
    assert (await harness.call("POST", "interact", json=over)).status_code == 400
    overflow = await harness.say(second["session_id"], None, "agent context limit")
    assert overflow["output"]["status"] == "agent context limit"
    third = await harness.post("start_sample", name="kg-std", index=indices[2])
    assert await harness.post("cancel", session_id=third["session_id"]) == {"session_id": third["session_id"]}
    assert (await harness.post("start_sample", name="kg-std", index=indices[2]))["output"]["status"] == "unknown"
    fourth = await harness.post("start_sample", name="kg-std", index=indices[3])
    await harness.say(fourth["session_id"], "finish[no]")

    body = {"name": "kg-std", "results": []}
    overall = await harness.graded(asyncio.create_task(harness.post("calculate_overall", **body)))
    assert overall["main"] == overall["score"] == 0.25
    told = await asyncio.to_thread(harness.client.submission, overall["submission"])
    assert told.score == 0.25


async def test_function_calls(harness: Harness) -> None:
    """The conversation of the function-calling variant: only what is new, calls by their ids, the reward at the end."""

    async def call(path: str, session: str | None = None, **body: Any) -> httpx2.Response:
        headers = {"session_id": session} if session else {}
        return await harness.http.post(f"/fc/{path}", json=body, headers=headers)

    def tool(name: str, **arguments: str) -> dict[str, Any]:
        function = {"name": name, "arguments": json.dumps(arguments)}
        return {"id": f"{name}-1", "type": "function", "function": function}

    async def act(session: str, *asked: dict[str, Any], content: str = "") -> dict[str, Any]:
        message = {"role": "assistant", "content": content} | ({"tool_calls": list(asked)} if asked else {})
        acting = asyncio.create_task(call("interact", session, messages=[message]))
        reply = await harness.graded(acting)
        assert reply.status_code == 200, reply.text
        return dict(reply.json())

    assert (await harness.http.post("/fc/cancel", headers={"session_id": "1"}, auth=("a", "b"))).status_code == 401
    indices = (await harness.http.get("/fc/get_indices", params={"name": "kg-std"})).json()
    begun = await call("start_sample", name="kg-std", index=indices[0], custom_task=None)
    session, first = begun.headers["session_id"], begun.json()
    assert [message["role"] for message in first["messages"]] == ["system", "user"]
    assert [tool["function"]["name"] for tool in first["tools"]] == ["say", "finish"]
    assert (first["finish"], first["status"], first["reward"]) == (False, "running", None)
    right = str(number_of(first["messages"][1:]))
    two = await act(session, tool("say", text="one"), tool("say", text="two"))
    assert two["messages"] == [{"role": "tool", "tool_call_id": "say-1", "content": text} for text in ("one", "two")]
    written = await act(session, content="Final Answer: #1")
    assert written["messages"] == [{"role": "user", "content": "Final Answer: #1"}]
    again = (await call("start_sample", name="kg-std", index=indices[0])).json()
    assert [message["role"] for message in again["messages"]] == [
        *("system", "user"),
        *("assistant", "tool", "assistant", "tool"),
        *("assistant", "user"),
    ]
    assert again["messages"][2]["tool_calls"][0]["id"] == again["messages"][3]["tool_call_id"]
    ended = await act(session, tool("finish", answer=right), tool("say", text="too late"))
    assert (ended["finish"], ended["status"], ended["reward"]) == (True, "completed", 1.0)
    assert (ended["metrics"], len(ended["messages"])) == ({"score": 1.0}, 1)
    assert (await call("interact", session, messages=[])).status_code == 400

    for index, asked, status in (
        (indices[1], [], "agent invalid action"),
        (indices[2], [{"id": "x", "function": {"name": "finish", "arguments": "{no json"}}], "agent invalid action"),
        (indices[3], [tool("finish", answer="never")], "completed"),
    ):
        other = (await call("start_sample", name="kg-std", index=index)).headers["session_id"]
        wrong = await act(other, *asked, content="Let me think.")
        assert (wrong["finish"], wrong["status"], wrong["reward"]) == (True, status, 0.0)
    overall = await harness.graded(asyncio.create_task(call("calculate_overall", name="kg-std")))
    assert overall.json()["main"] == 0.25


@pytest.fixture
async def model() -> AsyncIterator[tuple[int, list[int]]]:
    """A model over HTTP: it knows number 3, overflows at 0, and is wrong otherwise; and how many turns it was shown."""
    app, lengths = FastAPI(), []

    @app.post("/chat")
    async def chat(body: dict[str, Any], response: Response) -> dict[str, Any]:
        lengths.append(len(body["messages"]))
        number = number_of(body["messages"])
        if number == 0:
            response.status_code = 400
            return {"error": "the maximum context length is reached"}
        if len(body["messages"]) == 1:
            return {"text": "let me think"}
        return {"text": f"finish[{number}]" if number == 3 else "finish[never]"}

    async with listening(app) as port:
        yield port, lengths


async def test_the_published_assigner_plays_to_its_end(
    harness: Harness, model: tuple[int, list[int]], tmp_path: Path
) -> None:
    """`python -m src.assigner`, as it is, with its HTTP agent. Its client of another server is absent, and not used."""
    said = await harness.graded(
        asyncio.create_task(
            agentbench.assigned(tmp_path, ["kg-std"], f"heldout:{KEY}@127.0.0.1:{harness.port}", model[0])
        )
    )
    folder = tmp_path / "out" / "mine" / "kg-std"
    assert (folder / "overall.json").exists(), said
    overall = json.loads((folder / "overall.json").read_text())
    runs = [json.loads(line) for line in (folder / "runs.jsonl").read_text().splitlines()]
    assert sorted(run["output"]["status"] for run in runs) == ["agent context limit", *["completed"] * 3]
    assert not (folder / "error.jsonl").exists()
    assert (overall["total"], overall["validation"]["completed"], overall["custom"]["main"]) == (4, 0.75, 0.25)
    told = await asyncio.to_thread(harness.client.submission, overall["custom"]["submission"])
    assert (told.score, told.coverage) == (0.25, 1.0)
    assert told.breakdown
    assert max(model[1]) == 3
