"""An episode's page: whose it is while it runs, everybody's once a board lists it, and steps as they are taken."""

import asyncio
import json
import re
from contextlib import AsyncExitStack
from html import unescape

import httpx2
import pytest

from tests.support.listening import listening
from tests.support.service import Service
from tests.support.sessions import Player
from tests.support.sql import sql
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


async def test_an_episode_of_a_hidden_split_names_no_item_and_says_nothing_of_when_it_was_graded(
    service: Service, player: Player, member: Visitor
) -> None:
    alias = (await player.episodes("test"))[0]
    opened = await player.opened(alias)
    path = f"/t/{opened['id']}"
    await player.finish(opened["id"])
    before = await player.show(opened["id"])
    usage, events = [(await member.get(address)).text for address in ("/account/usage", f"{path}/events")]
    await service.work()
    async with service.admin.session() as session:
        assert (await sql(session, "select state from live_session")).scalar_one() == "graded"
    assert await player.show(opened["id"]) == before, "how long the judgement took is told"
    assert (await member.get("/account/usage")).text == usage
    assert events.endswith("event: over\ndata: {}\n\n")
    assert (await member.get(f"{path}/events")).text == events
    assert before["verdict"] is None
    # The pack's names and positions are the same for everybody; the instruction of these episodes says them itself.
    page = (await member.get(path)).text
    title = re.search(r"<title>(.*?)</title>", page)
    assert title
    assert "test-" not in title[1]
    log = (await member.get(f"{path}/inspect.json")).json()
    assert (log["samples"][0]["id"], log["eval"]["dataset"]["sample_ids"]) == (alias, [alias])
    assert log["samples"][0]["scores"] == {}
    said = page.replace("Say the number of test-", "").replace("this is test-", "")
    assert not re.search(r"test-\d", said)


async def test_an_organisation_watches_only_so_many_episodes_at_once(
    service: Service, player: Player, member: Visitor
) -> None:
    opened = await player.opened((await player.episodes())[0])
    cookies = {"heldout_session": member.session() or ""}
    async with AsyncExitStack() as stack, asyncio.timeout(120):
        port = await stack.enter_async_context(listening(service.app))
        client = httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}", cookies=cookies, timeout=60)
        await stack.enter_async_context(client)
        address = f"/t/{opened['id']}/events?after=0"
        streams = [await stack.enter_async_context(AsyncExitStack()) for _ in range(9)]
        watching = [(await one.enter_async_context(client.stream("GET", address))).aiter_lines() for one in streams]
        assert [await anext(lines) for lines in watching] == [": waiting"] * 8 + ["retry: 30000"]
        await streams[0].aclose()
        for _ in range(20):
            async with client.stream("GET", address) as again:
                if (said := await anext(again.aiter_lines())) == ": waiting":
                    break
        assert said == ": waiting", "a place that was left is free again"


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
