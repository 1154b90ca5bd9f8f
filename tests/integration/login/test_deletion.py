"""Deleting an account: nothing personal is left in any table, nothing opens any more, and the ledger still holds."""

import json

from api.accounts.models import MemberRole, Scope
from api.ledger import sealing
from tests.support.service import Caller, Service, choice_pack
from tests.support.sql import sql
from tests.support.visitor import Visitor, enter

EMAIL = "ada.unmistakable@example.org"
MARKS = ("unmistakable", "Augusta Ada", "her laptop")


async def _everything(service: Service) -> str:
    """Every row of every public table, as text."""
    texts = []
    async with service.admin.session() as session:
        names = await sql(session, "select tablename from pg_tables where schemaname = 'public'")
        for (name,) in names.all():
            rows = await sql(session, f'select to_jsonb(t) from "{name}" t')
            texts += [f"{name} {json.dumps(row[0], ensure_ascii=False)}" for row in rows.all()]
    return "\n".join(texts)


async def _lived(service: Service) -> tuple[Visitor, Caller]:
    """Somebody who left traces wherever one can."""
    await service.publish(choice_pack(agreement=True))
    ada = await enter(service, EMAIL, "lab")
    async with service.admin.session() as session:
        await sql(
            session,
            """insert into identity select gen_random_uuid(), id, 'https://id.example', 'sub-unmistakable', email,
               now(), now() from account where email = :email""",
            {"email": EMAIL},
        )
    await ada.fill("/account", "/account/name", {"name": "Augusta Ada King"})
    scopes = ["problems:read", "submissions:write", "account:write"]
    key = {"name": "her laptop", "organisation": "lab", "days": "", "scopes": scopes}
    await ada.fill("/account/keys", "/account/keys", key)
    caller = Caller(service.client, ada.text().partition("hld_")[2].split()[0].join(["hld_", ""]))
    accepted = await caller.post("/v1/benchmarks/quiz/agreement", json={"name": "Augusta Ada King"})
    assert accepted.status_code == 201
    problems = await caller.problems("quiz", "test")
    await caller.submit("quiz", "test", {problem["id"]: "A" for problem in problems})
    await service.work()
    await ada.fill("/o/lab", "/o/lab/invitations", {"role": "member", "email": EMAIL})
    return ada, caller


async def test_the_person_goes_and_the_ledger_stays(service: Service) -> None:
    ada, caller = await _lived(service)
    async with service.admin.session() as session:
        await sealing.seal(session)
        before = await sealing.check(session)
        counts = "select (select count(*) from exposure), (select count(*) from submission_item)"
        rows = (await sql(session, counts)).one()
    assert before.holds
    assert before.rows == 8
    told = await _everything(service)
    assert [mark for mark in MARKS if mark not in told] == [], "the search can see"
    wrong = await ada.fill("/account/delete", "/account/delete", {"email": "eve@example.org"})
    assert wrong.status_code == 422
    assert (await caller.get("/v1/me")).status_code == 200
    done = await ada.post("/account/delete", {"email": EMAIL.upper()})
    assert done.status_code == 303
    left = await _everything(service)
    assert [line[:200] for line in left.split("\n") if any(mark in line for mark in MARKS)] == []
    assert "deleted account " in left
    assert (await caller.get("/v1/me")).status_code == 401
    assert (await ada.get("/account")).status_code == 303
    async with service.admin.session() as session:
        after = await sealing.check(session)
        assert (await sql(session, counts)).one() == rows
    assert (after.holds, after.rows, after.head) == (True, before.rows, before.head)
    board = (await service.client.get("/v1/benchmarks/quiz/leaderboard", params={"split": "test"})).json()
    assert len(board["items"]) == 1


async def test_the_address_makes_a_new_account_afterwards(service: Service) -> None:
    ada = await enter(service, EMAIL, "lab")
    await ada.fill("/account/delete", "/account/delete", {"email": EMAIL})
    again = await enter(service, EMAIL)
    await again.get("/account")
    assert "You do not belong to an organisation yet" in again.page
    assert (await again.get("/o/lab")).status_code == 404


async def test_nobody_leaves_members_or_benchmarks_without_an_owner(service: Service) -> None:
    olga = await enter(service, "olga@example.org", "lab")
    await enter(service, "ada@example.org", "lab", role=MemberRole.MEMBER)
    refused = await olga.fill("/account/delete", "/account/delete", {"email": "olga@example.org"})
    assert refused.status_code == 409
    await enter(service, "olaf@example.org", "lab")
    assert (await olga.post("/account/delete", {"email": "olga@example.org"})).status_code == 303
    await service.publish(choice_pack())
    owner = await enter(service, "owner@example.org", "owners")
    refused = await owner.fill("/account/delete", "/account/delete", {"email": "owner@example.org"})
    assert refused.status_code == 409


async def test_by_api_only_with_the_scope_for_it(service: Service) -> None:
    reader = await service.reader("ada@example.org", "lab")
    body = {"email": "ada@example.org"}
    assert (await reader.post("/v1/me/delete", json=body)).status_code == 403
    holder = await service.reader("ada@example.org", "lab", scopes=[Scope.ACCOUNT_WRITE])
    assert (await holder.post("/v1/me/delete", json={"email": "eve@example.org"})).status_code == 403
    assert (await holder.post("/v1/me/delete", json=body)).status_code == 204
    assert (await reader.get("/v1/me")).status_code == 401
    assert (await holder.post("/v1/me/delete", json=body)).status_code == 401
