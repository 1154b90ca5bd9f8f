"""The released harnesses, run by their own commands against a real service; `make test-harnesses` installs them."""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

import heldout
from api.cli.baselines.throwaway import throwaway, unlimited
from packs.pack import Pack
from tests.support.models import scripted_model
from tests.support.scratch import scratch
from tests.support.service import choice_pack
from tests.support.sessions import echo_pack

PROGRAMS = os.environ.get("HELDOUT_HARNESSES", "")
pytestmark = [
    pytest.mark.timeout(600),
    pytest.mark.skipif(not PROGRAMS, reason="the harnesses are large: `make test-harnesses` installs and runs them"),
]


def _script(body: dict[str, Any]) -> dict[str, Any]:
    """Answers B, and calls the first tool there is with the word 'stop'."""
    if not (tools := body.get("tools")):
        return {"role": "assistant", "content": "ANSWER: B"}
    function = tools[0]["function"]
    arguments = json.dumps(dict.fromkeys(function["parameters"].get("properties", {}), "stop"))
    call = {"id": "1", "type": "function", "function": {"name": function["name"], "arguments": arguments}}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


@pytest.fixture
async def endpoint() -> AsyncIterator[str]:
    """Address of a scripted model."""
    async with scripted_model(_script) as address:
        yield address


async def _inspect(folder: Path, pack: Pack, endpoint: str, *arguments: str) -> tuple[dict[str, Any], Any]:
    """Inspect's own log of an evaluation, and the submission that it made."""
    async with throwaway(unlimited(pack), place=scratch()) as running:
        address = f"http://127.0.0.1:{running.instance.port}"
        variables = {"LOCAL_API_KEY": "x", "LOCAL_BASE_URL": endpoint}
        variables |= {"HELDOUT_BASE_URL": address, "HELDOUT_API_KEY": running.key}
        inspect, model = f"{PROGRAMS}/inspect", "openai-api/local/m"
        command = [inspect, "eval", f"heldout/{running.slug}", "--model", model, "--display", "plain", *arguments]
        process = await asyncio.create_subprocess_exec(*command, cwd=folder, env=os.environ | variables)
        assert await process.wait() == 0
        (log,) = (folder / "logs").glob("*.eval")
        dumped = await asyncio.create_subprocess_exec(
            inspect, "log", "dump", str(log), cwd=folder, stdout=asyncio.subprocess.PIPE
        )
        said, _ = await dumped.communicate()
        async with heldout.AsyncClient(api_key=running.key, base_url=address, benchmark=running.slug) as client:
            (made,) = await client.submissions().all()
    return json.loads(said), made


def _metrics(log: dict[str, Any]) -> dict[str, float]:
    assert log["status"] == "success"
    return {name: item["value"] for score in log["results"]["scores"] for name, item in score["metrics"].items()}


async def test_questions_by_inspects_command(tmp_path: Path, endpoint: str) -> None:
    log, made = await _inspect(tmp_path, choice_pack(), endpoint, "-T", "split=dev")
    assert _metrics(log) == {
        "score": 0.5,
        "coverage": 1.0,
        "received": 2.0,
        "low": pytest.approx(0.095, abs=0.01),
        "high": pytest.approx(0.905, abs=0.01),
    }
    assert (made.state, made.score, made.model.name) == ("graded", 0.5, "openai-api/local/m")


async def test_a_limited_run_of_a_hidden_split_reports_what_the_split_tells(tmp_path: Path, endpoint: str) -> None:
    log, made = await _inspect(tmp_path, choice_pack(count=8), endpoint, "-T", "split=test", "--limit", "3")
    assert _metrics(log)["received"] == 3
    assert (made.received, made.expected) == (3, 8)
    assert all(sample["target"] == "" for sample in log["samples"]), "no gold of a hidden split is in a log"


async def test_episodes_with_the_models_tools(tmp_path: Path, endpoint: str) -> None:
    log, made = await _inspect(tmp_path, echo_pack(), endpoint, "-T", "split=test", "-T", "count=2")
    assert _metrics(log)["received"] == 2
    assert made.state == "graded"
    for sample in log["samples"]:
        assert sample["metadata"]["finish_reason"]
        assert any(message["role"] == "tool" for message in sample["messages"])
