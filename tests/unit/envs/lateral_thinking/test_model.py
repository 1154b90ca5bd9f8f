"""A model as host, at a scripted endpoint: it agrees with the fact host, is asked once, and cannot be talked round."""

import json
from typing import Any

import httpx2
import pytest

from envs.base import Action, InfrastructureError, Probe
from envs.lateral_thinking.endpoint import ChatEndpoint
from envs.lateral_thinking.environment import LateralThinking
from envs.lateral_thinking.hosts import FactHost
from envs.lateral_thinking.model import ModelHost
from envs.lateral_thinking.spec import LateralThinkingSpec
from tests.unit.envs.lateral_thinking.test_lateral_thinking import ATTACKS, GOLD, SPEC

ASKED = (*GOLD[:2], "Is it poisoned?", "Is the loaf not salty?", "Is it Tuesday?", *GOLD[2:])


class Script:
    """An endpoint that knows the truth as the fact host does, says it in a model's way, and counts what it is asked."""

    def __init__(self, chatter: str = "") -> None:
        self.asked = 0
        self._chatter = chatter
        self._facts = FactHost(LateralThinkingSpec.model_validate(SPEC))

    async def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.asked += 1
        body = json.loads(request.content)
        assert (body["temperature"], body["model"]) == (0, "host-1")
        system, data = body["messages"][0]["content"], json.loads(body["messages"][1]["content"])
        text = self._chatter or await self.said(system, data)
        return httpx2.Response(200, json={"choices": [{"message": {"content": text}}]})

    async def said(self, system: str, data: dict[str, Any]) -> str:
        if "You host" in system:
            return f" **{(await self._facts.reply(data['question'], ())).capitalize()}.**\n"
        if "first" in data:
            key = SPEC["keys"].index(data["first"])
            return "Yes, it does." if await self._facts.contains(key, data["second"]) else "No."
        if "sentences" in data:
            return " ".join(data["sentences"])
        return await self._facts.statement(data["question"], "opposite" in system) or "Nothing is certain."


async def course(script: Any, recording: dict[str, str], asked: tuple[str, ...]) -> str:
    client = httpx2.AsyncClient(transport=httpx2.MockTransport(script))
    model = ChatEndpoint("http://host.test/v1/", "host-1", "k", client)
    shown = await played(LateralThinking(lambda spec: ModelHost(spec, model, recording)), asked)
    await model.close()
    return shown


async def played(world: LateralThinking, asked: tuple[str, ...], **changed: str) -> str:
    await world.reset(SPEC | changed, 0)
    shown = []
    for question in asked:
        shown.append(await world.step(Action(text=question)))
        if shown[-1].finish:
            break
    seen = await world.probe([Probe(name="game", type="game")])
    await world.close()
    return str((shown, seen))


async def test_it_agrees_with_the_fact_host_and_a_replay_asks_nothing() -> None:
    script, recording = Script(), dict[str, str]()
    first = await course(script, recording, ASKED)
    assert first == await played(LateralThinking(), ASKED)
    calls = script.asked
    assert calls == len(recording) > len(ASKED)
    assert await course(script, recording, ASKED) == first
    assert script.asked == calls


async def test_what_a_model_gives_away_is_never_shown() -> None:
    for chatter in ("The truth is: salt for the deer in the garden.", "Sure! {'answer': 'yes'}", ""):
        shown = await course(Script(chatter or " "), {}, ATTACKS)
        assert not [secret for secret in ("salt", "deer", "garden", "truth is: ") if f"text='{secret}" in shown]
        assert "salt for" not in shown
        assert "'found': []" in shown


@pytest.mark.parametrize(
    "response",
    [httpx2.Response(503), httpx2.Response(200, text="no JSON"), httpx2.Response(200, json={"choices": []})],
)
async def test_a_broken_endpoint_is_a_fault_and_is_not_recorded(response: httpx2.Response) -> None:
    recording: dict[str, str] = {}
    with pytest.raises(InfrastructureError, match="the host's endpoint"):
        await course(lambda _: response, recording, GOLD)
    assert not recording
