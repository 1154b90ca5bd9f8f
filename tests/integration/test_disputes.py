"""Participants dispute golds; owners answer; states are public, reasons are not."""

import asyncio
from typing import Any

from api.accounts.models import Scope
from api.core.crypto import Aliases
from tests.support.service import Caller, Service, choice_pack
from tests.support.sql import sql

OWNER = [Scope.BENCHMARKS_WRITE]
BODY = {"reason": "The answer is D: three times five is fifteen."}


async def shown(service: Service, email: str = "ada@example.org", team: str = "lab") -> tuple[Caller, str]:
    """A reader, and the first hidden problem as it was shown to them."""
    reader = await service.reader(email, team)
    return reader, (await reader.problems("quiz", "test"))[0]["id"]


async def raised(service: Service) -> tuple[Caller, Caller, dict[str, Any]]:
    """Owner, reader, and the reader's dispute."""
    await service.publish(choice_pack())
    owner = await service.reader("o@example.org", "owners", scopes=OWNER)
    reader, problem = await shown(service)
    reply = await reader.post(f"/v1/problems/{problem}/disputes", json=BODY)
    return owner, reader, reply.raise_for_status().json()


async def test_a_dispute_is_raised_seen_by_its_owner_and_answered(service: Service) -> None:
    owner, reader, dispute = await raised(service)
    assert (dispute["state"], dispute["name"]) == ("open", None)
    assert dispute["problem"].startswith("prb_")
    [received] = (await owner.get("/v1/benchmarks/quiz/disputes/received")).json()["items"]
    assert (received["name"], received["problem"], received["reason"]) == ("test-0", None, BODY["reason"])
    answer = {"state": "accepted", "answer": "You are right, the next release mends it."}
    decided = (await owner.call("PUT", f"/v1/disputes/{dispute['id']}", json=answer)).raise_for_status().json()
    assert decided["state"] == "accepted"
    assert (await owner.call("PUT", f"/v1/disputes/{dispute['id']}", json=answer)).json()["code"] == "dispute_decided"
    [own] = (await reader.get("/v1/disputes")).json()["items"]
    assert (own["state"], own["answer"], own["problem"]) == ("accepted", answer["answer"], dispute["problem"])
    page = (await service.client.get("/v1/benchmarks/quiz/disputes")).json()
    assert (page["open"], page["accepted"], page["rejected"]) == (0, 1, 0)
    assert set(page["items"][0]) == {"id", "split", "version", "state", "created_at", "decided_at"}


async def test_only_the_owner_decides_and_only_who_was_shown_it_disputes(service: Service) -> None:
    owner, reader, dispute = await raised(service)
    again = await reader.post(f"/v1/problems/{dispute['problem']}/disputes", json=BODY)
    assert again.json()["code"] == "disputed_already"
    stranger = await service.reader("s@example.org", "others", scopes=[*OWNER, Scope.SUBMISSIONS_WRITE])
    assert (await stranger.post(f"/v1/problems/{dispute['problem']}/disputes", json=BODY)).status_code == 404
    answer = {"state": "rejected", "answer": "The gold is what it should be."}
    assert (await stranger.call("PUT", f"/v1/disputes/{dispute['id']}", json=answer)).status_code == 404
    assert (await stranger.get("/v1/benchmarks/quiz/disputes/received")).status_code == 404
    assert (await stranger.get("/v1/disputes")).json()["items"] == []
    assert (await reader.call("PUT", f"/v1/disputes/{dispute['id']}", json=answer)).status_code == 403
    async with service.app.state.database.session() as session:
        query = "select decide_dispute(id, user_id, 'accepted', ''::bytea) as decided from gold_dispute"
        assert (await sql(session, query)).one().decided is False
    assert (await owner.get("/v1/benchmarks/quiz/disputes/received")).json()["items"][0]["state"] == "open"


async def test_what_was_not_shown_is_not_to_be_disputed(service: Service) -> None:
    await service.publish(choice_pack())
    _, problem = await shown(service)
    later = await service.reader("l@example.org", "later")
    async with service.admin.session() as session:
        row = (
            await sql(
                session,
                "select p.id, o.id as team from problem p, organisation o where p.name = 'test-1' and o.slug = 'later'",
            )
        ).one()
    alias = Aliases(service.settings.secrets.raw("alias")).encode(row.team, row.id)
    assert alias != problem
    assert (await later.post(f"/v1/problems/{alias}/disputes", json=BODY)).status_code == 404
    dev = (await later.problems("quiz", "dev"))[0]["id"]
    assert (await later.post(f"/v1/problems/{dev}/disputes", json=BODY)).status_code == 201


async def test_ten_wait_for_an_owner_and_reasons_are_sealed(service: Service) -> None:
    await service.publish(choice_pack(count=12))
    reader = await service.reader()
    problems = await reader.problems("quiz", "test")
    asked = [reader.post(f"/v1/problems/{p['id']}/disputes", json=BODY) for p in problems]
    replies = await asyncio.gather(*asked)  # at once: each could find the last place free
    assert sorted(reply.status_code for reply in replies) == [201] * 10 + [409] * 2
    assert {reply.json()["code"] for reply in replies if reply.status_code == 409} == {"too_many_disputes"}
    async with service.admin.session() as session:
        stored = (await sql(session, "select reason from gold_dispute")).all()
    assert not any(b"fifteen" in bytes(row.reason) for row in stored)
