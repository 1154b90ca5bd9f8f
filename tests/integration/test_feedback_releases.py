"""Feedback on hidden splits through the whole service: decisions on the clock, scheduled releases, nothing beside."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy.exc import DBAPIError

from api.accounts.models import MemberRole, Scope
from api.core.db import Database, Role, now
from api.core.ids import parse_id
from api.submissions.grading_repository import GradingRepository
from api.worker.deciding import decide_due
from api.worker.ranking import release_due
from tests.support.service import Caller, Service, choice_pack

GOLD = "ABCD"
SEALED = {"feedback": "sealed", "chance_level": 0.25, "feedback_share": 0.3, "decisions_per_year": 5}


async def _answers(caller: Caller, wrong: int) -> dict[str, str]:
    """Answers of which the first `wrong` are wrong."""
    answers = {}
    for place, problem in enumerate(await caller.problems("quiz", "test")):
        gold = int(problem["statement"].removesuffix("?").rsplit("-", 1)[1]) % 4
        answers[problem["id"]] = GOLD[gold if place >= wrong else (gold + 1) % 4]
    return answers


async def _submit(service: Service, caller: Caller, wrong: int, model: str) -> dict[str, Any]:
    done = await caller.submit("quiz", "test", await _answers(caller, wrong), model=model)
    assert done.status_code == 202, done.text
    await service.work()
    return dict((await caller.get(done.headers["location"])).json())


async def _verified(service: Service, name: str) -> Caller:
    caller = await service.reader(f"{name}@example.org", name)
    await service.verify(name)
    return caller


async def _tick(service: Service) -> None:
    """The newest scheduled release of a year to come stands for all before it."""
    assert await release_due(service.worker, now() + timedelta(days=367))


async def _board(service: Service, **query: Any) -> list[dict[str, Any]]:
    page = await service.client.get("/v1/benchmarks/quiz/leaderboard", params={"split": "test", **query})
    return list(page.raise_for_status().json()["items"])


async def test_decisions_speak_of_one_part_and_the_board_of_the_other_at_scheduled_releases(service: Service) -> None:
    await service.publish(choice_pack(count=100, hidden=SEALED))
    ada = await _verified(service, "ada")
    done = await ada.submit("quiz", "test", await _answers(ada, 20), model="first")
    waiting = (await ada.get(done.headers["location"])).json()
    assert (waiting["state"], waiting["feedback"]["outcome"]) == ("grading", "waiting")
    assert waiting["next_release"] == waiting["feedback"]["decided_at"]
    await service.work()
    first = (await ada.get(done.headers["location"])).json()
    assert (first["state"], first["score"], first["breakdown"]) == ("graded", None, None)
    assert first["feedback"]["new_best"] is True
    # Which items the feedback part got is drawn with a secret key: of 20 wrong in 100, few or many may be in it.
    assert 0.4 < first["feedback"]["stands"]["from_score"] < 1.0
    assert first["feedback"]["decisions_left"] == 4
    luckier = await _submit(service, ada, 19, "luckier")
    assert luckier["feedback"]["new_best"] is False
    assert luckier["feedback"]["stands"] == first["feedback"]["stands"]
    assert await _board(service) == []
    chosen = await ada.post(f"/v1/submissions/{first['id']}/select")
    assert chosen.json()["feedback"]["selected"] is True
    await _tick(service)
    told = (await ada.get(done.headers["location"])).json()
    (row,) = await _board(service)
    assert (row["model"]["name"], row["score"]) == ("first", told["score"])
    assert told["feedback"]["ranked"] is True
    assert row["interval"]["low"] < row["score"] < row["interval"]["high"]
    assert row["breakdown"] == {}
    page = (await service.client.get("/v1/benchmarks/quiz/leaderboard", params={"split": "test"})).json()
    assert page["rules"]["organisations"] == 1
    assert page["rules"]["ranking_bits"] > 0
    assert 0 < page["rules"]["wear"] < 1


async def test_the_same_answers_are_told_the_same_and_use_no_decision(service: Service) -> None:
    await service.publish(choice_pack(count=100, hidden=SEALED))
    ada = await _verified(service, "ada")
    first = await _submit(service, ada, 20, "m")
    again = await _submit(service, ada, 20, "other name")
    assert again["feedback"]["outcome"] == "stored"
    assert again["feedback"]["stands"] == first["feedback"]["stands"]
    state = (await ada.get("/v1/benchmarks/quiz/feedback", params={"split": "test"})).json()
    assert (state["decisions"], state["decisions_left"], state["rankings_left"]) == (1, 4, 1)


async def test_incomplete_unverified_and_spent_are_told_nothing(service: Service) -> None:
    await service.publish(choice_pack(count=100, hidden=SEALED | {"decisions_per_year": 1}))
    ada, eve = await _verified(service, "ada"), await service.reader("eve@example.org", "eve")
    some = dict(list((await _answers(ada, 0)).items())[:90])
    done = await ada.submit("quiz", "test", some)
    await service.work()
    assert (await ada.get(done.headers["location"])).json()["feedback"]["outcome"] == "incomplete"
    refused = await ada.post(done.headers["location"] + "/select")
    assert (refused.status_code, refused.json()["code"]) == (409, "not_ranked")
    assert (await _submit(service, eve, 0, "m"))["feedback"]["outcome"] == "silent"
    assert (await _submit(service, ada, 10, "m"))["feedback"]["new_best"] is True
    spent = await _submit(service, ada, 0, "m")
    assert (spent["feedback"]["outcome"], spent["feedback"]["new_best"]) == ("spent", None)


async def test_a_newcomer_is_ranked_whatever_the_others_did_and_guessing_is_one_class(service: Service) -> None:
    await service.publish(choice_pack(count=100, hidden=SEALED))
    for number in range(3):
        caller = await _verified(service, f"team{number}")
        one = await _submit(service, caller, 10 * number, "m")
        await caller.post(f"/v1/submissions/{one['id']}/select")
    guesser, newcomer = await _verified(service, "guesser"), await _verified(service, "newcomer")
    for caller, wrong in ((guesser, 75), (newcomer, 20)):
        one = await _submit(service, caller, wrong, "m")
        assert (await caller.post(f"/v1/submissions/{one['id']}/select")).status_code == 200
    await _tick(service)
    board = await _board(service)
    assert {row["organisation"] for row in board} == {"team0", "team1", "team2", "guesser", "newcomer"}
    assert (board[-1]["organisation"], board[-1]["score"], board[-1]["interval"]) == ("guesser", None, None)
    again = await newcomer.post(f"/v1/submissions/{one['id']}/select")
    assert (again.status_code, again.json()["code"]) == (409, "no_release_left")


async def test_who_never_asked_is_ranked_with_the_best_at_the_years_last_release(service: Service) -> None:
    await service.publish(choice_pack(count=100, hidden=SEALED))
    ada = await _verified(service, "ada")
    await _submit(service, ada, 45, "weak")
    best = await _submit(service, ada, 5, "best")
    await _submit(service, ada, 60, "newest")
    assert best["feedback"]["new_best"] is True
    year = now().year
    assert len(await release_due(service.worker, datetime(year, 12, 15, tzinfo=UTC))) == 1
    assert await _board(service) == []
    await release_due(service.worker, datetime(year + 1, 1, 1, tzinfo=UTC))
    assert [row["model"]["name"] for row in await _board(service)] == ["best"]


async def test_what_failed_is_ranked_neither_for_who_asked_nor_for_who_never_did(service: Service) -> None:
    await service.publish(choice_pack(count=100, hidden=SEALED))
    ada, eve = await _verified(service, "ada"), await _verified(service, "eve")
    for caller, asks in ((ada, True), (eve, False)):
        await _submit(service, caller, 40, "complete")
        done = await caller.submit("quiz", "test", await _answers(caller, 0), model="lost")
        if asks:
            assert (await caller.post(done.headers["location"] + "/select")).status_code == 200
        async with service.admin.session() as session:
            submission = parse_id("sub", done.json()["id"])
            assert submission
            assert await GradingRepository(session).fail(submission, "a fault of the service")
        await service.work()
        shown = (await caller.get(done.headers["location"])).json()
        assert (shown["state"], shown["feedback"]["outcome"], shown["feedback"]["selected"]) == (*["failed"] * 2, False)
        refused = await caller.post(done.headers["location"] + "/select")
        assert (refused.status_code, refused.json()["code"]) == (409, "not_ranked")
    await release_due(service.worker, datetime(now().year + 1, 1, 1, tzinfo=UTC))
    assert {(row["organisation"], row["model"]["name"]) for row in await _board(service)} == {
        ("ada", "complete"),
        ("eve", "complete"),
    }


async def test_an_owner_calls_for_a_release_within_the_limits(service: Service) -> None:
    await service.publish(choice_pack(count=100, hidden=SEALED))
    ada = await _verified(service, "ada")
    one = await _submit(service, ada, 5, "m")
    await ada.post(f"/v1/submissions/{one['id']}/select")
    path, query = "/v1/benchmarks/quiz/ranking-release", {"split": "test"}
    owner = await service.reader("o@example.org", "owners", scopes=[Scope.BENCHMARKS_WRITE], role=MemberRole.OWNER)
    assert (await ada.post(path, params=query)).status_code == 403
    called = await owner.post(path, params=query)
    assert (called.status_code, called.json()["calls_left"]) == (202, 0)
    assert (await owner.post(path, params=query)).json()["code"] == "no_release_left"
    await release_due(service.worker, now())
    assert [row["model"]["name"] for row in await _board(service)] == ["m"]


async def test_a_live_board_shows_one_band_a_decision(service: Service) -> None:
    await service.publish(choice_pack(count=100, hidden={"feedback": "scores"}))
    ada = await _verified(service, "ada")
    low, high = await _submit(service, ada, 60, "low"), await _submit(service, ada, 0, "high")
    assert (low["score"], high["score"]) == (pytest.approx(0.425), 1.0)
    assert [row["score"] for row in await _board(service)] == [1.0, pytest.approx(0.425)]


async def test_the_database_refuses_to_change_a_release_and_hides_the_cut_from_the_web_role(service: Service) -> None:
    await service.publish(choice_pack(count=100, hidden=SEALED))
    ada = await _verified(service, "ada")
    await _submit(service, ada, 5, "m")
    refused = {
        Role.ADMIN: ["update feedback_release set band = 1", "delete from feedback_release"],
        Role.WORKER: ["update feedback_release set band = 1", "delete from feedback_intake"],
        Role.WEB: [
            "insert into feedback_release select * from feedback_release",
            "update feedback_intake set outcome = null",
            "select * from vault.split_part",
            "select * from vault.feedback_state",
        ],
    }
    for role, statements in refused.items():
        database = Database.of(service.settings, role)
        for statement in statements:
            with pytest.raises(DBAPIError):
                async with database.session() as session:
                    await (await session.connection()).exec_driver_sql(statement)
        await database.close()


async def test_nothing_is_decided_before_its_time(service: Service) -> None:
    await service.publish(choice_pack(count=100, hidden=SEALED))
    ada = await _verified(service, "ada")
    await ada.submit("quiz", "test", await _answers(ada, 5))
    assert await decide_due(service.worker, now() - timedelta(seconds=5)) == 0
