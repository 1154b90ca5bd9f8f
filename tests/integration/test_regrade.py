"""Mended gold: stored submissions are regraded, old scores stay addressable, a public page shows who moved."""

import dataclasses
import json
from datetime import timedelta

from api.core.db import now
from api.worker import regrading
from api.worker.ranking import release_due
from tests.support.service import OPEN, Service, choice_pack
from tests.support.sql import sql

GOLD = "ABCD"


async def test_mended_gold_moves_scores_and_says_who_moved(service: Service) -> None:
    await service.publish(choice_pack(count=8, hidden=OPEN))
    ada = await service.reader()
    problems = await ada.problems("quiz", "test")
    names = {p["id"]: int(p["statement"].removesuffix("?").rsplit("-", 1)[1]) for p in problems}
    right = {alias: GOLD[n % 4] for alias, n in names.items()}
    first = await ada.submit("quiz", "test", right, model="as the pack said")
    truth = {alias: "D" if names[alias] == 0 else answer for alias, answer in right.items()}
    second = await ada.submit("quiz", "test", truth, model="as it is")
    await service.work()
    pack = choice_pack(count=8, version="1.0.1", hidden=OPEN)
    lines = tuple(
        line.model_copy(update={"reference": {"kind": "multiple_choice", "value": "D"}, "gold": "D"})
        if line.id == "test-0"
        else line
        for line in pack.references
    )
    await service.publish(dataclasses.replace(pack, references=lines))
    async with service.admin.session() as session:
        benchmark = (await sql(session, "select id from benchmark")).one()
        regrade_id, submissions = await regrading.start(session, benchmark.id, "The gold of problem 0 was wrong.")
    assert len(submissions) == 2
    await service.work()
    for submission_id in submissions:
        await regrading.regrade(service.worker, regrade_id, submission_id)
    assert (await ada.get(first.headers["location"])).json()["score"] == 0.875
    assert (await ada.get(second.headers["location"])).json()["score"] == 1.0
    told = (await service.client.get("/v1/benchmarks/quiz/regrades")).json()["items"][0]
    assert (told["reason"], told["total"], told["done"]) == ("The gold of problem 0 was wrong.", 2, 2)
    assert told["finished_at"]
    moves = {m["model"]: (m["before"]["score"], m["after"]["score"]) for m in told["movers"]}
    assert moves == {"as the pack said": (1.0, 0.875), "as it is": (0.875, 1.0)}
    assert "test-0" not in json.dumps(told)
    page = await service.client.get("/b/quiz/regrades")
    assert page.status_code == 200
    assert "The gold of problem 0 was wrong." in page.text
    assert "+0.125" in page.text
    async with service.admin.session() as session:
        kept = (await sql(session, "select before from regraded order by submission_id")).all()
    assert [item.before["score"] for item in kept] == [1.0, 7 / 8]
    assert all(len(item.before["items"]) == 1 for item in kept)


async def test_regrading_under_the_same_tuple_moves_nobody(service: Service) -> None:
    await service.publish(choice_pack(count=8, hidden=OPEN))
    ada = await service.reader()
    done = await ada.submit("quiz", "test", {p["id"]: "B" for p in await ada.problems("quiz", "test")})
    await service.work()
    before = (await ada.get(done.headers["location"])).json()
    async with service.admin.session() as session:
        benchmark = (await sql(session, "select id from benchmark")).one()
        await regrading.start(session, benchmark.id, "A look.")
    await service.work()
    assert (await ada.get(done.headers["location"])).json() == before
    told = (await service.client.get("/v1/benchmarks/quiz/regrades")).json()["items"][0]
    assert (told["done"], told["movers"]) == (1, [])


async def test_with_hidden_splits_the_end_of_a_regrading_is_told_with_the_next_scheduled_release(
    service: Service,
) -> None:
    await service.publish(choice_pack(count=40, hidden={"feedback": "sealed", "chance_level": 0.25}))
    ada = await service.reader()
    await ada.submit("quiz", "test", {p["id"]: "B" for p in await ada.problems("quiz", "test")})
    await service.work()
    async with service.admin.session() as session:
        benchmark = (await sql(session, "select id from benchmark")).one()
        regrade_id, submissions = await regrading.start(session, benchmark.id, "A look.")
    for submission_id in submissions:
        await regrading.regrade(service.worker, regrade_id, submission_id)
    await service.work()
    async with service.admin.session() as session:
        assert (await sql(session, "select finished_at from regrade")).scalar_one() is not None
    told = (await service.client.get("/v1/benchmarks/quiz/regrades")).json()["items"][0]
    assert (told["total"], told["done"], told["finished_at"]) == (1, 0, None)
    scheduled = now() + timedelta(days=367)
    assert await release_due(service.worker, scheduled)
    told = (await service.client.get("/v1/benchmarks/quiz/regrades")).json()["items"][0]
    assert (told["total"], told["done"]) == (1, 1)
    assert told["finished_at"] > now().isoformat(), "when it was told, not when it ended"
