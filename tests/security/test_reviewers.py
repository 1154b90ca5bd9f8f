"""Reviewers of hidden answers see references: what those who take part, or did, or want to, get of them."""

import asyncio
from typing import Any

import pytest

from api.accounts.models import MemberRole, Scope
from tests.integration.test_reviews import claim, proofs, vote
from tests.support.service import READER, Caller, Service
from tests.support.sql import sql

SEALED = {"visibility": "test", "feedback": "sealed", "chance_level": 0.0}
SCOPES = [*READER, Scope.REVIEWS_WRITE]
QUEUE = {"benchmark": "proofs"}


async def handed_in(service: Service, caller: Caller, text: str = "My proof.") -> Any:
    problems = await caller.problems("proofs", "test")
    done = await caller.submit("proofs", "test", {p["id"]: text for p in problems})
    assert done.status_code == 202, done.text
    await service.work()
    return done.json()


async def named(service: Service, email: str, organisation: str) -> Caller:
    """Somebody of an organisation whom the owner put on the list of reviewers."""
    caller = await service.reader(email, organisation, scopes=SCOPES)
    owner = await service.reader("rita@example.org", "owners", scopes=list(Scope)[:-1], role=MemberRole.OWNER)
    (await owner.call("PUT", f"/v1/benchmarks/proofs/reviewers/{email}")).raise_for_status()
    return caller


async def queue(caller: Caller) -> dict[str, Any]:
    return dict((await caller.get("/v1/reviews/queue", params=QUEUE)).raise_for_status().json())


async def refused(caller: Caller) -> tuple[int, str]:
    reply = await caller.post("/v1/reviews/claim", json=QUEUE)
    assert "reference" not in reply.text.replace("references", "")
    return reply.status_code, reply.json().get("code", "")


async def test_a_reviewer_of_a_participant_is_shown_no_reference_of_a_hidden_split(service: Service) -> None:
    await service.publish(proofs(3, SEALED))
    ada, bob = await service.reader(), await named(service, "bob@example.org", "rivals")
    await handed_in(service, ada)
    await handed_in(service, bob)
    assert await refused(bob) == (403, "reviewer_takes_part")
    told = await queue(bob)
    assert (told["waiting"], told["settled"], told["median_seconds"]) == (0, 0, None)
    async with service.admin.session() as session:
        assert (await sql(session, "select count(*) from review_shown")).scalar_one() == 0
    # Those who take no part go on: all six answers wait for them.
    assert (await queue(await named(service, "eve@example.org", "others")))["waiting"] == 6


@pytest.mark.parametrize("leaves", [False, True])
async def test_colleagues_of_who_takes_part_are_not_shown_any_either(service: Service, leaves: bool) -> None:
    await service.publish(proofs(1, SEALED))
    await handed_in(service, await service.reader())
    await handed_in(service, await service.reader("carl@example.org", "rivals"))
    bob = await named(service, "bob@example.org", "rivals")
    if leaves:
        async with service.admin.session() as session:
            await sql(session, "delete from membership m using account a where a.id = m.user_id and a.name = 'bob'")
        bob = await named(service, "bob@example.org", "new home")
    assert await refused(bob) == (403, "reviewer_takes_part")


async def test_the_group_of_a_participant_is_not_shown_any(service: Service) -> None:
    await service.publish(proofs(1, SEALED))
    await handed_in(service, await service.reader())
    bob = await named(service, "bob@example.org", "sisters")
    for name in ("lab", "sisters"):
        await service.verify(name)
    operator = await service.reader("op@example.org", "ops", scopes=list(Scope), operator=True)
    form = {"members": ["lab", "sisters"], "reason": "one company"}
    (await operator.post("/v1/operator/groups", json=form)).raise_for_status()
    assert await refused(bob) == (403, "reviewer_takes_part")


async def test_whoever_was_shown_a_reference_takes_no_part_afterwards(service: Service) -> None:
    await service.publish(proofs(2, SEALED))
    await handed_in(service, await service.reader())
    bob = await named(service, "bob@example.org", "rivals")
    carl = await service.reader("carl@example.org", "rivals")
    task = await claim(bob)
    assert task["sheet"]["solution"] == "The reference proof."
    # It is given back without a vote: what was seen was seen.
    (await bob.post(f"/v1/reviews/{task['id']}/release")).raise_for_status()
    for caller in (bob, carl):
        problems = await caller.problems("proofs", "test")
        body = {p["id"]: "The reference proof." for p in problems}
        reply = await caller.submit("proofs", "test", body)
        assert (reply.status_code, reply.json()["code"]) == (403, "organisation_reviewed")
    assert await claim(bob) is not None, "and reviews on"
    async with service.admin.session() as session:
        await sql(session, "delete from membership m using account a where a.id = m.user_id and a.name = 'bob'")
    moved = await service.reader("bob@example.org", "new home", scopes=SCOPES)
    reply = await moved.submit("proofs", "test", {p["id"]: "x" for p in await moved.problems("proofs", "test")})
    assert reply.json()["code"] == "organisation_reviewed"


async def test_the_owners_queue_says_nothing_of_the_owners_own_answers(service: Service) -> None:
    await service.publish(proofs(3, SEALED))
    owner = await service.reader("rita@example.org", "owners", scopes=list(Scope)[:-1], role=MemberRole.OWNER)
    await handed_in(service, await service.reader())
    before = await queue(owner)
    assert before["waiting"] == 3
    await handed_in(service, owner, "Ours.")
    assert await queue(owner) == before
    for name in ("eve", "dan"):
        other = await named(service, f"{name}@example.org", name)
        while task := await claim(other):
            await vote(other, task, 1, 1)
    await service.work()
    after = await queue(owner)
    assert (after["waiting"], after["settled"]) == (0, 3)
    calibration = await owner.get("/v1/benchmarks/proofs/calibration")
    assert (calibration.status_code, calibration.json()["code"]) == (409, "owner_takes_part")


async def test_answers_to_open_splits_are_graded_by_participants_but_not_their_own(service: Service) -> None:
    await service.publish(proofs(1))
    ada, bob = await service.reader(), await named(service, "bob@example.org", "rivals")
    await handed_in(service, ada, "Ada's.")
    await handed_in(service, bob, "Bob's.")
    assert (await queue(bob))["waiting"] == 1
    assert (await claim(bob))["sheet"]["answer"] == "Ada's."


async def test_of_a_claim_and_a_submission_at_once_one_is_refused(service: Service) -> None:
    await service.publish(proofs(12, SEALED))
    await handed_in(service, await service.reader())
    for number in range(6):
        bob = await named(service, f"bob{number}@example.org", f"rivals{number}")
        answers = {p["id"]: "x" for p in await bob.problems("proofs", "test")}
        claimed, sent = await asyncio.gather(
            bob.post("/v1/reviews/claim", json=QUEUE), bob.submit("proofs", "test", answers)
        )
        assert sorted((claimed.status_code, sent.status_code)) in ([200, 403], [202, 403])
