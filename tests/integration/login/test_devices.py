"""The device flow: one key for one approval, whoever asks how often; guesses are throttled; codes expire."""

import asyncio
from typing import Any

import httpx2
import pytest

from api.accounts.models import MemberRole
from tests.support.service import Caller, Service
from tests.support.sql import sql
from tests.support.visitor import Visitor, enter

SCOPES = "problems:read submissions:write"


async def _begin(service: Service, scope: str = SCOPES) -> dict[str, Any]:
    response = await service.client.post("/v1/device/authorize", data={"scope": scope, "client": "heldout on box"})
    return dict(response.raise_for_status().json())


async def _poll(service: Service, begun: dict[str, Any]) -> httpx2.Response:
    return await service.client.post("/v1/device/token", data={"device_code": begun["device_code"]})


async def _wait_is_over(service: Service) -> None:
    """What five and more seconds without a question do."""
    async with service.admin.session() as session:
        await sql(session, "update device_grant set polled_at = null")


async def _decide(visitor: Visitor, code: str, decision: str = "approve", organisation: str = "lab") -> httpx2.Response:
    shown = await visitor.fill(f"/device?user_code={code}", "/device", {"user_code": code})
    if shown.status_code != 200:
        return shown
    fields = {"user_code": code, "organisation": organisation, "days": "30", "decision": decision}
    return await visitor.post("/device/decide", fields)


async def _keys(service: Service) -> int:
    async with service.admin.session() as session:
        return int((await sql(session, "select count(*) from api_key")).scalar_one())


async def test_the_whole_flow(service: Service) -> None:
    begun = await _begin(service)
    assert begun["interval"] == 5
    pending = await _poll(service, begun)
    assert (pending.status_code, pending.json()["error"]) == (400, "authorization_pending")
    ada = await enter(service, "ada@example.org", "lab")
    done = await _decide(ada, begun["user_code"].lower().replace("-", " "))
    assert "Connected" in done.text
    assert "heldout on box" not in done.text
    await _wait_is_over(service)
    token = (await _poll(service, begun)).raise_for_status().json()
    assert (token["token_type"], token["scope"], token["organisation"]) == ("Bearer", SCOPES, "lab")
    assert 29 * 86400 < token["expires_in"] <= 30 * 86400
    me = (await Caller(service.client, token["access_token"]).get("/v1/me")).json()
    assert (me["user"], me["organisation"], me["scopes"]) == ("Ada", "lab", SCOPES.split())
    await _wait_is_over(service)
    assert (await _poll(service, begun)).json()["error"] == "invalid_grant"
    assert await _keys(service) == 1


async def test_fifty_polls_at_once_get_one_key(service: Service) -> None:
    begun = await _begin(service)
    await _decide(await enter(service, "ada@example.org", "lab"), begun["user_code"])
    answers = await asyncio.gather(*(_poll(service, begun) for _ in range(50)))
    granted = [answer for answer in answers if answer.status_code == 200]
    assert len(granted) == 1
    assert {answer.json()["error"] for answer in answers if answer.status_code != 200} == {"invalid_grant"}
    assert await _keys(service) == 1


async def test_two_who_approve_at_once_make_one_grant(service: Service) -> None:
    begun = await _begin(service)
    people = [await enter(service, f"p{n}@example.org", "lab") for n in range(4)]
    pages = await asyncio.gather(*(_decide(person, begun["user_code"]) for person in people))
    assert sorted(page.status_code for page in pages) == [200, 404, 404, 404]
    async with service.admin.session() as session:
        rows = (await sql(session, "select state, user_id is not null as known from device_grant")).all()
    assert [(row.state, row.known) for row in rows] == [("approved", True)]


async def test_haste_is_answered_with_slow_down_and_a_longer_interval(service: Service) -> None:
    begun = await _begin(service)
    async with service.admin.session() as session:
        await sql(session, "update device_grant set interval = 3600")
    errors = [(await _poll(service, begun)).json()["error"] for _ in range(3)]
    assert errors == ["authorization_pending", "slow_down", "slow_down"]
    async with service.admin.session() as session:
        assert (await sql(session, "select interval from device_grant")).scalar_one() == 3610
        await sql(session, "update device_grant set polled_at = now() - interval '3605 seconds'")
    assert (await _poll(service, begun)).json()["error"] == "slow_down", "the longer interval counts"


async def test_declined_expired_and_made_up_codes_give_nothing(service: Service) -> None:
    ada = await enter(service, "ada@example.org", "lab")
    declined, expired = await _begin(service), await _begin(service)
    assert "Denied" in (await _decide(ada, declined["user_code"], "deny")).text
    assert (await _poll(service, declined)).json()["error"] == "access_denied"
    async with service.admin.session() as session:
        await sql(session, "update device_grant set expires_at = now() where state = 'pending'")
    assert (await _poll(service, expired)).json()["error"] == "expired_token"
    assert (await _decide(ada, expired["user_code"])).status_code == 404
    assert (await _poll(service, {"device_code": "made-up"})).json()["error"] == "invalid_grant"
    assert await _keys(service) == 0


async def test_a_code_of_the_link_is_compared_and_another_is_typed(service: Service) -> None:
    ada = await enter(service, "ada@example.org", "lab")
    begun = await _begin(service)
    code = begun["user_code"]
    await ada.get(f"/device?user_code={code.lower().replace('-', '')}")
    assert f"Does your terminal show {code} ?" in " ".join(ada.text().split())
    assert 'type="text"' not in ada.page
    for link in ("/device", "/device?user_code=Call+this+number"):
        await ada.get(link)
        assert "Type the code" in ada.text()
        assert "number" not in ada.text()
    async with service.admin.session() as session:
        await sql(session, "update device_grant set expires_at = now() - interval '1 second'")
    late = await ada.post("/device", {"user_code": code})
    assert late.status_code == 404
    assert "run `heldout login` again" in late.text
    assert 'type="text"' in late.text
    assert code not in late.text


async def test_guesses_are_counted_and_then_even_the_right_code_is_refused(service: Service) -> None:
    begun = await _begin(service)
    mallory = await enter(service, "mallory@example.org", "lab")
    await mallory.get("/device")
    tries = [await mallory.post("/device", {"user_code": f"BBBB-BBB{letter}"}) for letter in "BCDFGHJ"]
    assert [page.status_code for page in tries] == [404] * 5 + [429] * 2
    assert (await mallory.post("/device", {"user_code": begun["user_code"]})).status_code == 429
    decide = {"user_code": begun["user_code"], "organisation": "lab", "days": "", "decision": "approve"}
    assert (await mallory.post("/device/decide", decide)).status_code == 429
    assert (await _decide(await enter(service, "ada@example.org", "lab"), begun["user_code"])).status_code == 200
    async with service.admin.session() as session:
        await sql(session, "update code_guess set since = now() - interval '11 minutes'")
    assert (await mallory.post("/device", {"user_code": "BBBBBBBB"})).status_code == 404, "the window went by"


async def test_many_accounts_behind_one_address_guess_no_faster(service: Service) -> None:
    statuses = []
    for number in range(5):
        mallory = await enter(service, f"m{number}@example.org", "lab")
        await mallory.get("/device")
        statuses += [(await mallory.post("/device", {"user_code": f"CCCCCCC{n}"})).status_code for n in range(5)]
    assert statuses == [404] * 20 + [429] * 5


async def test_guesses_at_once_are_counted_one_by_one(service: Service) -> None:
    mallory = await enter(service, "mallory@example.org", "lab")
    await mallory.get("/device")
    pages = await asyncio.gather(*(mallory.post("/device", {"user_code": f"DDDDDDD{n}"}) for n in range(20)))
    assert sorted(page.status_code for page in pages) == [404] * 5 + [429] * 15


async def test_a_key_has_no_more_than_its_approver_may_give(service: Service) -> None:
    begun = await _begin(service, "benchmarks:write")
    member = await enter(service, "ada@example.org", "lab", role=MemberRole.MEMBER)
    await member.fill("/device", "/device", {"user_code": begun["user_code"]})
    assert "None of your organisations" in member.page
    assert (await _decide(member, begun["user_code"])).status_code == 403
    assert (await _decide(member, begun["user_code"], organisation="nobody's")).status_code == 404
    refused = await service.client.post("/v1/device/authorize", data={"scope": "problems:read root"})
    assert (refused.status_code, refused.json()["error"]) == (422, "invalid_scope")


async def test_who_left_the_organisation_before_the_poll_gives_no_key(service: Service) -> None:
    begun = await _begin(service)
    await enter(service, "olga@example.org", "lab")
    ada = await enter(service, "ada@example.org", "lab")
    await _decide(ada, begun["user_code"])
    async with service.admin.session() as session:
        await sql(session, "delete from membership where user_id in (select id from account where name = 'Ada')")
    assert (await _poll(service, begun)).json()["error"] == "access_denied"
    assert await _keys(service) == 0


@pytest.mark.parametrize("fields", [{}, {"device_code": "x", "grant_type": "password"}, {"device_code": "x" * 200}])
async def test_other_questions_are_refused(service: Service, fields: dict[str, str]) -> None:
    response = await service.client.post("/v1/device/token", data=fields)
    assert response.status_code in (400, 422)
    assert response.headers["content-type"] == "application/problem+json"
