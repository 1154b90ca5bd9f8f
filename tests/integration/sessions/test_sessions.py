"""Sessions over HTTP: opened, stepped, ended, judged."""

import asyncio

from tests.support.service import Service
from tests.support.sessions import Player


async def test_an_episode_is_played_and_judged(service: Service, player: Player) -> None:
    problem = (await player.episodes())[2]
    session = await player.opened(problem)
    assert session["state"] == "running"
    assert session["observation"]["text"] == "this is dev-2"
    assert session["instruction"] == "Say the number of dev-2."
    assert [tool["name"] for tool in session["tools"]] == ["say", "finish"]
    assert session["limits"] == {"steps": 30, "seconds": 900, "idle_seconds": 900}
    told = await player.said(session["id"], 1, "hello")
    assert (told["observation"]["text"], told["steps_left"], told["finish_reason"]) == ("hello", 29, None)
    last = await player.said(session["id"], 2, "finish[2]")
    assert (last["finish_reason"], last["answer"], last["steps_left"]) == ("completed", "2", 0)
    await service.work()
    shown = await player.show(session["id"])
    assert (shown["state"], shown["finish_reason"]) == ("graded", "completed")
    assert shown["verdict"]["outcome"] == "correct"
    assert [step["action"] and step["action"]["text"] for step in shown["transcript"]] == [None, "hello", "finish[2]"]


async def test_a_tool_call_is_the_other_form_of_an_action(service: Service, player: Player) -> None:
    session = (await player.opened((await player.episodes())[1]))["id"]
    body = {"number": 1, "action": {"tool": {"name": "finish", "arguments": {"answer": "1"}}}}
    told = await player.caller.post(f"/v1/sessions/{session}/steps", json=body)
    assert told.json()["finish_reason"] == "completed"
    both = {"number": 2, "action": {"text": "x", "tool": {"name": "say"}}}
    assert (await player.caller.post(f"/v1/sessions/{session}/steps", json=both)).status_code == 422


async def test_a_step_is_taken_once(player: Player) -> None:
    session = (await player.opened((await player.episodes())[0]))["id"]
    same = await asyncio.gather(*(player.say(session, 1, "one") for _ in range(8)))
    assert {told.status_code for told in same} == {200}
    assert len({told.text for told in same}) == 1
    other = await player.say(session, 1, "two")
    assert (other.status_code, other.json()["code"], other.json()["next"]) == (409, "step_conflict", 2)
    early = await player.say(session, 3, "three")
    assert (early.status_code, early.json()["code"], early.json()["next"]) == (409, "step_out_of_order", 2)
    assert (await player.said(session, 2, "two"))["observation"]["data"] == {"number": 2}
    assert [step["number"] for step in (await player.show(session))["transcript"]] == [0, 1, 2]


async def test_two_actions_at_one_moment_one_wins(player: Player) -> None:
    session = (await player.opened((await player.episodes())[0]))["id"]
    told = await asyncio.gather(*(player.say(session, 1, f"action {number}") for number in range(6)))
    assert sorted(reply.status_code for reply in told) == [200] + [409] * 5
    assert len((await player.show(session))["transcript"]) == 2


async def test_the_end_is_the_end(service: Service, player: Player) -> None:
    session = (await player.opened((await player.episodes())[3]))["id"]
    done = await player.finish(session, "3")
    assert (done.json()["state"], done.json()["finish_reason"]) == ("ended", "completed")
    assert (await player.finish(session, "4")).json()["answer"] == "3"
    late = await player.say(session, 1, "late")
    assert (late.status_code, late.json()["code"]) == (409, "session_over")
    await service.work()
    assert (await player.show(session))["verdict"]["score"] == 1.0


async def test_sessions_are_their_organisations_own(service: Service, player: Player) -> None:
    session = (await player.opened((await player.episodes())[0]))["id"]
    eve = Player(await service.reader("eve@example.org", "other"))
    assert (await eve.say(session, 1, "x")).status_code == 404
    assert (await eve.caller.get(f"/v1/sessions/{session}")).status_code == 404
    assert (await eve.caller.call("DELETE", f"/v1/sessions/{session}")).status_code == 404


async def test_a_submission_is_played_live(service: Service, player: Player) -> None:
    """Four episodes: solved, wrong, given up, not touched."""
    body = {"benchmark": "parrot", "split": "private", "model": {"name": "m"}, "finalize": False}
    run = (await player.caller.post("/v1/submissions", json=body)).json()["id"]
    problems = await player.episodes("private")
    sessions = [(await player.opened(problem, submission=run))["id"] for problem in problems[:3]]
    again = await player.opened(problems[0], submission=run)
    assert again["id"] == sessions[0]
    await player.said(sessions[0], 1, "finish[0]")
    await player.said(sessions[1], 1, "finish[7]")
    await service.work()
    await player.caller.post(f"/v1/submissions/{run}/finalize")
    await service.work()
    assert (await player.caller.get(f"/v1/submissions/{run}")).json()["state"] == "grading"
    await player.caller.call("DELETE", f"/v1/sessions/{sessions[2]}")
    await service.work()
    told = (await player.caller.get(f"/v1/submissions/{run}")).json()
    assert (told["state"], told["score"], told["received"]) == ("graded", None, 3)
    assert told["feedback"]["outcome"] == "incomplete"
    assert (await player.show(sessions[0]))["verdict"] is None


async def test_private_splits_list_ids_and_nothing_else(player: Player) -> None:
    refused = await player.caller.get("/v1/benchmarks/parrot/problems", params={"split": "private"})
    assert (refused.status_code, refused.json()["code"]) == (403, "played_live_only")
    page = await player.caller.get("/v1/benchmarks/parrot/episodes", params={"split": "private", "limit": 3})
    assert len(page.json()["items"]) == 3
    assert "number of" not in page.text
    query = {"split": "private", "limit": 3, "cursor": page.json()["next"]}
    rest = await player.caller.get("/v1/benchmarks/parrot/episodes", params=query)
    assert (len(rest.json()["items"]), rest.json()["next"]) == (1, None)
