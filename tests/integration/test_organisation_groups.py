"""Operators group verified organisations that are one hand: they share budgets, quotas, rates and what splits tell."""

from typing import Any

import pytest
from sqlalchemy.exc import DBAPIError

from api.accounts.models import Scope
from api.core import ratelimit
from api.core.db import Database, Role
from api.core.settings import Settings
from tests.support.service import Caller, Service, choice_pack
from tests.support.sql import sql
from tests.support.visitor import enter

GROUPS = "/v1/operator/groups"
FORM = {"members": ["first", "second"], "reason": "Two teams of one company."}
SEALED = {"feedback": "sealed", "chance_level": 0.25, "feedback_share": 0.3, "decisions_per_year": 3}


async def teams(service: Service, **hidden: Any) -> tuple[Caller, Caller, Caller]:
    """An operator and two organisations; the first alone is verified."""
    await service.publish(choice_pack(count=40, hidden=SEALED | hidden))
    operator = await service.reader("op@example.org", "ops", scopes=list(Scope), operator=True)
    first, second = [await service.reader(f"{name}@example.org", name) for name in ("first", "second")]
    await service.verify("first")
    return operator, first, second


async def grouped(service: Service, operator: Caller) -> None:
    await service.verify("second")
    assert (await operator.post(GROUPS, json=FORM)).status_code == 201


async def test_operators_form_list_and_end_groups_of_verified_organisations(service: Service) -> None:
    operator, first, second = await teams(service)
    assert (await first.post(GROUPS, json=FORM)).status_code == 403
    refused = await operator.post(GROUPS, json=FORM)
    assert (refused.status_code, refused.json()["code"]) == (409, "group_refused")
    assert "second" in refused.json()["detail"]
    await grouped(service, operator)
    [group] = (await operator.get(GROUPS)).json()["items"]
    assert (group["members"], group["reason"], group["formed_by"]) == (["first", "second"], FORM["reason"], "op")
    member = await enter(service, "second@example.org", "second")
    assert 'tell with <a href="/o/first">first</a>' in (await member.get("/o/second")).text
    await service.verify("ops")
    other = await operator.post(GROUPS, json=FORM | {"members": ["ops", "second"]})
    assert other.json()["code"] == "group_refused", "one group at a time"
    assert (await second.call("DELETE", f"{GROUPS}/first")).status_code == 403
    assert (await operator.call("DELETE", f"{GROUPS}/second")).status_code == 404, "it leads none"
    assert (await operator.call("DELETE", f"{GROUPS}/first")).status_code == 204
    [ended] = (await operator.get(GROUPS)).json()["items"]
    assert ended["ended_at"]
    assert (ended["ended_by"], ended["reason"]) == ("op", FORM["reason"]), "who did what stays to be read"
    assert "tell with" not in (await member.get("/o/second")).text


async def test_budgets_quotas_and_rates_are_the_groups(service: Service) -> None:
    operator, first, second = await teams(service, problems_per_day=30, submissions_per_organisation=2)
    await grouped(service, operator)
    query = {"split": "test", "limit": 10}
    read = [
        (await caller.get("/v1/benchmarks/quiz/problems", params=query)) for caller in (first, second, first, second)
    ]
    assert [reply.status_code for reply in read] == [200, 200, 200, 429]
    assert read[1].json()["budget"]["used"] == 20
    answers = [{"problem": item["id"], "answer": "A"} for item in read[1].json()["items"]]
    body = {"benchmark": "quiz", "split": "test", "model": {"name": "m"}}
    sent = [await caller.post("/v1/submissions", json=body | {"finalize": False}) for caller in (first, second)]
    assert [reply.status_code for reply in sent] == [202, 202]
    assert (await second.post("/v1/submissions", json=body | {"items": answers})).json()["code"] == "quota_spent"
    service.app.state.limiter.enabled = True
    left = [(await caller.get("/v1/submissions")).headers["RateLimit"] for caller in (first, second)]
    service.app.state.limiter.enabled = False
    most = int(ratelimit.RATES["read"].partition("/")[0])
    assert [f"r={most - n};" in text for n, text in enumerate(left, 1)] == [True, True]
    (await operator.call("DELETE", f"{GROUPS}/first")).raise_for_status()
    assert (await second.get("/v1/benchmarks/quiz/problems", params=query)).status_code == 200


async def test_what_one_is_told_is_told_to_the_group(service: Service) -> None:
    operator, first, second = await teams(service)
    await grouped(service, operator)
    problems = await first.problems("quiz", "test")
    assert (await first.submit("quiz", "test", {p["id"]: "A" for p in problems})).status_code == 202
    await service.work()

    async def learnt() -> list[tuple[int, int, bool]]:
        path = "/v1/benchmarks/quiz/feedback?split=test"
        found = [(await caller.get(path)).raise_for_status().json() for caller in (first, second)]
        return [(one["decisions"], one["decisions_left"], one["shared"]) for one in found]

    assert await learnt() == [(1, 2, True), (1, 2, True)]
    (await operator.call("DELETE", f"{GROUPS}/first")).raise_for_status()
    assert await learnt() == [(1, 2, False), (0, 3, False)]


async def test_the_web_role_groups_nobody_by_itself(service: Service, settings: Settings) -> None:
    await teams(service)
    web = Database.of(settings, Role.WEB)
    form = """select form_group(o.id, array[o.id], (select id from account where email = 'first@example.org'), 'x')
              from organisation o"""
    for statement in (form, "delete from organisation_group", "update organisation_group set ended_at = now()"):
        with pytest.raises(DBAPIError, match=r"an operator groups|permission denied"):
            async with web.session() as session:
                await sql(session, statement)
    await web.close()
