"""The main job: a hidden split served, answered, graded and ranked."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

from packs.problem import Image
from tests.support.gallery import drawing
from tests.support.service import OPEN, Service, choice_pack
from tests.support.sql import sql

GOLD = "ABCD"


def right(problems: list[dict[str, Any]]) -> dict[str, str]:
    """The right answers, told from the statement's own number."""
    return {p["id"]: GOLD[int(p["statement"].removesuffix("?").rsplit("-", 1)[1]) % 4] for p in problems}


async def test_a_hidden_split_is_served_answered_graded_and_ranked(service: Service) -> None:
    await service.publish(choice_pack(count=25))
    ada = await service.reader()
    problems = await ada.problems("quiz", "test")
    assert len(problems) == 25
    assert all(p["gold"] is None and p["solution"] is None for p in problems)
    answers = right(problems)
    good = await ada.submit("quiz", "test", answers, model="good")
    assert good.status_code == 202, good.text
    poor = await ada.submit("quiz", "test", dict.fromkeys(answers, "ANSWER: A"), model="poor")
    await service.work()
    told = (await ada.get(good.headers["location"])).json()
    assert told["state"] == "graded"
    assert told["score"] == 1.0
    assert told["items"] is None
    assert (await ada.get(poor.headers["location"])).json()["score"] == 0.25, "7 of 25, as a band"
    board = (await service.client.get("/v1/benchmarks/quiz/leaderboard", params={"split": "test"})).json()
    assert [(row["rank"], row["model"]["name"]) for row in board["items"]] == [(1, "good"), (2, "poor")]
    assert board["items"][0]["interval"]["low"] < 0.9


async def test_a_dev_split_tells_every_verdict_and_its_gold(service: Service) -> None:
    await service.publish(choice_pack())
    ada = await service.reader()
    problems = await ada.problems("quiz", "dev")
    assert {p["gold"] for p in problems} == {"A", "B"}
    done = await ada.submit("quiz", "dev", {problems[0]["id"]: "A", problems[1]["id"]: "C"})
    await service.work()
    items = (await ada.get(done.headers["location"])).json()["items"]
    assert [item["outcome"] for item in items] == ["correct", "incorrect"]
    assert items[1]["gold"] == "B"


async def test_missing_answers_count_as_wrong_and_show_as_coverage(service: Service) -> None:
    await service.publish(choice_pack(count=8, hidden=OPEN))
    ada = await service.reader()
    problems = await ada.problems("quiz", "test")
    answers = dict(list(right(problems).items())[:2])
    done = await ada.submit("quiz", "test", answers)
    await service.work()
    told = (await ada.get(done.headers["location"])).json()
    assert (told["score"], told["coverage"]) == (0.25, 0.25)


async def test_ids_are_aliases_of_the_organisation(service: Service) -> None:
    await service.publish(choice_pack())
    ada, eve = await service.reader(), await service.reader("eve@example.org", "other")
    mine, hers = await ada.problems("quiz", "test"), await eve.problems("quiz", "test")
    assert not {p["id"] for p in mine} & {p["id"] for p in hers}
    assert (await eve.get(f"/v1/problems/{mine[0]['id']}")).status_code == 404
    refused = await eve.submit("quiz", "test", {mine[0]["id"]: "A"})
    assert (refused.status_code, refused.json()["code"]) == (409, "unknown_problem")


async def test_an_agreement_comes_first(service: Service) -> None:
    await service.publish(choice_pack(agreement=True))
    ada = await service.reader()
    refused = await ada.get("/v1/benchmarks/quiz/problems", params={"split": "test"})
    assert (refused.status_code, refused.json()["code"]) == (403, "agreement_required")
    accepted = await ada.post("/v1/benchmarks/quiz/agreement", json={"name": "Ada Lovelace"})
    assert accepted.status_code == 201
    assert len(await ada.problems("quiz", "test")) == 8


async def test_pictures_of_open_problems_need_no_agreement_and_those_of_hidden_ones_do(
    service: Service, tmp_path: Path
) -> None:
    pictures = {f"{split}.png": tmp_path / f"{split}.png" for split in ("dev", "test")}
    for path in pictures.values():
        path.write_bytes(drawing())
    pack = choice_pack(agreement=True)
    shown = tuple(
        problem.model_copy(update={"images": (Image(path=f"{problem.split}.png", alt="it"),)})
        for problem in pack.problems
    )
    await service.publish(replace(pack, problems=shown, assets=pictures))
    ada = await service.reader()
    first = (await ada.problems("quiz", "dev"))[0]
    address = first["images"][0]["url"]
    assert (await ada.get(address)).content == drawing()
    refused = await ada.get(address.replace("dev.png", "test.png"))
    assert (refused.status_code, refused.json()["code"]) == (403, "agreement_required")
    assert "heldout agree -b quiz" in refused.json()["detail"]
    await ada.post("/v1/benchmarks/quiz/agreement", json={"name": "Ada Lovelace"})
    assert (await ada.get(address.replace("dev.png", "test.png"))).content == drawing()


async def test_the_daily_budget_is_counted_exactly(service: Service) -> None:
    await service.publish(choice_pack(count=30, hidden={"problems_per_day": 20}))
    ada = await service.reader()

    async def ask() -> int:
        query = {"split": "test", "limit": 3}
        return (await ada.get("/v1/benchmarks/quiz/problems", params=query)).status_code

    codes = await asyncio.gather(*(ask() for _ in range(10)))
    assert sorted(codes) == [200] * 6 + [429] * 4
    async with service.admin.session() as session:
        assert (await sql(session, "select count(*) from exposure")).scalar_one() == 18


async def test_two_hundred_at_once_never_pass_a_quota_of_one_hundred(service: Service) -> None:
    await service.publish(choice_pack(count=2, hidden={"submissions_per_organisation": 100}))
    ada = await service.reader()
    answers = right(await ada.problems("quiz", "test"))
    done = await asyncio.gather(*(ada.submit("quiz", "test", answers) for _ in range(200)))
    codes = [response.status_code for response in done]
    assert (codes.count(202), codes.count(429)) == (100, 100)


async def test_one_idempotency_key_makes_one_submission(service: Service) -> None:
    await service.publish(choice_pack(count=2))
    ada = await service.reader()
    answers = right(await ada.problems("quiz", "test"))
    headers = {"Idempotency-Key": "once"}
    done = await asyncio.gather(*(ada.submit("quiz", "test", answers, headers=headers) for _ in range(50)))
    assert {response.status_code for response in done} == {202}
    assert len({response.json()["id"] for response in done}) == 1
    other = await ada.submit("quiz", "test", answers, model="another", headers=headers)
    assert (other.status_code, other.json()["code"]) == (409, "idempotency_key_reused")


async def test_a_run_in_parts(service: Service) -> None:
    await service.publish(choice_pack(count=4))
    ada = await service.reader()
    answers = list(right(await ada.problems("quiz", "test")).items())
    body = {"benchmark": "quiz", "split": "test", "model": {"name": "m"}, "finalize": False}
    made = (await ada.post("/v1/submissions", json=body)).json()
    path = f"/v1/submissions/{made['id']}"
    for part in (answers[:2], answers[1:4]):
        items = [{"problem": problem, "answer": answer} for problem, answer in part]
        told = await ada.post(path + "/items", json={"items": items})
        assert told.status_code == 200, told.text
    assert told.json()["received"] == 4
    assert (await ada.post(path + "/finalize")).json()["state"] == "grading"
    late = await ada.post(path + "/items", json={"items": items})
    assert (late.status_code, late.json()["code"]) == (409, "submission_not_open")
    await service.work()
    assert (await ada.get(path)).json()["score"] == 1.0
