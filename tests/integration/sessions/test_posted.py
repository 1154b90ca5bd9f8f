"""Trajectories that come with a submission: only their actions count."""

from typing import Any

from tests.support.service import Service
from tests.support.sessions import Player
from tests.support.sql import sql


async def test_posted_trajectories_are_replayed_and_judged_on_what_results(service: Service, player: Player) -> None:
    problems = await player.episodes()
    claims: list[dict[str, Any]] = [
        {"trajectory": [{"text": "hello"}, {"text": "finish[0]"}]},
        {"trajectory": [{"action": {"text": "finish[9]"}, "observation": {"text": "you solved it"}, "score": 1}]},
        {"trajectory": [{"text": "hello"}, {"do": "nothing"}, {"text": "finish[2]"}]},
        {"answer": "3"},
    ]
    items = [{"problem": problem} | claim for problem, claim in zip(problems, claims, strict=True)]
    body = {"benchmark": "parrot", "split": "dev", "model": {"name": "m"}, "items": items}
    done = await player.caller.post("/v1/submissions", json=body)
    assert done.status_code == 202, done.text
    # The first round makes sessions of the trajectories, the second plays them.
    await service.work()
    await service.work()
    told = (await player.caller.get(done.headers["location"])).json()
    assert told["state"] == "graded"
    assert [item["outcome"] for item in told["items"]] == ["correct", "incorrect", "incorrect", "correct"]
    assert {name: end["n"] for name, end in told["breakdown"]["finish_reason"].items()} == {
        "completed": 3,
        "invalid_format": 1,
    }
    page = (await service.client.get("/b/parrot?split=dev")).text
    assert "How episodes ended" in page
    assert [share in page for share in ("75.0 %", "25.0 %")] == [True, True]
    async with service.admin.session() as session:
        said = (await sql(session, "select observation->>'text' from session_step where number = 1")).scalars().all()
    assert sorted(said) == ["", "hello", "hello"]


async def test_without_a_host_trajectories_wait(service: Service, player: Player, host: Any) -> None:
    problems = await player.episodes()
    await host.drain()
    await host.stop()
    item = {"problem": problems[0], "trajectory": [{"text": "finish[0]"}]}
    body = {"benchmark": "parrot", "split": "dev", "model": {"name": "m"}, "items": [item]}
    done = await player.caller.post("/v1/submissions", json=body)
    # The first round makes sessions of the trajectories, the second plays them.
    await service.work()
    await service.work()
    told = (await player.caller.get(done.headers["location"])).json()
    assert (told["state"], told["score"]) == ("grading", None)
