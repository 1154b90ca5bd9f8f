"""A quick participant's channel is answered by the host itself, and nobody can tell by what is said."""

import asyncio
import json
import os
import signal
import socket
from collections.abc import AsyncIterator, Callable
from typing import Any
from uuid import UUID

import pytest
from limits import parse
from websockets.exceptions import ConnectionClosed

from api.core import ratelimit
from api.core.settings import Settings
from api.hosting.client import HostClient
from api.hosting.journal import Journal, Line
from api.hosting.lending import lend_socket
from api.hosting.protocol import Lent, Returned
from api.hosting.server import Host
from api.sessions import cache as cached
from api.sessions import channel as channels
from tests.integration.sessions.test_channel import PATIENCE, channel, closed, say, send
from tests.integration.sessions.test_holders import host_process
from tests.support.listening import listening
from tests.support.service import Service
from tests.support.sessions import Player, echo_pack
from tests.support.sql import sql


@pytest.fixture
async def port(service: Service) -> AsyncIterator[int]:
    """The service on a socket."""
    async with listening(service.app) as number:
        yield number


@pytest.fixture
def loans(monkeypatch: pytest.MonkeyPatch) -> list[Returned | None]:
    """What hosts gave back. Everybody counts as quick here, and keys stay checked."""
    monkeypatch.setattr(channels, "QUICK_SECONDS", 3600.0)
    monkeypatch.setattr(cached, "KEY_SECONDS", 3600.0)
    came: list[Returned | None] = []
    lend = HostClient.lend

    async def noted(self: HostClient, session: UUID, lent: Lent, descriptor: int) -> Returned | None:
        came.append(await lend(self, session, lent, descriptor))
        return came[-1]

    monkeypatch.setattr(HostClient, "lend", noted)
    return came


def answered(loans: list[Returned | None]) -> int:
    """Steps that hosts answered themselves."""
    return sum(loan.steps for loan in loans if loan)


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not true():
            await asyncio.sleep(0.02)


async def test_the_host_answers_as_the_web_process_does(
    service: Service, player: Player, host: Host, port: int, loans: list[Returned | None]
) -> None:
    session = (await player.opened((await player.episodes())[2]))["id"]
    async with channel(port, player.caller.key, session) as line:
        heard = [await say(line, number, f"wörd {number}") for number in range(1, 8)]
        # Not the next step: the web process says what the POST says, and the host goes on after that.
        assert await say(line, 3, "wörd 3") == heard[2]
        assert answered(loans) == 7
        told = await send(line, json.dumps({"number": 3, "action": {"text": "other"}}))
        assert (told["status"], told["code"]) == (409, "step_conflict")
        told = await send(line, json.dumps({"number": 8, "action": {"text": "a\0b"}}))
        assert (told["status"], told["code"]) == (422, "invalid")
        await (await line.ping())
        # In two frames, then in one that is longer than what is read at once.
        await line.send(iter(['{"number": 8, "action": ', '{"text": "in two"}}']))
        assert json.loads(await line.recv())["observation"]["text"] == "in two"
        assert (await say(line, 9, "x" * 200_000))["number"] == 9
        assert (await say(line, 10, "ten"))["steps_left"] == heard[0]["steps_left"] - 9
        last = await say(line, 11, "finish[2]")
        assert (last["finish_reason"], last["answer"]) == ("completed", "2")
        await service.work()
        await service.app.state.channels.check()
        assert await closed(line) == (1000, "the episode has ended")
    for number, reply in enumerate(heard, 1):
        again = (await player.say(session, number, f"wörd {number}")).json()
        assert again == reply
    shown = await player.show(session)
    assert shown["verdict"]["outcome"] == "correct"
    assert len(shown["transcript"]) == 12
    assert host._lent._here == {}
    assert host._lent._arriving == {}


async def test_a_host_that_is_killed_with_a_channel_loses_no_step(
    settings: Settings, service: Service, port: int, loans: list[Returned | None]
) -> None:
    await service.publish(echo_pack())
    player = Player(await service.reader())
    async with host_process(settings, service) as process:
        session = (await player.opened((await player.episodes())[0]))["id"]
        async with channel(port, player.caller.key, session) as line:
            await say(line, 1, "one")
            await say(line, 2, "two")
            os.kill(process.pid, signal.SIGSTOP)
            await line.send(json.dumps({"number": 3, "action": {"text": "three"}}))
            process.kill()
            await process.wait()
            assert (await closed(line))[0] == 1012
        async with Host.running(settings), channel(port, player.caller.key, session) as line:
            for number, word in enumerate(("one", "two", "three", "four"), 1):
                told = await say(line, number, word)
                while told.get("status") == 503:
                    told = await say(line, number, word)
                assert told["observation"]["data"] == {"number": number}
        shown = await player.show(session)
    assert [step["observation"]["text"] for step in shown["transcript"][1:]] == ["one", "two", "three", "four"]
    assert (shown["takeovers"], shown["divergence"]) == (1, [])


async def test_a_host_that_goes_down_gives_its_channels_back(
    settings: Settings, service: Service, player: Player, host: Host, port: int, loans: list[Returned | None]
) -> None:
    session = (await player.opened((await player.episodes())[0]))["id"]
    async with channel(port, player.caller.key, session) as line:
        for number in (1, 2, 3):
            await say(line, number, "word")
        await host.drain()
        await until(lambda: answered(loans) == 3)
        async with Host.running(settings) as other:
            await host.stop()
            for number in (4, 5, 6):
                told = await say(line, number, "word")
                while told.get("status") == 503:
                    told = await say(line, number, "word")
                assert told["observation"]["data"] == {"number": number}
            assert other.episodes.counters.replays == 1


async def test_steps_that_are_sent_ahead_are_answered_in_order(
    player: Player, port: int, loans: list[Returned | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    append, storing, more = Journal.append, asyncio.Event(), asyncio.Event()

    async def slowly(self: Journal, line: Line) -> bool:
        storing.set()
        await more.wait()
        return await append(self, line)

    session = (await player.opened((await player.episodes())[0]))["id"]
    async with channel(port, player.caller.key, session) as line, asyncio.timeout(PATIENCE):
        for number in (1, 2):
            await say(line, number, "word")
        monkeypatch.setattr(Journal, "append", slowly)
        await line.send(json.dumps({"number": 3, "action": {"text": "word"}}))
        await storing.wait()
        for number in (4, 5):
            await line.send(json.dumps({"number": number, "action": {"text": "word"}}))
        # Time for the host to read them; one that has not is no failure of this test.
        await asyncio.sleep(0.2)
        more.set()
        replies = [json.loads(await line.recv()) for _ in range(3)]
    assert [reply["observation"]["data"]["number"] for reply in replies] == [3, 4, 5]


async def test_a_lent_channel_gives_way_to_a_newer_one(player: Player, port: int, loans: list[Returned | None]) -> None:
    session = (await player.opened((await player.episodes())[0]))["id"]
    async with channel(port, player.caller.key, session) as older:
        for number in (1, 2):
            await say(older, number, "word")
        async with channel(port, player.caller.key, session) as newer:
            assert await closed(older) == (1000, "another channel was opened")
            assert (await say(newer, 3, "word"))["observation"]["data"] == {"number": 3}


async def test_a_channel_is_lent_no_longer_than_its_key_is_checked(
    service: Service, player: Player, port: int, loans: list[Returned | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cached, "GRACE_SECONDS", 3600.0)
    monkeypatch.setattr(cached.StepCache, "seconds_left", lambda *_: 0.5)
    session = (await player.opened((await player.episodes())[0]))["id"]
    cache = service.app.state.step_cache
    async with channel(port, player.caller.key, session) as line:
        for number in (1, 2):
            await say(line, number, "word")
        async with service.admin.session() as database:
            await sql(database, "update api_key set revoked_at = now()")
        for mark, seen in list(cache._keys.items()):
            cache._keys[mark] = cached.CheckedKey(0.0, seen.principal, last=True)
        await until(lambda: bool(loans))
        told = await say(line, 3, "word")
        assert (told["status"], told["code"]) == (401, "unauthenticated")
        assert (await closed(line))[0] == 1008


async def test_lent_steps_are_counted_before_they_are_taken(
    service: Service, player: Player, port: int, loans: list[Returned | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    limiter, item = service.app.state.limiter, parse(ratelimit.RATES["steps"])
    session = (await player.opened((await player.episodes())[0]))["id"]
    async with service.admin.session() as database:
        mine = (await sql(database, "select organisation_id from api_key")).scalar_one()
    assert limiter.limiter.hit(item, "steps", f"organisation:{mine}", cost=item.amount - 14)
    monkeypatch.setattr(limiter, "enabled", True)
    async with channel(port, player.caller.key, session) as line:
        number, told = 0, dict[str, Any]()
        while told.get("status") is None:
            number += 1
            told = await say(line, number, "word")
        assert (told["status"], told["code"]) == (429, "rate_limited")
    # The channel itself, ten steps ahead, and three one by one.
    assert number == 14
    assert answered(loans) == 10


async def test_what_cannot_be_stored_is_told_by_nobody(
    service: Service, player: Player, host: Host, port: int, loans: list[Returned | None]
) -> None:
    session = (await player.opened((await player.episodes())[0]))["id"]
    async with channel(port, player.caller.key, session) as line:
        for number in (1, 2):
            await say(line, number, "word")
        # Somebody else holds the session now: this host's step is fenced out, and played where the session is.
        async with service.admin.session() as database:
            await sql(database, "update live_session set epoch = epoch + 1")
        assert (await say(line, 3, "word"))["observation"]["data"] == {"number": 3}
    assert host.episodes.counters.replays == 1
    shown = await player.show(session)
    assert [step["number"] for step in shown["transcript"]] == [0, 1, 2, 3]


async def test_only_who_knows_the_token_hands_a_socket_over(host: Host) -> None:
    near, far = socket.socketpair()
    with near, far:
        lend_socket(host.id, "0" * 64, "loan", far.fileno())
        lend_socket(host.id, host._token, "known", far.fileno())
        far.close()
        await until(lambda: "known" in host._lent._arriving)
        assert list(host._lent._arriving) == ["known"]
        host._lent._arriving.pop("known").result().close()
        # Nothing of either is left open.
        assert near.recv(1) == b""


async def test_where_no_host_takes_sockets_channels_work_as_ever(
    player: Player, host: Host, port: int, loans: list[Returned | None]
) -> None:
    host._lent.close()
    session = (await player.opened((await player.episodes())[0]))["id"]
    async with channel(port, player.caller.key, session) as line:
        for number in range(1, 6):
            assert (await say(line, number, "word"))["observation"]["data"] == {"number": number}
    assert set(loans) == {None}


async def test_a_client_that_leaves_leaves_nothing_behind(
    service: Service, player: Player, host: Host, port: int, loans: list[Returned | None]
) -> None:
    session = (await player.opened((await player.episodes())[0]))["id"]
    open_channels: dict[UUID, Any] = service.app.state.channels._open
    for ending in ("close", "abort"):
        first = int((await player.show(session))["steps"]) + 1
        async with channel(port, player.caller.key, session) as line:
            for number in (first, first + 1):
                await say(line, number, "word")
            if ending == "abort":
                line.transport.abort()
        await until(lambda: not open_channels and not host._lent._here)
    with pytest.raises(ConnectionClosed):
        await line.send("x")
