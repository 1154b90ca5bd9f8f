"""The fast path of a step answers what its fallback answers, and nobody gets further on it."""

from typing import Any

import pytest

from api.accounts.principal import Principal
from api.hosting.server import Host
from api.sessions import cache as cached
from api.sessions.steps import StepHandler
from tests.support.service import Service
from tests.support.sessions import Player
from tests.support.sql import sql


@pytest.fixture
def fallbacks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the steps that took the fallback."""
    numbers: list[int] = []
    whole = StepHandler._fallback

    async def counted(self: StepHandler, principal: Principal, public: str, number: int, action: Any) -> Any:
        numbers.append(number)
        return await whole(self, principal, public, number, action)

    monkeypatch.setattr(StepHandler, "_fallback", counted)
    monkeypatch.setattr(cached, "KEY_SECONDS", 3600.0)
    return numbers


async def test_steps_take_the_fast_path_and_say_the_same(
    service: Service, player: Player, host: Host, fallbacks: list[int]
) -> None:
    session = (await player.opened((await player.episodes())[0]))["id"]
    service.app.state.step_cache.forget(session)
    first, second = await player.say(session, 1, "one"), await player.say(session, 2, "two")
    again = await player.say(session, 1, "one")
    assert fallbacks == [1]
    assert (first.json(), first.status_code) == (again.json(), again.status_code)
    assert set(second.json()) == set(first.json())
    assert second.json()["deadline"] == first.json()["deadline"]
    assert second.json()["observation"] == {"text": "two", "data": {"number": 2}, "images": {}}
    for name in ("Content-Type", "Cache-Control", "X-Robots-Tag"):
        assert second.headers[name] == first.headers[name]
    # What is unusual takes the fallback, which says what is wrong.
    other = await player.say(session, 1, "another")
    assert (other.status_code, other.json()["code"]) == (409, "step_conflict")
    await player.say(session, 3, "three")
    assert (await player.say(session, 9, "nine")).json()["code"] == "step_out_of_order"
    malformed = await player.caller.post(f"/v1/sessions/{session}/steps", json={"number": 0, "action": {"text": "x"}})
    assert malformed.status_code == 422
    assert fallbacks == [1, 1, 3, 9]


async def test_an_end_on_the_fast_path_is_judged(
    service: Service, player: Player, host: Host, fallbacks: list[int]
) -> None:
    session = (await player.opened((await player.episodes())[2]))["id"]
    await player.said(session, 1, "one")
    assert (await player.said(session, 2, "finish[2]"))["finish_reason"] == "completed"
    assert fallbacks == []
    assert (await player.said(session, 2, "finish[2]"))["answer"] == "2"
    assert (await player.say(session, 3, "more")).json()["code"] == "session_over"
    await service.work()
    assert (await player.show(session))["verdict"]["outcome"] == "correct"


async def test_nobody_else_gets_further_and_a_revoked_key_does_not_for_long(
    service: Service, player: Player, host: Host, fallbacks: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    session = (await player.opened((await player.episodes())[0]))["id"]
    await player.said(session, 1, "one")
    stranger = Player(await service.reader("eve@example.org", "other"))
    own = (await stranger.opened((await stranger.episodes())[0]))["id"]
    await stranger.said(own, 1, "one")
    await stranger.said(own, 2, "two")
    assert (await stranger.say(session, 2, "two")).status_code == 404
    async with service.admin.session() as database:
        await sql(database, "update api_key set revoked_at = now()")
    # Known a moment ago, and then not any more.
    assert (await player.say(session, 2, "two")).status_code == 200
    cache = service.app.state.step_cache
    monkeypatch.setattr(cached, "GRACE_SECONDS", 3600.0)
    for mark, seen in list(cache._keys.items()):
        cache._keys[mark] = cached.CheckedKey(seen.until - 7200.0, seen.principal)
    assert (await player.say(session, 3, "three")).status_code == 401
    for mark, seen in list(cache._keys.items()):
        cache._keys[mark] = cached.CheckedKey(0.0, seen.principal, last=True)
    assert (await player.say(session, 3, "three")).status_code == 401
    assert (await player.say(session, 3, "three")).status_code == 401


async def test_one_checks_a_stale_key_for_all(
    service: Service, player: Player, host: Host, fallbacks: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cached, "GRACE_SECONDS", 7200.0)
    cache = service.app.state.step_cache
    session = (await player.opened((await player.episodes())[0]))["id"]
    await player.said(session, 1, "one")
    (mark, seen), *_ = cache._keys.items()
    cache._keys[mark] = cached.CheckedKey(seen.until - 3600.1 - 1, seen.principal)
    assert cache._fresh(mark) is None
    assert cache._fresh(mark) is seen.principal
    await player.said(session, 2, "two")
    assert fallbacks == []
