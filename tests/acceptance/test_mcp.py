"""`heldout mcp`: an episode played to its end by the official client of the Model Context Protocol."""

import os
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from mcp import Client, StdioServerParameters, stdio_client
from mcp_types import CallToolResult, TextContent

import heldout
from api.core.settings import Settings
from api.hosting.server import Host
from tests.support.listening import listening
from tests.support.service import Service
from tests.support.sessions import echo_pack
from tests.support.sql import sql

pytestmark = pytest.mark.timeout(600)


@dataclass
class Stage:
    """A service with episodes, and a participant's client."""

    service: Service
    client: heldout.AsyncClient
    variables: dict[str, str]

    @asynccontextmanager
    async def connected(self, named: str) -> AsyncIterator[Client]:
        """The official client, with `heldout mcp` as its server."""
        arguments = ["-c", "from heldout.cli import main; main()", "mcp", named]
        program = StdioServerParameters(command=sys.executable, args=arguments, env=os.environ | self.variables)
        async with Client(stdio_client(program)) as connected:
            yield connected


@pytest.fixture
async def stage(settings: Settings, service: Service) -> AsyncIterator[Stage]:
    await service.publish(echo_pack())
    key = await service.key()
    async with Host.running(settings), listening(service.app) as port:
        address = f"http://127.0.0.1:{port}"
        async with heldout.AsyncClient(api_key=key, base_url=address, benchmark="parrot") as client:
            yield Stage(service, client, {"HELDOUT_API_KEY": key, "HELDOUT_BASE_URL": address})


def _text(result: CallToolResult) -> str:
    return "\n".join(part.text for part in result.content if isinstance(part, TextContent))


async def test_an_episode_of_a_submission_is_played_to_its_end(stage: Stage) -> None:
    submission = await stage.client.submit([], model="mcp-player", split="dev", finalize=False)
    episode = (await stage.client.episodes("dev").first(1))[0]
    session = await stage.client.open_session(episode, submission=submission.id)
    async with stage.connected(session.id) as client:
        assert {tool.name for tool in (await client.list_tools()).tools} == {"say", "finish", "finish_episode"}
        number = re.search(r"dev-(\d+)", client.instructions or "")
        assert number
        assert _text(await client.call_tool("say", {"text": "hello"})).startswith("hello")
        ended = await client.call_tool("finish", {"answer": number[1]})
        assert (ended.is_error, "the episode has ended: completed" in _text(ended)) == (False, True)
        again = await client.call_tool("say", {"text": "more"})
        assert (again.is_error, _text(again)) == (True, "the episode is over: completed")
    status = await session.refresh()
    assert (status.steps, status.finish_reason) == (2, "completed")
    await submission.finalize()
    await stage.service.work()
    done = await submission.refresh()
    assert done.items
    assert [item.score for item in done.items] == [1.0]


async def test_an_episode_is_opened_finished_and_else_cancelled(stage: Stage) -> None:
    first, second = (await stage.client.episodes("dev").first(2))[:2]
    async with stage.connected(first.id) as client:
        assert "completed" in _text(await client.call_tool("finish_episode", {"answer": "0"}))
    async with stage.connected(second.id) as client:
        wrong = await client.call_tool("no_such_tool", {})
        assert wrong.is_error
        assert "there are: say, finish, finish_episode. Nothing was done" in _text(wrong)
        cases: list[tuple[dict[str, Any], str]] = [
            ({}, "'text' is missing"),
            ({"text": 5}, "of type string"),
            ({"word": "a"}, "no 'word'"),
        ]
        for given, words in cases:
            wrong = await client.call_tool("say", given)
            assert (wrong.is_error, words in _text(wrong), "its fields are: text" in _text(wrong)) == (True, True, True)
        assert (await client.call_tool("say", {"text": "hello"})).is_error is False
    assert sorted(await _ends(stage)) == ["cancelled", "completed"]
    assert sorted(await _steps(stage)) == [0, 1], "what was refused cost no turn"


async def _steps(stage: Stage) -> list[int]:
    async with stage.service.admin.session() as session:
        return [int(row.steps) for row in (await sql(session, "select steps from live_session")).all()]


async def _ends(stage: Stage) -> list[str]:
    async with stage.service.admin.session() as session:
        return [str(row.finish_reason) for row in (await sql(session, "select finish_reason from live_session")).all()]
