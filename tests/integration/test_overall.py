"""A score over several benchmarks, against figures worked out by hand and a published row."""

from pathlib import Path

import pytest

from api.leaderboard.combined import Combination, Part, Scored, combinations, combine
from tests.support.service import Service, choice_pack

SHIPPED = {"agentbench", "agentbench-live", "agentbench-published"}
# GPT-4's row of the paper's table 3, in the order of the parts; its overall score there is 4.01.
GPT_4 = (42.4, 32.0, 58.8, 74.5, 16.6, 78.0, 61.1, 29.0)


def test_the_published_row_comes_out(tmp_path: Path) -> None:
    agentbench = combinations(tmp_path)["agentbench"]
    assert [part.average for part in agentbench.part] == [10.8, 13.0, 13.9, 12.0, 3.5, 13.0, 30.7, 11.6]
    scores = {place: Scored(value / 100, value / 100, value / 100) for place, value in enumerate(GPT_4)}
    seen = combine(agentbench, scores)
    assert (round(seen.score, 2), seen.played) == (4.01, 8)
    # What was not played counts 0: without the shop 61.1 / 30.7 / 8 are missing.
    del scores[6]
    assert combine(agentbench, scores).score == pytest.approx(seen.score - 61.1 / 30.7 / 8)


def test_every_task_has_one_weight_and_the_slug_that_its_importer_gives(tmp_path: Path) -> None:
    known = combinations(tmp_path)
    assert len({tuple(part.average for part in known[name].part) for name in SHIPPED}) == 1
    slugs = ["os", "db", "kg", "dcg", "ltp", "hh", "ws", "wb"]
    assert [part.benchmark for part in known["agentbench"].part] == [f"agentbench-{slug}" for slug in slugs]
    published = [part.benchmark for part in known["agentbench-published"].part]
    assert published == [f"agentbench-{slug}-published" for slug in slugs]


def test_an_interval_is_that_of_the_sum() -> None:
    two = Combination(
        title="t",
        part=(
            Part(name="a", benchmark="a", split="dev", average=10),
            Part(name="b", benchmark="b", split="dev", average=20),
        ),
    )
    seen = combine(two, {0: Scored(0.5, 0.4, 0.6), 1: Scored(0.2, 0.1, 0.3)})
    # (50/10 + 20/20) / 2 = 3; half-widths 10/10 = 1 and 10/20 = 0.5, so sqrt(1.25) / 2.
    assert seen.score == pytest.approx(3.0)
    assert (seen.low, seen.high) == pytest.approx((3 - 1.25**0.5 / 2, 3 + 1.25**0.5 / 2))


def test_an_operator_adds_combinations_and_is_told_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "overall").mkdir()
    file = tmp_path / "overall" / "mine.toml"
    file.write_text('title = "Mine"\npart = [{name = "a", benchmark = "x", split = "test", average = 50.0}]\n')
    assert set(combinations(tmp_path)) == {*SHIPPED, "mine"}
    file.write_text('title = "Mine"\npart = [{name = "a", benchmark = "x", split = "test", average = 0}]\n')
    with pytest.raises(ValueError, match=r"mine.toml"):
        combinations(tmp_path)


async def test_the_combined_leaderboard(service: Service) -> None:
    for slug in ("agentbench-os", "agentbench-db"):
        await service.publish(choice_pack(slug))
    lab, other = await service.reader(), await service.reader("eve@example.org", "other")
    golds = {
        slug: {item["id"]: "AB"[number] for number, item in enumerate(await lab.problems(slug, "dev"))}
        for slug in ("agentbench-os", "agentbench-db")
    }
    others = {item["id"]: "AB"[number] for number, item in enumerate(await other.problems("agentbench-os", "dev"))}
    half = dict.fromkeys(golds["agentbench-db"], "A")
    for answers, slug in ((golds["agentbench-os"], "agentbench-os"), (half, "agentbench-db")):
        (await lab.submit(slug, "dev", answers, model="m")).raise_for_status()
    (await other.submit("agentbench-os", "dev", others, model="m")).raise_for_status()
    await service.work()
    told = (await service.client.get("/v1/overall/agentbench")).raise_for_status().json()
    assert [part["published"] for part in told["parts"]] == [True, True] + [False] * 6
    rows = [(row["rank"], row["organisation"], row["score"], row["played"]) for row in told["items"]]
    # (100/10.8 + 50/13) / 8 = 1.63818 and 100/10.8 / 8 = 1.15741.
    assert rows == [(1, "lab", 1.6382, 2), (2, "other", 1.1574, 1)]
    assert [part["score"] for part in told["items"][0]["parts"]] == [1.0, 0.5] + [None] * 6
    assert told["items"][0]["interval"]["low"] < 1.6382 < told["items"][0]["interval"]["high"]
    shown = (await service.client.get("/overall/agentbench")).raise_for_status().text
    assert "<b>1.64</b>" in shown
    assert "2 of 8" in shown
    assert "/overall/agentbench" in (await service.client.get("/")).text
    assert [item["name"] for item in (await service.client.get("/v1/overall")).json()] == sorted(SHIPPED)
    assert (await service.client.get("/v1/overall/none")).json()["code"] == "no_such_combination"
    assert (await service.client.get("/overall/none")).status_code == 404
