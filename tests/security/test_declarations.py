"""Finding 17 of the review: a mark on every run says nothing, and so does one given after the run was made."""

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from typing import Any

import pytest

from api.core.settings import Settings
from api.leaderboard.participants import DECLARATIONS
from tests.support.service import Caller, Service, choice_pack
from tests.support.sql import sql

PATH = "/v1/benchmarks/quiz/declarations"
LEAD = 3600


@pytest.fixture
async def led(settings: Settings) -> AsyncIterator[Service]:
    async with Service.running(settings.model_copy(update={"declaration_lead_seconds": LEAD})) as service:
        yield service


def _run(commit: str) -> dict[str, str]:
    return {"split": "dev", "model": "m", "commit": commit}


async def _submitted(service: Service, caller: Caller, commit: str, answer: str) -> bool:
    """Whether the entry of a run made now carries the mark."""
    items = [{"problem": p["id"], "answer": answer} for p in await caller.problems("quiz", "dev")]
    body: dict[str, Any] = {"benchmark": "quiz", "split": "dev", "model": {"name": "m", "version": commit}}
    made = (await caller.post("/v1/submissions", json=body | {"items": items})).raise_for_status().json()
    await service.work()
    board = (await service.client.get("/v1/benchmarks/quiz/leaderboard?split=dev&all=true")).json()["items"]
    return next(bool(row["declared"]) for row in board if row["submission"] == made["id"])


async def test_finding_17_declarations_are_few(service: Service) -> None:
    await service.publish(choice_pack())
    ada, eve = await service.reader(), await service.reader("eve@example.org", "lab")
    done = await asyncio.gather(
        *((ada, eve)[n % 2].post(PATH, json=_run(f"0123ab{n:02}")) for n in range(DECLARATIONS + 6))
    )
    assert sorted(response.status_code for response in done) == [201] * DECLARATIONS + [429] * 6
    assert {r.json()["code"] for r in done if r.status_code == 429} == {"declarations_spent"}
    assert sorted(r.json()["left"] for r in done if r.status_code == 201) == list(range(DECLARATIONS))
    assert (await ada.post(PATH, json=_run("0123abc") | {"split": "test"})).status_code == 201, "splits count apart"
    other = await service.reader("olga@example.org", "other")
    assert (await other.post(PATH, json=_run("0123abc"))).status_code == 201
    async with service.admin.session() as session:
        await sql(session, "update declaration set declared_at = declared_at - interval '31 days'")
    assert (await ada.post(PATH, json=_run("0123abc"))).status_code == 201


async def test_finding_17_a_run_is_declared_a_stated_time_before(led: Service) -> None:
    await led.publish(choice_pack())
    ada = await led.reader()
    told = (await ada.post(PATH, json=_run("0123abc"))).json()
    declared, counts = (datetime.fromisoformat(told[name]) for name in ("declared_at", "counts_from"))
    assert counts - declared == timedelta(seconds=LEAD)
    assert not await _submitted(led, ada, "0123abc", "A"), "begun before the time that was stated"
    async with led.admin.session() as session:
        await sql(session, "update declaration set counts_from = counts_from - interval '1 hour'")
    assert await _submitted(led, ada, "0123abc", "B")
    assert not await _submitted(led, ada, "0123abd", "C"), "another commit was not declared"
