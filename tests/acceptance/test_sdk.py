"""The client against the real service: everything a participant does, and every error it can meet on the way."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

import heldout
from api.accounts.models import MemberRole, Scope
from envs import registry
from packs.read import read_pack
from tests.support.service import Service, choice_pack

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
    await service.publish(read_pack(SHIPPED / "demo-arb", registry))
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
    with pytest.raises(heldout.Conflict) as caught:
        await ada.submit({"prb_unknown": "A"}, model="m", split="test")
    assert caught.value.request_id
    async with client(service, "hk_wrong", benchmark="quiz") as stranger:
        with pytest.raises(heldout.AuthenticationError):
            await stranger.me()
    async with client(service, await service.key(scopes=[Scope.PROBLEMS_READ]), benchmark="quiz") as reader:
        with pytest.raises(heldout.PermissionDenied):
            await reader.submit({"prb_one": "A"}, model="m", split="test")
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


async def test_members_are_listed_invited_changed_and_removed(service: Service) -> None:
    rights = [Scope.ACCOUNT_WRITE]
    owner = await service.key("olga@example.org", "lab", scopes=rights, role=MemberRole.OWNER)
    member = await service.key("ada@example.org", "lab", scopes=rights)
    async with client(service, owner) as olga, client(service, member) as ada:
        by_email = {found.email: found for found in (await olga.organisation()).members}
        assert {email: found.role for email, found in by_email.items()} == {
            "olga@example.org": "owner",
            "ada@example.org": "member",
        }
        assert "/invite?token=" in await olga.invite("new@example.org", role="owner")
        (invitation,) = (await olga.organisation()).invitations
        assert (invitation.email, invitation.role) == ("new@example.org", "owner")
        with pytest.raises(heldout.PermissionDenied):
            await ada.invite()
        await olga.withdraw_invitation(invitation.id)
        assert (await olga.organisation()).invitations == ()
        theirs = by_email["ada@example.org"].id
        await olga.change_member(theirs, role="owner")
        assert {found.role for found in (await ada.organisation()).members} == {"owner"}
        await olga.remove_member(theirs)
        assert [found.email for found in (await olga.organisation()).members] == ["olga@example.org"]


async def test_access_is_asked_for_and_decided(service: Service) -> None:
    await service.publish(choice_pack(agreement=True, approval=True))
    owner = await service.key("olga@example.org", "owners", scopes=[Scope.BENCHMARKS_WRITE], role=MemberRole.OWNER)
    async with client(service, await service.key(), benchmark="quiz") as ada, client(service, owner) as olga:
        assert await ada.agreement() is None
        with pytest.raises(heldout.NotFound):
            await ada.agreement("no-such-benchmark")
        assert (await ada.accept_agreement(name="Ada Lovelace")).state == "requested"
        (asked,) = await olga.access("quiz", state="requested").all()
        assert (asked.organisation, asked.name, asked.served) == ("lab", "Ada Lovelace", 0)
        with pytest.raises(heldout.Invalid):
            await olga.decide_access(asked.id, "declined", benchmark="quiz")
        await olga.decide_access(asked.id, "declined", reason="Who are you?", benchmark="quiz")
        told = await ada.agreement()
        assert told is not None
        assert (told.state, told.reason) == ("declined", "Who are you?")
        await olga.decide_access(asked.id, "accepted", benchmark="quiz")
        assert len(await ada.get_problems(split="test").all()) > 0
        with pytest.raises(heldout.PermissionDenied):
            await ada.access().all()
