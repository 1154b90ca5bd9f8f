"""Steps over a WebSocket: the same replies, the same refusals, stored before they are told, and nobody gets further."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from limits import parse
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

import heldout
from api.accounts.models import Scope
from api.accounts.principal import Principal
from api.core import ratelimit
from api.core.settings import Settings
from api.hosting.server import Host
from api.sessions import cache as cached
from api.sessions.lending import Lender
from api.sessions.steps import LARGEST, StepHandler
from tests.integration.sessions.test_holders import host_process
from tests.support.listening import listening
from tests.support.service import Service
from tests.support.sessions import Player, echo_pack
from tests.support.sql import sql

PATIENCE = 120.0


@pytest.fixture
async def port(service: Service) -> AsyncIterator[int]:
    """The service on a socket."""
    async with listening(service.app) as number:
        yield number


@pytest.fixture
def unlent(monkeypatch: pytest.MonkeyPatch) -> None:
    """As with a host on another machine, which takes no sockets."""

    async def kept(self: Lender) -> None:
        """Nothing is lent."""

    monkeypatch.setattr(Lender, "lend", kept)


@asynccontextmanager
async def channel(port: int, key: str | None, session: str) -> AsyncIterator[ClientConnection]:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    address = f"ws://127.0.0.1:{port}/v1/sessions/{session}/steps"
    async with connect(address, additional_headers=headers, open_timeout=PATIENCE, ping_timeout=None) as line:
        yield line


async def say(line: ClientConnection, number: int, text: str) -> dict[str, Any]:
    return await send(line, json.dumps({"number": number, "action": {"text": text}}))


async def send(line: ClientConnection, message: str) -> dict[str, Any]:
    await line.send(message)
    async with asyncio.timeout(PATIENCE):
        return dict(json.loads(await line.recv()))


async def closed(line: ClientConnection) -> tuple[int, str]:
    """How the service closed the channel."""
    async with asyncio.timeout(PATIENCE):
        with pytest.raises(ConnectionClosed):
            await line.recv()
    return line.close_code or 0, line.close_reason or ""


async def test_a_channel_says_what_the_post_says(
    service: Service, player: Player, host: Host, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    fallbacks, whole = [], StepHandler._fallback

    async def counted(self: StepHandler, principal: Principal, public: str, number: int, action: Any) -> Any:
        fallbacks.append(number)
        return await whole(self, principal, public, number, action)

    monkeypatch.setattr(StepHandler, "_fallback", counted)
    monkeypatch.setattr(cached, "KEY_SECONDS", 3600.0)
    session = (await player.opened((await player.episodes())[2]))["id"]
    async with channel(port, player.caller.key, session) as line:
        first = await say(line, 1, "one")
        assert first == (await player.say(session, 1, "one")).json()
        assert await say(line, 1, "one") == first
        assert (await say(line, 2, "two"))["observation"]["data"] == {"number": 2}
        assert fallbacks == []
        # What is wrong is told as the POST tells it, and the channel stays.
        for message, status, code in (
            (json.dumps({"number": 1, "action": {"text": "other"}}), 409, "step_conflict"),
            (json.dumps({"number": 9, "action": {"text": "far"}}), 409, "step_out_of_order"),
            (json.dumps({"number": 0, "action": {"text": "x"}}), 422, "invalid"),
            (json.dumps({"number": 3, "action": {"text": "x", "tool": {"name": "say"}}}), 422, "invalid"),
            (json.dumps({"number": 3, "action": {"text": "a\0b"}}), 422, "invalid"),
            ("no JSON", 422, "invalid"),
        ):
            told = await send(line, message)
            assert (told["status"], told["code"]) == (status, code)
        call = {"number": 3, "action": {"tool": {"name": "finish", "arguments": {"answer": "2"}}}}
        assert (await send(line, json.dumps(call)))["finish_reason"] == "completed"
        await service.work()
        await service.app.state.channels.check()
        assert await closed(line) == (1000, "the episode has ended")
    assert (await player.show(session))["verdict"]["outcome"] == "correct"
    assert len((await player.show(session))["transcript"]) == 4


async def test_who_may_not_step_gets_no_channel(service: Service, player: Player, port: int) -> None:
    session = (await player.opened((await player.episodes())[0]))["id"]
    stranger = await service.key("eve@example.org", "other")
    reader = await service.key("bob@example.org", "lab", [Scope.PROBLEMS_READ])
    for key, status, code in (
        (None, 401, "unauthenticated"),
        (player.caller.key[:-1] + "_", 401, "unauthenticated"),
        (reader, 403, "missing_scope"),
        (stranger, 404, "no_such_session"),
    ):
        with pytest.raises(InvalidStatus) as refused:
            async with channel(port, key, session):
                pass
        response = refused.value.response
        assert response.status_code == status
        assert json.loads(response.body)["code"] == code
        assert response.headers["X-Request-Id"]
    await player.finish(session)
    with pytest.raises(InvalidStatus) as refused:
        async with channel(port, player.caller.key, session):
            pass
    assert refused.value.response.status_code == 409


@pytest.mark.usefixtures("unlent")
async def test_a_revoked_key_steps_no_more(
    service: Service, player: Player, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cached, "GRACE_SECONDS", 3600.0)
    sessions = [(await player.opened(problem))["id"] for problem in (await player.episodes())[:2]]
    key, cache = player.caller.key, service.app.state.step_cache
    async with channel(port, key, sessions[0]) as waiting, channel(port, key, sessions[1]) as busy:
        await say(busy, 1, "one")
        async with service.admin.session() as database:
            await sql(database, "update api_key set revoked_at = now()")
        for mark, seen in list(cache._keys.items()):
            cache._keys[mark] = cached.CheckedKey(0.0, seen.principal, last=True)
        told = await say(busy, 2, "two")
        assert (told["status"], told["code"]) == (401, "unauthenticated")
        assert (await closed(busy))[0] == 1008
        # One that says nothing is closed by the look that is taken every few seconds.
        await service.app.state.channels.check()
        assert await closed(waiting) == (1008, "the key is not valid any more")
    async with service.admin.session() as database:
        rows = await sql(database, "select number from session_step where number > 0")
        assert [row.number for row in rows.all()] == [1]


@pytest.mark.usefixtures("unlent")
async def test_steps_of_a_channel_are_counted(
    service: Service, player: Player, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    limiter, item = service.app.state.limiter, parse(ratelimit.RATES["steps"])
    session = (await player.opened((await player.episodes())[0]))["id"]
    async with channel(port, player.caller.key, session) as line:
        await say(line, 1, "one")
        async with service.admin.session() as database:
            mine = (await sql(database, "select organisation_id from api_key")).scalar_one()
        monkeypatch.setattr(limiter, "enabled", True)
        while limiter.limiter.hit(item, "steps", f"organisation:{mine}"):
            pass
        told = await say(line, 2, "two")
        assert (told["status"], told["code"]) == (429, "rate_limited")
        assert told["retry_after"] > 0
        monkeypatch.setattr(limiter, "enabled", False)
        assert (await say(line, 2, "two"))["observation"]["data"] == {"number": 2}


async def test_the_newest_channel_of_a_session_is_the_one(player: Player, port: int) -> None:
    session = (await player.opened((await player.episodes())[0]))["id"]
    async with channel(port, player.caller.key, session) as older:
        await say(older, 1, "one")
        async with channel(port, player.caller.key, session) as newer:
            assert await closed(older) == (1000, "another channel was opened")
            assert (await say(newer, 2, "two"))["observation"]["data"] == {"number": 2}
            await newer.send("x" * (LARGEST + 1))
            assert (await closed(newer))[0] == 1009


@pytest.mark.usefixtures("unlent")
async def test_a_killed_host_loses_no_step_of_a_channel(settings: Settings, service: Service, port: int) -> None:
    await service.publish(echo_pack())
    player = Player(await service.reader())
    async with host_process(settings, service) as process:
        session = (await player.opened((await player.episodes())[0]))["id"]
        async with channel(port, player.caller.key, session) as line:
            await say(line, 1, "one")
            process.kill()
            await process.wait()
            async with Host.running(settings):
                told = await say(line, 2, "two")
                while told.get("status") == 503:
                    told = await say(line, 2, "two")
                assert told["observation"]["data"] == {"number": 2}
            shown = await player.show(session)
            assert [step["observation"]["text"] for step in shown["transcript"][1:]] == ["one", "two"]
            assert (shown["takeovers"], shown["divergence"]) == (1, [])


async def test_the_client_steps_over_a_channel_and_by_post_where_there_is_none(
    service: Service, player: Player, port: int
) -> None:
    channels = service.app.state.channels
    first, second = (await player.episodes())[:2]
    async with heldout.AsyncClient(api_key=player.caller.key, base_url=f"http://127.0.0.1:{port}") as client:
        session = await client.open_session(first, channel=True)
        assert (await session.step("one")).observation.data == {"number": 1}
        (opened,) = channels._open.values()
        # Cut by the service: the next step goes by POST, and the one after it over a channel of its own.
        await opened.close(1000, "cut")
        for number in (2, 3):
            assert (await session.step("more")).observation.data == {"number": number}
        (again,) = channels._open.values()
        assert again is not opened
        with pytest.raises(heldout.Conflict):
            await client._run(session._calls.step(session.id, 1, heldout.Action.of("other")), session._send_step)
        assert (await session.step("finish[0]")).answer == "0"
        await session.finish()

    async def until_none_is_open() -> None:
        async with asyncio.timeout(PATIENCE):
            while channels._open:
                await asyncio.sleep(0.05)

    def play() -> None:
        made = heldout.Client(api_key=player.caller.key, base_url=f"http://127.0.0.1:{port}")
        with made as client, client.open_session(second, channel=True) as session:
            assert session.step("one").observation.data == {"number": 1}
            (over,) = channels._open.values()
            assert session.step("two").observation.data == {"number": 2}
            assert channels._open.get(over.session) is over

    await until_none_is_open()
    await asyncio.to_thread(play)
    await until_none_is_open()
