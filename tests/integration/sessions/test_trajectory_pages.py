"""An episode's page: whose it is while it runs, everybody's once a board lists it, and steps as they are taken."""

import asyncio
import json
import re
from html import unescape

import httpx2
import pytest

from tests.support.listening import listening
from tests.support.service import Service
from tests.support.sessions import Player
from tests.support.visitor import Visitor, enter

HTML = {"accept": "text/html"}


@pytest.fixture
async def member(service: Service, player: Player) -> Visitor:
    """Somebody of the player's organisation, signed in."""
    return await enter(service, "ada@example.org", "lab")


async def test_a_running_episode_is_its_own_organisation_s(service: Service, player: Player, member: Visitor) -> None:
    opened = await player.opened((await player.episodes("test"))[0])
    await player.said(opened["id"], 1, "hello <b>there</b>")
    path = f"/t/{opened['id']}"
    assert (await member.get(path)).status_code == 200
    assert "hello &lt;b&gt;there" in member.page
    assert 'id="step-1"' in member.page
    assert "is running" in member.page
    assert "on a hidden split nothing is said" in member.page
    found = await member.get(f"{path}?search=HELLO")
    assert re.findall(r'id="step-(\d+)"', found.text) == ["1"]
    stranger = await enter(service, "eve@example.org", "others")
    for suffix in ("", "/export.json", "/inspect.json", "/events", "/steps/0/screen.png"):
        for reader in (stranger, Visitor.of(service)):
            assert (await reader.get(path + suffix)).status_code == 404


async def test_a_listed_run_of_an_open_split_is_everybody_s(service: Service, player: Player, member: Visitor) -> None:
    body = {"benchmark": "parrot", "split": "dev", "model": {"name": "parrot-1"}, "items": [], "finalize": False}
    submission = (await player.caller.post("/v1/submissions", json=body)).raise_for_status().json()["id"]
    opened = await player.opened((await player.episodes())[0], submission=submission)
    await player.said(opened["id"], 1, "finish[0]")
    await player.finish(opened["id"])
    path = f"/t/{opened['id']}"
    assert (await service.client.get(path, headers=HTML)).status_code == 404, "no board lists it yet"
    (await player.caller.post(f"/v1/submissions/{submission}/finalize")).raise_for_status()
    await service.work()
    shown = (await service.client.get(path, headers=HTML)).raise_for_status().text
    assert "parrot-1 plays dev-0" in shown
    assert re.search(r"Check</dt><dd><span class=\"tag good\">correct", shown)
    run = (await service.client.get(f"/s/{submission}", headers=HTML)).raise_for_status().text
    assert f'href="{path}"' in run
    exported = (await service.client.get(f"{path}/export.json")).raise_for_status().json()
    assert [step["number"] for step in exported["transcript"]] == [0, 1]
    log = (await service.client.get(f"{path}/inspect.json")).raise_for_status().json()
    assert (log["version"], log["status"], log["samples"][0]["scores"]["heldout"]["value"]) == (2, "success", 1.0)
    said = [(m["role"], m["content"]) for m in log["samples"][0]["messages"] if m["role"] == "assistant"]
    assert said == [("assistant", "finish[0]")]
    assert (await service.client.get(f"{path}/events")).status_code == 404


async def test_steps_are_shown_as_they_are_taken(service: Service, player: Player, member: Visitor) -> None:
    opened = await player.opened((await player.episodes())[0])
    seen: asyncio.Queue[tuple[str, str]] = asyncio.Queue()

    async def watch(port: int) -> None:
        cookies = {"heldout_session": member.session() or ""}
        base = f"http://127.0.0.1:{port}"
        async with (
            httpx2.AsyncClient(base_url=base, cookies=cookies, timeout=120) as client,
            client.stream("GET", f"/t/{opened['id']}/events?after=0") as response,
        ):
            assert response.headers["content-type"].startswith("text/event-stream")
            name = ""
            async for line in response.aiter_lines():
                kind, _, value = line.partition(": ")
                if kind == "event":
                    name = value
                elif kind == "data":
                    await seen.put((name, value))

    async with listening(service.app) as port, asyncio.timeout(300):
        watching = asyncio.create_task(watch(port))
        for number, words in ((1, "one"), (2, "two")):
            await player.said(opened["id"], number, words)
            name, value = await seen.get()
            assert (name, f'id="step-{number}"' in json.loads(value)) == ("step", True)
            assert words in unescape(json.loads(value))
        await player.finish(opened["id"])
        events: list[str] = []
        while not events or events[-1] != "over":
            events.append((await seen.get())[0])
        await watching
