"""Combined boards: they say what each board has released, no earlier and no finer, and asking costs little."""

import random
from pathlib import Path
from typing import Any

import pytest

import api.leaderboard.combined
from api.leaderboard.overall_service import places
from tests.integration.test_feedback_releases import SEALED, _verified
from tests.support.service import Service, choice_pack
from tests.support.sql import sql

LIVE = {"visibility": "test", "feedback": "scores", "chance_level": 0.25}
AVERAGES = {"sealed": 40.0, "live": 50.0}
SUITE = 'title = "Both"\n' + "".join(
    f'[[part]]\nname = "{slug}"\nbenchmark = "{slug}"\nsplit = "test"\naverage = {average}\n'
    for slug, average in AVERAGES.items()
)


async def boards(service: Service) -> dict[tuple[str, str], dict[str, float]]:
    """The best score of each model that the boards themselves show, by board."""
    found: dict[tuple[str, str], dict[str, float]] = {}
    for slug in AVERAGES:
        reply = await service.client.get(f"/v1/benchmarks/{slug}/leaderboard", params={"split": "test"})
        for row in reply.raise_for_status().json()["items"]:
            if row["score"] is not None:
                found.setdefault((row["organisation"], row["model"]["name"]), {})[slug] = row["score"]
    return found


async def combined(service: Service) -> list[dict[str, Any]]:
    return list((await service.client.get("/v1/overall/both")).raise_for_status().json()["items"])


async def agree(service: Service) -> int:
    """Whether the combined board can be worked out from the boards that everybody sees; how many rows it has."""
    shown, rows = await boards(service), await combined(service)
    told = {(row["organisation"], row["model"]): row for row in rows}
    assert told.keys() == shown.keys()
    for key, row in told.items():
        assert {part["name"]: part["score"] for part in row["parts"]} == {
            slug: shown[key].get(slug) for slug in AVERAGES
        }
        expected = sum(100 * score / AVERAGES[slug] for slug, score in shown[key].items()) / len(AVERAGES)
        assert abs(row["score"] - expected) < 1e-4
    assert [row["rank"] for row in rows] == [1 + sum(o["score"] > row["score"] for o in rows) for row in rows]
    return len(rows)


async def test_a_combined_board_is_made_from_what_the_boards_show(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "both.toml").write_text(SUITE)
    monkeypatch.setattr(api.leaderboard.combined, "_SHIPPED", tmp_path)
    for slug, hidden in (("sealed", SEALED), ("live", LIVE)):
        await service.publish(choice_pack(slug, count=160, hidden=hidden))
    teams = {name: await _verified(service, name) for name in ("ada", "bob")}
    rng = random.Random(4)
    for number, (name, caller) in enumerate(teams.items()):
        for slug in AVERAGES:
            # The last model guesses: the sealed board shows no score of it.
            for skill, model in ((0.9 - number / 10, "strong"), (0.6, "weak"), (0.0, "guessing")):
                problems = await caller.problems(slug, "test")
                answers = {
                    p["id"]: "ABCD"[int(p["statement"].split("-")[1].split("?")[0]) % 4]
                    if rng.random() < skill
                    else "A"
                    for p in problems
                }
                sent = await caller.submit(slug, "test", answers, model=model)
                assert sent.status_code == 202, sent.text
                await service.work()
                if slug == "sealed" and (name, model) in {("ada", "strong"), ("bob", "guessing")}:
                    (await caller.post(f"/v1/submissions/{sent.json()['id']}/select")).raise_for_status()
    # Nothing of the sealed board is out, and whoever is on the live one alone has no score of it here.
    assert await agree(service) == 6
    assert {row["parts"][0]["score"] for row in await combined(service)} == {None}
    await service.release()
    assert await agree(service) == 6
    told = [(r["organisation"], r["model"]) for r in await combined(service) if r["parts"][0]["score"] is not None]
    assert told == [("ada", "strong")]
    # What the owner hides of one board counts nowhere.
    async with service.admin.session() as session:
        await sql(session, "update entry set hidden = true where model_name = 'strong' and organisation = 'ada'")
    assert await agree(service) == 5


def test_places_are_those_of_counting_and_cost_one_pass() -> None:
    compared = 0

    class Score(float):
        def __gt__(self, other: object) -> bool:
            nonlocal compared
            compared += 1
            return float.__gt__(self, other)  # type: ignore[operator]

    rng = random.Random(1)
    scores = sorted((Score(rng.randrange(50)) for _ in range(300)), reverse=True)
    told = places(scores)
    assert compared <= len(scores)
    assert told == [1 + sum(float(other) > float(score) for other in scores) for score in scores]
