"""Judges measured by people: a sample is reviewed, the entry is corrected, the owner sees how the judge does."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from api.accounts.models import MemberRole, Scope
from api.core.settings import Settings
from packs.benchmark import Benchmark
from packs.pack import Pack
from packs.problem import Problem, ReferenceLine
from tests.support.service import OPEN, Caller, Service
from tests.support.visitor import enter
from tests.unit.api.judge_server import Reply, judge_server

RUBRIC = {"total": 1, "criteria": [{"id": "proof", "points": 1, "text": "Proves the claim."}]}
SEALED = {"visibility": "test", "feedback": "sealed", "chance_level": 0.0}
RIGHT, HOLLOW, WRONG = "A sound and whole proof.", "A hollow but confident proof.", "Nothing is shown here."


def pack(count: int, split: dict[str, Any]) -> Pack:
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
    names = [f"p{number:02}" for number in range(count)]
    problems = [Problem(id=n, split="test", type="proof", subject="m", statement=f"Prove {n}.") for n in names]
    reference = {"kind": "rubric", "rubric": RUBRIC, "solution": "The reference.", "question": "Prove.", "votes": 1}
    lines = [ReferenceLine(id=n, reference=reference) for n in names]
    return Pack(Path(), Benchmark.model_validate(head), tuple(problems), tuple(lines), {})


def gullible(body: dict[str, Any], _number: int) -> Reply:
    """Takes confidence for proof."""
    text = body["messages"][1]["content"]
    found = next((answer for answer in (RIGHT, HOLLOW) if answer in text), "")
    line = {"id": "proof", "credit": 1 if found else 0, "quotation": found, "reason": ""}
    return Reply(json.dumps({"criteria": [line]}))


async def people(service: Service, count: int) -> list[Caller]:
    return [
        await service.reader(f"r{n}@example.org", "owners", scopes=[Scope.REVIEWS_WRITE], role=MemberRole.MEMBER)
        for n in range(count)
    ]


async def review_all(service: Service, callers: list[Caller], judge: Callable[[Any], dict[str, float]]) -> int:
    """Everybody claims and votes until nobody gets anything; jobs run between rounds. Returns the number of votes."""
    total, before = 0, -1
    while total != before:
        before = total
        for caller in callers:
            while task := (await caller.post("/v1/reviews/claim", json={"benchmark": "proofs"})).json()["task"]:
                done = await caller.post(f"/v1/reviews/{task['id']}/vote", json={"credits": judge(task["sheet"])})
                assert done.status_code == 200, done.text
                total += 1
        await service.work()
    return total


async def entry(service: Service) -> dict[str, Any]:
    board = (await service.client.get("/v1/benchmarks/proofs/leaderboard")).json()
    return dict(board["items"][0])


@pytest.mark.parametrize(("sound", "weak"), [(6, True), (8, False)])
async def test_a_judged_submission_is_sampled_and_corrected(settings: Settings, sound: int, weak: bool) -> None:
    # All eight accepted answers are reviewed and eight of the refused: what people find does not hang on the draw.
    truth = [RIGHT] * sound + [HOLLOW] * (8 - sound) + [WRONG] * 24
    with judge_server(gullible) as server:
        judged = settings.model_copy(
            update={"judge_url": server.url, "judge_model": "gullible-1", "calibration_width": 0.9}
        )
        async with Service.running(judged) as service:
            await service.publish(pack(len(truth), SEALED))
            ada = await service.reader()
            await service.verify("lab")
            problems = await ada.problems("proofs", "test")
            answers = {problem["id"]: text for problem, text in zip(problems, truth, strict=True)}
            await ada.submit("proofs", "test", answers)
            await service.work()

            def careful(sheet: Any) -> dict[str, float]:
                assert sheet["reason"] == "", "people do not see what the judge said"
                return {"proof": 1.0 if sheet["answer"] == RIGHT else 0.0}

            votes = await review_all(service, await people(service, 2), careful)
            assert votes == 2 * 16
            await service.release()
            last = await entry(service)
            assert (last["correction"], last["judge_weak"]) == (None, weak), "a flag is all that is released"
            shown = (await service.client.get("/b/proofs")).text
            assert ('class="weak"' in shown) is ("Grey: some answers" in shown) is weak
            table = (await service.client.get("/v1/benchmarks/proofs/leaderboard", params={"format": "csv"})).text
            (row,) = csv.DictReader(io.StringIO(table))
            assert (row["raw_score"], row["correction"], row["judge_weak"]) == ("", "", str(weak))
            await _owner_sees(service, 16)


async def _owner_sees(service: Service, reviews: int) -> None:
    owner = await service.reader("o@example.org", "owners", scopes=[Scope.BENCHMARKS_WRITE], role=MemberRole.OWNER)
    report = (await owner.get("/v1/benchmarks/proofs/calibration")).json()
    (judge,) = report["judges"]
    assert (report["waiting"], judge["judge"], judge["n"]) == (0, "gullible-1", reviews)
    assert (judge["sensitivity"], judge["yes_no"]) == (1.0, 0)
    (criterion,) = judge["criteria"]
    assert criterion["alpha_people"] == 1.0
    assert sum(map(sum, criterion["confusion"])) == criterion["n"] == reviews
    assert criterion["confusion"][0][2] == judge["no_yes"]
    # Of the 16 that people looked at the judge accepted eight; `no_yes` of them people did not.
    accepted = 8 - judge["no_yes"]
    assert judge["pearson"] == pytest.approx((accepted / (16 - accepted)) ** 0.5)
    assert judge["kappa"] == pytest.approx(accepted / 8)
    assert criterion["pearson"] == judge["pearson"]
    assert len(judge["answers"]) == reviews
    assert sum(one["people"] != one["judge"] for one in judge["answers"]) == judge["no_yes"]
    asked = await owner.get("/v1/benchmarks/proofs/calibration?format=csv")
    rows = list(csv.DictReader(io.StringIO(asked.text)))
    assert len(rows) == reviews
    assert {row["problem"] for row in rows} <= {f"p{number:02}" for number in range(40)}
    assert sum(float(row["people:proof"]) for row in rows) == accepted
    assert sum(float(row["judge:proof"]) for row in rows) == sum(float(row["judge_score"]) for row in rows) == 8
    member = await enter(service, "o@example.org")
    page = await member.get("/b/proofs/owner/judges")
    assert page.status_code == 200
    assert "gullible-1" in member.text()
    assert (await member.client.get("/b/proofs/owner/judges.csv")).text == asked.text
    assert (await (await enter(service, "eve@example.org", "other")).get("/b/proofs/owner/judges")).status_code == 404
    stranger = await service.reader("eve@example.org", "other", scopes=[Scope.BENCHMARKS_WRITE], role=MemberRole.OWNER)
    refused = await stranger.get("/v1/benchmarks/proofs/calibration")
    assert (refused.status_code, refused.json()["code"]) == (403, "not_your_benchmark")


async def test_a_spent_budget_leaves_the_rest_to_people(settings: Settings) -> None:
    limits = {"judge_model": "gullible-1", "judge_calls": 3}
    with judge_server(gullible) as server:
        async with Service.running(settings.model_copy(update={"judge_url": server.url, **limits})) as service:
            await service.publish(pack(5, OPEN))
            ada = await service.reader()
            problems = await ada.problems("proofs", "test")
            answers = {problem["id"]: f"{RIGHT} Number {n}." for n, problem in enumerate(problems)}
            done = await ada.submit("proofs", "test", answers)
            await service.work()
            assert len(server.requests) == 3
            votes = await review_all(service, await people(service, 2), lambda _sheet: {"proof": 1.0})
            assert votes >= 2 * 2
            assert (await ada.get(done.headers["location"])).json()["score"] == 1.0
