"""The client against the real service: everything a participant does, and every error it can meet on the way."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

import heldout
from api.accounts.models import Scope
from api.catalog.packs.read import read_pack
from tests.service import Service, choice_pack

SHIPPED = Path(__file__).resolve().parents[2] / "benchmarks"


def client(service: Service, key: str | None, **more: Any) -> heldout.AsyncClient:
    transport = httpx2.ASGITransport(app=service.app, raise_app_exceptions=False)
    return heldout.AsyncClient(api_key=key, base_url="http://heldout.test", transport=transport, **more)


@pytest.fixture
async def ada(service: Service) -> AsyncIterator[heldout.AsyncClient]:
    """A participant of the quiz."""
    await service.publish(choice_pack(count=45))
    async with client(service, await service.key(), benchmark="quiz") as made:
        yield made


async def test_the_main_job(service: Service, ada: heldout.AsyncClient) -> None:
    problems = await ada.get_problems(split="test").all()
    assert len(problems) == 45
    assert all(problem.gold is None and problem.solution is None for problem in problems)
    dev = await ada.get_problems(split="dev").all()
    assert all(problem.gold and problem.solution for problem in dev)
    assert (await ada.get_problem(dev[0].id)).statement == dev[0].statement
    made = await ada.submit({problem.id: problem.gold or "" for problem in dev}, model="m@1", split="dev")
    await service.work()
    graded = await made.wait(timeout=60)
    assert (graded.state, graded.score, graded.coverage) == ("graded", 1.0, 1.0)
    assert {item.outcome for item in graded.items or ()} == {"correct"}
    rows = await ada.leaderboard(split="dev").all()
    assert [(row.rank, row.model.name, row.model.version, row.score) for row in rows] == [(1, "m", "1", 1.0)]
    assert [row.id for row in await ada.submissions().all()] == [made.id]
    assert (await ada.me()).organisation == "lab"


async def test_a_run_in_parts_is_one_submission(
    service: Service, ada: heldout.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("heldout._calls.CHUNK_ITEMS", 20)
    answers = {problem.id: "ANSWER: A" async for problem in ada.get_problems(split="test")}
    first = await ada.submit(answers, model="m", split="test", idempotency_key="run-1")
    again = await ada.submit(answers, model="m", split="test", idempotency_key="run-1")
    assert first.id == again.id
    await service.work()
    graded = await again.wait(timeout=60)
    assert (graded.received, graded.state) == (45, "graded")
    assert graded.score == pytest.approx(12 / 45, abs=0.02)  # hidden scores are rounded
    assert graded.items is None


async def test_the_agreement_is_asked_for_and_accepted(service: Service) -> None:
    await service.publish(read_pack(SHIPPED / "demo-arb"))
    async with client(service, await service.key()) as made:
        with pytest.raises(heldout.PermissionDenied) as caught:
            await made.get_problems(split="test").all()
        assert "accept" in caught.value.advice + caught.value.detail
        assert (await made.benchmark()).agreement is not None
        await made.accept_agreement(name="Ada Lovelace")
        problems = await made.get_problems(split="test").all()
        assert len(problems) == 49
        pictured = next(problem for problem in problems if problem.images)
        assert (await made.image(pictured.images[0])).startswith(b"\x89PNG")


async def test_errors_have_their_classes(service: Service, ada: heldout.AsyncClient) -> None:
    with pytest.raises(heldout.NotFound):
        await ada.get_problems(split="nowhere").all()
    with pytest.raises(heldout.NotFound):
        await ada.submission("sub_00000000000000000000000000")
    with pytest.raises(heldout.Invalid) as caught:
        await ada.submit({"prb_unknown": "A"}, model="m", split="test")
    assert caught.value.request_id
    async with client(service, "hk_wrong", benchmark="quiz") as stranger:
        with pytest.raises(heldout.AuthenticationError):
            await stranger.me()
    async with client(service, await service.key(scopes=[Scope.PROBLEMS_READ]), benchmark="quiz") as reader:
        with pytest.raises(heldout.PermissionDenied):
            await reader.submit({}, model="m", split="test")
    async with client(service, None, benchmark="quiz") as public:
        assert await public.leaderboard().all() == []


async def test_a_spent_quota_is_told(service: Service) -> None:
    hidden = {"problems_per_day": 20, "submissions_per_organisation": 1}
    await service.publish(choice_pack(count=45, hidden=hidden))
    async with client(service, await service.key(), benchmark="quiz") as made:
        listing = made.get_problems(split="test")
        with pytest.raises(heldout.QuotaExceeded):
            await listing.all()
        assert len(await listing.first(20)) == 20
        one = (await listing.first(1))[0].id
        await made.submit({one: "A"}, model="m", split="test")
        with pytest.raises(heldout.QuotaExceeded):
            await made.submit({one: "A"}, model="m", split="test")
