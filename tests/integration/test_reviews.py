"""Answers that people grade: blind, two reviewers, a third where they differ, then the score stands."""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from api.accounts.models import MemberRole, Scope
from packs.benchmark import Benchmark
from packs.pack import Pack
from packs.problem import Image, Problem, ReferenceLine
from tests.support.gallery import drawing
from tests.support.service import OPEN, Caller, Service
from tests.support.sql import sql
from tests.support.visitor import enter

RUBRIC = {
    "criteria": [
        {"id": "idea", "points": 6, "text": "Names the idea.", "full": "named", "half": "hinted", "none": "absent"},
        {"id": "end", "points": 4, "text": "Draws the conclusion.", "requires": ["idea"]},
    ]
}


def proofs(count: int = 1, split: Mapping[str, object] = OPEN) -> Pack:
    head = {
        "slug": "proofs",
        "title": "Proofs",
        "version": "1.0.0",
        "owner": "owners",
        "licence": "CC0-1.0",
        "card": "c",
        "canary": "heldout-canary-0123456789abcdef",
        "splits": {"test": split},
    }
    names = [f"p{number}" for number in range(count)]
    problems = [Problem(id=n, split="test", type="proof", subject="m", statement=f"Prove {n}.") for n in names]
    reference = {"kind": "rubric", "rubric": RUBRIC, "solution": "The reference proof."}
    lines = [ReferenceLine(id=n, reference=reference) for n in names]
    return Pack(Path(), Benchmark.model_validate(head), tuple(problems), tuple(lines), {})


async def reviewer(service: Service, name: str) -> Caller:
    return await service.reader(f"{name}@example.org", "owners", scopes=[Scope.REVIEWS_WRITE], role=MemberRole.MEMBER)


async def claim(caller: Caller) -> Any:
    response = await caller.post("/v1/reviews/claim", json={"benchmark": "proofs"})
    assert response.status_code == 200, response.text
    return response.json()["task"]


async def vote(caller: Caller, task: Any, idea: float, end: float) -> Any:
    body = {"credits": {"idea": idea, "end": end}, "seconds": 60}
    response = await caller.post(f"/v1/reviews/{task['id']}/vote", json=body)
    assert response.status_code == 200, response.text
    return response.json()


async def submitted(service: Service, count: int = 1) -> tuple[Caller, str]:
    await service.publish(proofs(count))
    ada = await service.reader()
    problems = await ada.problems("proofs", "test")
    done = await ada.submit("proofs", "test", {p["id"]: "My proof." for p in problems}, model="secret-model")
    await service.work()
    return ada, done.headers["location"]


async def test_what_is_graded_is_told_while_people_grade_the_rest(service: Service) -> None:
    ada, path = await submitted(service, count=2)
    assert (await ada.get(path)).json()["note"] == "people are grading what no grader could decide"
    one, two = await reviewer(service, "one"), await reviewer(service, "two")
    first = await claim(one)
    await vote(one, first, 1, 0)
    while (task := await claim(two))["sheet"]["statement"] != first["sheet"]["statement"]:
        await vote(two, task, 1, 1)
    await vote(two, task, 1, 0)
    await service.work()
    told = (await ada.get(path)).json()
    assert (told["state"], told["score"]) == ("awaiting_review", None)
    assert told["note"].endswith("; graded so far: 1 of 2, mean 0.600")


async def test_two_reviewers_who_agree_settle_the_score(service: Service) -> None:
    ada, path = await submitted(service)
    told = (await ada.get(path)).json()
    assert (told["state"], told["score"], told["place"]) == ("awaiting_review", None, None)
    one, two = await reviewer(service, "one"), await reviewer(service, "two")
    task = await claim(one)
    assert task["sheet"]["answer"] == "My proof."
    assert task["sheet"]["solution"] == "The reference proof."
    assert "secret-model" not in str(task)
    assert await claim(two) is None, "nobody else gets an answer that is being graded"
    assert (await vote(one, task, 1, 0))["points"] == 6
    assert (await claim(one)) is None, "nobody grades the same answer twice"
    told = await vote(two, await claim(two), 1, 0)
    assert (told["votes"], told["votes_needed"]) == (2, 2)
    assert await claim(await reviewer(service, "three")) is None, "two votes wait for the worker, not for a third"
    await service.work()
    assert (await ada.get(path)).json()["score"] == 0.6
    board = (await service.client.get("/v1/benchmarks/proofs/leaderboard")).json()
    assert board["items"][0]["score"] == 0.6


async def test_a_third_reviewer_decides_where_two_differ(service: Service) -> None:
    ada, path = await submitted(service)
    callers = [await reviewer(service, name) for name in ("one", "two", "three")]
    votes = [(1, 1), (0, 0), (0.5, 0)]
    for caller, (idea, end) in zip(callers, votes, strict=True):
        told = await vote(caller, await claim(caller), idea, end)
        await service.work()
    assert (told["votes"], told["votes_needed"]) == (3, 3)
    assert (await ada.get(path)).json()["score"] == 0.3
    state = (await callers[0].get("/v1/reviews/queue", params={"benchmark": "proofs"})).json()
    assert (state["waiting"], state["settled"], state["disagreements"], state["yours"]) == (0, 1, 1, 1)
    # Scores 1, 0 and 0.3: nobody agrees, and everybody is compared with the two others.
    agreements = [await own_agreement(caller) for caller in callers]
    assert [(one["compared"], one["agreed"]) for one in agreements] == [(2, 0)] * 3
    assert [round(one["difference"], 3) for one in agreements] == [0.85, 0.65, 0.5]


async def own_agreement(caller: Caller) -> Any:
    return (await caller.get("/v1/reviews/queue", params={"benchmark": "proofs"})).json()["agreement"]


async def test_agreement_counts_every_settled_answer_and_is_each_ones_own(service: Service) -> None:
    await submitted(service, count=2)
    one, two, idle = [await reviewer(service, name) for name in ("one", "two", "idle")]
    for caller in (one, two):
        await vote(caller, await claim(caller), 1, 0)
    assert await own_agreement(one) is None, "nothing is settled before the worker has looked"
    await service.work()
    assert await own_agreement(one) == await own_agreement(two) == {"compared": 1, "agreed": 1, "difference": 0.0}
    assert await own_agreement(idle) is None
    for caller, idea in ((one, 1), (two, 0)):
        await vote(caller, await claim(caller), idea, 0)
    await service.work()
    await vote(idle, await claim(idle), 1, 0)
    await service.work()
    assert await own_agreement(one) == {"compared": 3, "agreed": 2, "difference": pytest.approx(0.2)}
    assert await own_agreement(idle) == {"compared": 2, "agreed": 1, "difference": pytest.approx(0.3)}


async def test_a_picture_is_shown_to_who_holds_the_answer_alone(service: Service) -> None:
    path = service.settings.data_dir / "one.png"
    path.write_bytes(drawing())
    base = proofs()
    problem = base.problems[0].model_copy(update={"images": (Image(path="one.png", alt="a river"),)})
    await service.publish(replace(base, problems=(problem,), assets={"one.png": path}))
    ada = await service.reader()
    await ada.submit("proofs", "test", {p["id"]: "My proof." for p in await ada.problems("proofs", "test")})
    await service.work()
    one, two = await reviewer(service, "one"), await reviewer(service, "two")
    task = await claim(one)
    assert (task["purpose"], task["third"]) == ("grade", False)
    assert task["sheet"]["images"] == [{"path": "one.png", "alt": "a river"}]
    image = f"/v1/reviews/{task['id']}/images/0"
    assert (await one.get(image)).content == drawing()
    assert (await one.get(f"/v1/reviews/{task['id']}/images/1")).status_code == 404
    assert (await two.get(image)).status_code == 404
    member = await enter(service, "one@example.org")
    await member.get("/review/proofs")
    shown = f"/review/proofs/{task['id']}/images/0"
    assert shown in member.page
    assert (await member.get(shown)).headers["cache-control"] == "no-store"
    other = await enter(service, "two@example.org")
    assert (await other.get(shown)).status_code == 404
    assert (await (await enter(service, "eve@example.org", "others")).get("/review/proofs")).status_code == 403
    await vote(one, task, 1, 0)
    assert (await one.get(image)).status_code == 404


async def test_a_form_without_all_credits_is_refused_and_the_answer_stays(service: Service) -> None:
    await submitted(service)
    await reviewer(service, "one")
    member = await enter(service, "one@example.org")
    assert (await member.fill("/review/proofs", "/review/proofs/claim")).status_code == 303
    await member.get("/review/proofs")
    found = re.search(r'action="(/review/proofs/rev_\w+/vote)"', member.page)
    assert found
    assert (await member.post(found[1], {"credit-0": "1"})).status_code == 422
    assert (await member.post(found[1], {"credit-0": "1", "credit-1": "0.5"})).status_code == 409
    assert (await member.fill("/review/proofs", found[1], {"credit-0": "1", "credit-1": "0"})).status_code == 303
    await member.get("/review/proofs")
    assert "Nothing waits for you here" in member.text()
    assert (await member.post(found[1], {"credit-0": "1", "credit-1": "0"})).status_code == 409


async def test_who_may_not_review(service: Service) -> None:
    await submitted(service)
    stranger = await service.reader("eve@example.org", "other", scopes=[Scope.REVIEWS_WRITE])
    refused = await stranger.post("/v1/reviews/claim", json={"benchmark": "proofs"})
    assert (refused.status_code, refused.json()["code"]) == (403, "not_a_reviewer")
    # A reviewer who also belongs to the submitting organisation never sees its answers.
    both = await service.reader("both@example.org", "owners", scopes=[Scope.REVIEWS_WRITE])
    await service.key("both@example.org", "lab")
    assert await claim(both) is None


async def test_credits_that_do_not_fit_are_refused_and_nothing_is_lost(service: Service) -> None:
    await submitted(service)
    one = await reviewer(service, "one")
    task = await claim(one)
    path = f"/v1/reviews/{task['id']}/vote"
    for credits in ({}, {"idea": 1}, {"idea": 0.3, "end": 1}, {"idea": 1, "end": 0.5}, {"idea": 1, "end": 1, "x": 1}):
        refused = await one.post(path, json={"credits": credits})
        assert (refused.status_code, refused.json()["code"]) == (409, "bad_credits")
    assert (await vote(one, task, 1, 1))["points"] == 10


async def test_a_lost_job_is_found_again(service: Service) -> None:
    from api.worker.reviewing import decide_review
    from api.worker.sweep import requeue_reviews

    ada, path = await submitted(service, 2)
    for name in ("one", "two"):
        caller = await reviewer(service, name)
        for _ in range(2):
            await vote(caller, await claim(caller), 1, 1)
    async with service.admin.session() as session:
        settled = (await sql(session, "select id from review order by id limit 1")).scalar_one()
    await decide_review(service.worker, settled)
    async with service.admin.session() as session:
        await sql(session, "delete from queue.procrastinate_jobs")
        await sql(session, "update review set settled_at = settled_at - interval '1 hour'")
        await sql(session, "update review_vote set created_at = created_at - interval '1 hour'")
    await requeue_reviews(service.worker)
    await service.work()
    assert (await ada.get(path)).json()["score"] == 1.0
