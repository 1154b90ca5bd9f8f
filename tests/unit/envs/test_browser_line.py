"""The browser's pipe is shared: what the driver and the browser say to each other passes whole, and what is ours does
not reach the driver."""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest
import pytest_asyncio

from envs.browser.line import FIRST_NUMBER, Line, ProtocolError, Session

OURS, ROOT = "A" * 32, "B" * 32


@dataclass
class Ends:
    """A line, and the other end of each of its pipes."""

    line: Line
    driver_says: int
    driver_hears: int
    browser_hears: int
    browser_says: int

    async def heard(self, descriptor: int, fewest: int = 1) -> list[dict[str, Any]]:
        """The next messages that come there, at least so many; they need not come at once."""
        found = b""
        while not found.endswith(b"\0") or found.count(b"\0") < fewest:
            found += await asyncio.to_thread(os.read, descriptor, 1 << 20)
        return [json.loads(one) for one in found.split(b"\0")[:-1]]

    def say(self, *messages: dict[str, Any]) -> None:
        """The browser says these."""
        os.write(self.browser_says, b"".join(msgspec.json.encode(one) + b"\0" for one in messages))

    async def attached(self) -> Session:
        """A session of ours."""
        coming = asyncio.ensure_future(self.line.attach("page"))
        (asked,) = await self.heard(self.browser_hears)
        assert asked == {"id": FIRST_NUMBER - 1, "method": "Target.attachToBrowserTarget", "params": {}}
        self.say({"id": FIRST_NUMBER - 1, "result": {"sessionId": ROOT}})
        (asked,) = await self.heard(self.browser_hears)
        assert asked["sessionId"] == ROOT
        self.say({"id": asked["id"], "result": {"sessionId": OURS}, "sessionId": ROOT})
        return await coming


@pytest_asyncio.fixture
async def ends() -> AsyncIterator[Ends]:
    (orders, says), (hears, news) = os.pipe(), os.pipe()
    (browser_hears, browser_in), (browser_out, browser_says) = os.pipe(), os.pipe()
    made = Ends(Line(orders, news, browser_in, browser_out), says, hears, browser_hears, browser_says)
    yield made
    made.line.close()
    for one in (says, hears, browser_hears, browser_says):
        os.close(one)


async def test_the_driver_hears_its_own_and_nothing_of_ours(ends: Ends) -> None:
    session = await ends.attached()
    told: list[Any] = []
    session.on("Page.loaded", told.append)
    reply = asyncio.ensure_future(session.send("Page.enable"))
    (asked,) = await ends.heard(ends.browser_hears)
    theirs: list[dict[str, Any]] = [
        {"id": 7, "result": {"text": f',"sessionId":"{OURS}"'}},
        {"method": "x", "params": {}, "sessionId": "C" * 32},
    ]
    ends.say(
        theirs[0],
        {"method": "Page.loaded", "params": {"n": 1}, "sessionId": OURS},
        {"id": asked["id"], "result": {"well": True}, "sessionId": OURS},
        theirs[1],
    )
    assert await reply == {"well": True}
    assert told == [{"n": 1}]
    assert await ends.heard(ends.driver_hears, len(theirs)) == theirs


async def test_what_we_say_does_not_fall_into_the_middle_of_what_the_driver_says(ends: Ends) -> None:
    session = await ends.attached()
    os.write(ends.driver_says, b'{"id": 1, "method"')
    await asyncio.sleep(0)
    reply = asyncio.ensure_future(session.send("Page.enable"))
    (first,) = await ends.heard(ends.browser_hears)
    os.write(ends.driver_says, b': "Page.close"}\0')
    (second,) = await ends.heard(ends.browser_hears)
    assert [first["method"], second["method"]] == ["Page.enable", "Page.close"]
    reply.cancel()


async def test_a_message_longer_than_the_pipe_arrives_whole(ends: Ends) -> None:
    long = {"id": 3, "result": {"text": "x" * 3_000_000}}
    told = asyncio.to_thread(ends.say, long)
    heard, _ = await asyncio.gather(ends.heard(ends.driver_hears), told)
    assert heard == [long]


async def test_half_of_a_surrogate_pair_is_read(ends: Ends) -> None:
    session = await ends.attached()
    reply = asyncio.ensure_future(session.send("Runtime.evaluate"))
    (asked,) = await ends.heard(ends.browser_hears)
    os.write(ends.browser_says, b'{"id":%d,"result":{"t":"\\ud83d"},"sessionId":"%s"}\0' % (asked["id"], OURS.encode()))
    assert await reply == {"t": "\ud83d"}


async def test_a_refusal_and_the_end_of_the_browser_are_errors(ends: Ends) -> None:
    session = await ends.attached()
    refused = asyncio.ensure_future(session.send("Page.no"))
    (asked,) = await ends.heard(ends.browser_hears)
    ends.say({"id": asked["id"], "error": {"code": -1, "message": "there is none"}, "sessionId": OURS})
    with pytest.raises(ProtocolError, match="there is none"):
        await refused
    left = asyncio.ensure_future(session.send("Page.enable"))
    await ends.heard(ends.browser_hears)
    ends.line.close()
    with pytest.raises(ProtocolError, match="closed"):
        await left
    with pytest.raises(ProtocolError, match="closed"):
        await session.send("Page.enable")


async def test_two_that_attach_at_once_share_one_session_with_the_browser(ends: Ends) -> None:
    coming = [asyncio.ensure_future(ends.line.attach(page)) for page in ("one", "two")]
    asked = await ends.heard(ends.browser_hears)
    assert [one["method"] for one in asked] == ["Target.attachToBrowserTarget"]
    ends.say({"id": FIRST_NUMBER - 1, "result": {"sessionId": ROOT}})
    asked = await ends.heard(ends.browser_hears, 2)
    ends.say(*({"id": one["id"], "result": {"sessionId": OURS}, "sessionId": ROOT} for one in asked))
    await asyncio.gather(*coming)


async def test_the_driver_never_hears_a_reply_to_us_though_nobody_waits_for_it(ends: Ends) -> None:
    given_up = asyncio.ensure_future(ends.line.attach("page"))
    await ends.heard(ends.browser_hears)
    given_up.cancel()
    with pytest.raises(asyncio.CancelledError):
        await given_up
    again = asyncio.ensure_future(ends.line.attach("page"))
    reply = {"id": FIRST_NUMBER - 1, "result": {"sessionId": ROOT}}
    ends.say(reply, reply, {"id": 7, "result": {}})
    (asked,) = await ends.heard(ends.browser_hears)
    ends.say({"id": asked["id"], "result": {"sessionId": OURS}, "sessionId": ROOT})
    assert (await again).name == OURS
    assert await ends.heard(ends.driver_hears) == [{"id": 7, "result": {}}]


async def test_what_is_asked_in_the_drivers_session_is_answered_here_and_its_news_stay_its_own(ends: Ends) -> None:
    page, more, theirs = "C" * 32, "D" * 32, {"id": 9, "result": {}, "sessionId": "C" * 32}
    for session in (page, more):
        target = {"sessionId": session, "targetInfo": {"targetId": "page", "type": "page"}, "waitingForDebugger": True}
        ends.say({"method": "Target.attachedToTarget", "params": target})
        assert len(await ends.heard(ends.driver_hears)) == 1
    reply = asyncio.ensure_future(ends.line.drivers("page").send("Network.disable"))
    (asked,) = await ends.heard(ends.browser_hears)
    assert asked["sessionId"] == page
    ends.say({"id": asked["id"], "result": {"well": True}, "sessionId": page}, theirs)
    assert await reply == {"well": True}
    assert await ends.heard(ends.driver_hears) == [theirs]
    ends.say({"method": "Target.detachedFromTarget", "params": {"sessionId": page}})
    await ends.heard(ends.driver_hears)
    with pytest.raises(ProtocolError, match="closed"):
        ends.line.drivers("page")


async def test_a_worker_that_waits_is_silenced_before_the_driver_lets_it_run(ends: Ends) -> None:
    target = {"sessionId": "E" * 32, "targetInfo": {"targetId": "worker", "type": "shared_worker"}}
    ends.say({"method": "Target.attachedToTarget", "params": target | {"waitingForDebugger": True}})
    (said,) = await ends.heard(ends.browser_hears)
    assert (said["method"], said["sessionId"]) == ("Runtime.evaluate", "E" * 32)
    assert "console" in said["params"]["expression"]
    ends.say({"id": said["id"], "result": {}, "sessionId": "E" * 32}, {"id": 9, "result": {}})
    heard = await ends.heard(ends.driver_hears, 2)
    assert [one.get("method", one.get("id")) for one in heard] == ["Target.attachedToTarget", 9]
