"""Reading that looks like scraping is slowed down, and shown to the owner, who can lift it. No clock is waited for."""

import asyncio
import re
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest

from api.accounts.models import MemberRole, Scope
from api.core.settings import Settings
from tests.support.service import Caller, Service, choice_pack
from tests.support.sql import sql
from tests.support.visitor import enter

OWNER = [Scope.BENCHMARKS_WRITE]


@pytest.fixture
async def paced(settings: Settings) -> AsyncIterator[Service]:
    async with Service.running(settings.model_copy(update={"rate_limits_enabled": True})) as service:
        yield service


async def _page(service: Service, caller: Caller, cursor: str | None = None) -> httpx2.Response:
    """A page, asked for right after all that was served before it, however slow this machine is."""
    async with service.admin.session() as session:
        await sql(session, "update exposure set served_at = now() where served_at > now() - interval '1 hour'")
    query = {"split": "test", "limit": "20"} | ({"cursor": cursor} if cursor else {})
    return await caller.get("/v1/benchmarks/quiz/problems", params=query)


async def _a_minute_later(service: Service) -> None:
    async with service.admin.session() as session:
        await sql(session, "update exposure set served_at = served_at - interval '2 hours'")


async def _served(service: Service) -> int:
    async with service.admin.session() as session:
        return int((await sql(session, "select count(*) from exposure")).scalar_one())


async def test_a_key_that_reads_too_fast_waits(paced: Service) -> None:
    await paced.publish(choice_pack(count=20))
    ada = await paced.reader()
    pages = [await _page(paced, ada) for _ in range(7)]
    assert [page.status_code for page in pages] == [200] * 6 + [429]
    refused = pages[-1].json()
    assert (refused["code"], refused["pattern"]) == ("reading_too_fast", "fast")
    assert 1 <= int(pages[-1].headers["retry-after"]) <= 61
    assert "items" not in refused
    assert await _served(paced) == 120, "a page that was refused was not served, counted or written down"
    assert (await _page(paced, await paced.reader("eve@example.org", "other"))).status_code == 200, "others go on"
    dev = await ada.get("/v1/benchmarks/quiz/problems", params={"split": "dev"})
    assert dev.status_code == 200, "what is public is not slowed down"
    await _a_minute_later(paced)
    assert (await _page(paced, ada)).status_code == 200


async def test_pages_asked_for_at_once_get_no_more(paced: Service) -> None:
    await paced.publish(choice_pack(count=20))
    ada = await paced.reader()
    pages = await asyncio.gather(*(_page(paced, ada) for _ in range(12)))
    assert sorted(page.status_code for page in pages) == [200] * 6 + [429] * 6
    assert await _served(paced) == 120


async def test_reading_on_in_the_splits_order_halves_the_pace(paced: Service) -> None:
    await paced.publish(choice_pack(count=400))
    ada = await paced.reader()
    cursor, statuses = None, []
    for number in range(13):
        if number in (5, 9):
            await _a_minute_later(paced)
        page = await _page(paced, ada, cursor)
        statuses.append(page.status_code)
        cursor = page.json()["next"] if page.status_code == 200 else cursor
    assert statuses == [200] * 12 + [429], "after 200 in a row three pages a minute are served"
    assert page.json()["pattern"] == "sequential"


async def test_many_keys_count_as_one(paced: Service) -> None:
    await paced.publish(choice_pack(count=20))
    team = [await paced.reader(f"a{n}@example.org", "lab") for n in range(5)]
    statuses = [(await _page(paced, caller)).status_code for caller in [*team, *team]]
    assert statuses == [200] * 6 + [429] * 4
    report = await _report(paced)
    assert {"keys_of_one_organisation", "keys_of_one_address"} <= {flag["pattern"] for flag in report["flags"]}
    strangers = [await paced.reader(f"b{n}@example.org", f"b{n}") for n in range(2)]
    refused = await _page(paced, strangers[0])
    assert (refused.status_code, refused.json()["pattern"]) == (429, "keys_of_one_address")


async def _report(service: Service) -> dict[str, Any]:
    owner = await service.reader("olga@example.org", "owners", scopes=OWNER, role=MemberRole.OWNER)
    return dict((await owner.get("/v1/benchmarks/quiz/scraping")).raise_for_status().json())


async def test_the_owner_sees_it_and_lifts_it(paced: Service) -> None:
    await paced.publish(choice_pack(count=20))
    ada = await paced.reader()
    assert [(await _page(paced, ada)).status_code for _ in range(7)][-1] == 429
    owner = await paced.reader("olga@example.org", "owners", scopes=OWNER, role=MemberRole.OWNER)
    other = await paced.reader("eve@example.org", "other", scopes=OWNER, role=MemberRole.OWNER)
    lift = {"organisation": "lab", "reason": "a known cluster"}
    path = "/v1/benchmarks/quiz/scraping/lifts"
    assert (await other.post(path, json=lift)).status_code == 404
    assert (await owner.post(path, json=lift | {"organisation": "nobody"})).status_code == 404
    assert (await owner.post(path, json=lift)).status_code == 204
    assert (await _page(paced, ada)).status_code == 200
    assert [item["organisation"] for item in (await _report(paced))["lifts"]] == ["lab"]
    olga = await enter(paced, "olga@example.org", "owners")
    page = await olga.get("/b/quiz/access")
    assert re.search(r"fast</td>", page.text)
    assert "a known cluster" in page.text
    done = await olga.post("/b/quiz/scraping", {"organisation": "lab", "decision": "restore"})
    assert done.status_code == 303
    assert (await _page(paced, ada)).status_code == 429


async def test_an_owner_may_be_content_with_flags(paced: Service) -> None:
    await paced.publish(choice_pack(count=20, hidden={"scraping": "flag"}))
    ada = await paced.reader()
    assert [(await _page(paced, ada)).status_code for _ in range(8)] == [200] * 8
    assert [flag["pattern"] for flag in (await _report(paced))["flags"]] == ["fast"]


async def test_nothing_is_served_where_the_pace_cannot_be_read(paced: Service) -> None:
    await paced.publish(choice_pack(count=20))
    ada = await paced.reader()
    async with paced.admin.session() as session:
        await sql(session, "alter table scraping_lift rename to scraping_lift_gone")
    refused = await _page(paced, ada)
    assert refused.status_code == 500
    assert "items" not in refused.json()
    assert await _served(paced) == 0
