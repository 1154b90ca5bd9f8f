"""A worn feedback part is published as dev items of a new release, and a new one is drawn from the ranking part."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from api.catalog.repository import CatalogRepository
from api.core.db import now
from api.core.ids import public_id
from api.submissions.grading_repository import GradingRepository
from api.submissions.repository import SubmissionRepository
from api.worker.ranking import release_due
from api.worker.regrading import regrade, start
from api.worker.retiring import NoFeedbackPartError, NotPublishedToError, NotWornError, retire
from api.worker.rotation import next_version, rotate_worn
from grading import Verdict
from tests.integration.test_feedback_releases import SEALED, _answers, _board, _submit, _tick, _verified
from tests.support.service import Service, choice_pack
from tests.support.sql import sql

_PARTS = """select p.name, v.part from problem p join vault.split_part v on v.problem_id = p.id
            join release r on r.id = p.release_id where r.version = :version"""


_TOLD = """select f.part, f.regrade, f.band, f.bits from feedback_release f join split s on s.id = f.split_id
           join release r on r.id = s.release_id where r.version = '2.0.0'"""
_ITEMS_OF = """select i.submission_id, i.problem_id from submission_item i join problem p on p.id = i.problem_id
               join submission u on u.id = i.submission_id where p.name = :name and u.model->>'name' = :model"""


async def _parts(service: Service, version: str) -> dict[str, set[str]]:
    async with service.admin.session() as session:
        rows = (await sql(session, _PARTS, {"version": version})).all()
    return {part: {row.name for row in rows if row.part == part} for part in ("feedback", "ranking")}


async def _retire(service: Service, version: str, into: str = "dev", **more: bool) -> None:
    async with service.admin.session() as session:
        await retire(session, service.settings, "quiz", "test", version, into, **more)


async def _listed(service: Service, split: str) -> list[dict[str, Any]]:
    reader = await service.reader("fresh@example.org", "fresh")
    return await reader.problems("quiz", split)


async def test_the_feedback_part_becomes_dev_and_a_new_one_is_drawn_from_the_ranking_part(service: Service) -> None:
    await service.publish(choice_pack(count=100, hidden=SEALED))
    ada = await _verified(service, "ada")
    first = await _submit(service, ada, 20, "m")
    assert first["feedback"]["decisions_left"] == 4
    before = await _parts(service, "1.0.0")
    with pytest.raises(NotWornError, match="of 60 bits"):
        await _retire(service, "2.0.0")
    await _retire(service, "2.0.0", anyway=True)
    after = await _parts(service, "2.0.0")
    assert after["feedback"] | after["ranking"] == before["ranking"]
    assert len(after["feedback"]) == round(0.3 * len(before["ranking"]))
    dev = await _listed(service, "dev")
    assert {row["statement"].split()[-1].removesuffix("?") for row in dev} == before["feedback"] | {"dev-0", "dev-1"}
    assert all(row["gold"] for row in dev), "what is published is published with its gold"
    assert {row["gold"] for row in await _listed(service, "test")} == {None}
    again = await _submit(service, ada, 20, "m")
    assert again["feedback"]["decisions_left"] == 3, "a year's decisions count on"
    # Once more: what was published stays out of the hidden parts for ever.
    await _retire(service, "3.0.0", anyway=True)
    last = await _parts(service, "3.0.0")
    assert last["feedback"] | last["ranking"] == after["ranking"]


async def _ranked(service: Service) -> dict[str, str]:
    """Two organisations on the board: their submissions by name, of which ada's has 20 wrong answers and bob's 35."""
    await service.publish(choice_pack(count=100, hidden=SEALED))
    made = {}
    for name, wrong in (("ada", 20), ("bob", 35)):
        caller = await _verified(service, name)
        made[name] = (await _submit(service, caller, wrong, name))["id"]
        (await caller.post(f"/v1/submissions/{made[name]}/select")).raise_for_status()
    await _tick(service)
    assert [row["model"]["name"] for row in await _board(service)] == ["ada", "bob"]
    return made


async def test_the_board_goes_on_with_what_is_left_of_the_ranking_part(service: Service) -> None:
    made = await _ranked(service)
    before = {row["model"]["name"]: row["score"] for row in await _board(service)}
    await _retire(service, "2.0.0", anyway=True)
    left = (await _parts(service, "2.0.0"))["ranking"]
    board = await _board(service)
    assert [row["model"]["name"] for row in board] == ["ada", "bob"]
    for row, wrong in zip(board, (20, 35), strict=True):
        right = sum(int(name.removeprefix("test-")) >= wrong for name in left) / len(left)
        assert row["interval"]["low"] < right < row["interval"]["high"]
        assert abs(row["score"] - right) <= 0.04, "the middle of a band of 0.08, of the items that are left alone"
    async with service.admin.session() as session:
        told = (await sql(session, _TOLD)).all()
        answers = "select count(*) from submission_item i join submission u on u.id = i.submission_id where "
        assert (await sql(session, answers + "carried_from is not null and sealed is not null")).scalar_one() == 0
    assert [(row.part, row.regrade, row.band is not None) for row in told] == [("ranking", True, True)] * 2
    assert all(row.bits > 0 for row in told)
    ada = await service.reader("ada@example.org", "ada")
    shown = (await ada.get("/v1/submissions")).json()["items"]
    carried = next(one for one in shown if one["version"] == "2.0.0")
    assert (carried["state"], carried["feedback"]["outcome"]) == ("graded", "carried")
    assert carried["score"] == board[0]["score"]
    refused = await ada.post(f"/v1/submissions/{carried['id']}/select")
    assert (refused.status_code, refused.json()["code"]) == (409, "not_ranked")
    assert set(before) == set(made)
    # A year later the next release is made of what is submitted then; who is silent stays where they are.
    again = await _submit(service, ada, 0, "better")
    assert again["feedback"]["new_best"] is True
    await _retire(service, "3.0.0", anyway=True)
    assert [row["model"]["name"] for row in await _board(service)] == ["ada", "bob"], "from the second to the third"


async def test_a_fixed_gold_reaches_what_goes_on(service: Service) -> None:
    made = await _ranked(service)
    await _retire(service, "2.0.0", anyway=True)
    name = sorted((await _parts(service, "2.0.0"))["ranking"])[0]
    async with service.admin.session() as session:
        rows = (await sql(session, _ITEMS_OF, {"name": name, "model": "ada"})).all()
        grading = GradingRepository(session)
        assert len(rows) == 2
        wrong = Verdict.graded(0.5, "not as it is graded").model_copy(update={"grader": "multiple_choice"})
        for row in rows:
            await grading.replace_verdict(row.submission_id, row.problem_id, wrong)
        found = await CatalogRepository(session).benchmark("quiz")
        assert found
        job, submissions = await start(session, found.id, "for a look")
    assert {public_id("sub", submission) for submission in submissions} == set(made.values())
    for submission in submissions:
        await regrade(service.worker, job, submission)
    async with service.admin.session() as session:
        verdicts = SubmissionRepository(session)
        scores = {(await verdicts.named_verdicts(row.submission_id))[name].score for row in rows}
    assert scores in ({0.0}, {1.0})


async def test_who_submitted_reads_their_verdicts_on_what_is_published(service: Service) -> None:
    await service.publish(choice_pack(count=100, hidden=SEALED))
    ada, eve = await _verified(service, "ada"), await service.reader("eve@example.org", "eve")
    path = f"/v1/submissions/{(await _submit(service, ada, 20, 'm'))['id']}"
    late = await ada.submit("quiz", "test", await _answers(ada, 50), model="late")
    assert (await ada.get(path)).json()["items"] is None
    published = (await _parts(service, "1.0.0"))["feedback"]
    await _retire(service, "2.0.0", anyway=True)
    shown = (await ada.get(path)).json()
    assert len(shown["items"]) == len(published)
    wrong = sum(int(name.removeprefix("test-")) < 20 for name in published)
    assert sum(item["outcome"] == "incorrect" for item in shown["items"]) == wrong
    assert all(item["reason"] and item["score"] in (0.0, 1.0) for item in shown["items"])
    assert (await eve.get(path)).status_code == 404
    assert "items" not in {key for row in (await ada.get("/v1/submissions")).json()["items"] for key in row if row[key]}
    # What was not decided yet is not decided on a part that everybody reads, and costs nothing.
    await service.work()
    told = (await ada.get(late.headers["location"])).json()
    assert (told["feedback"]["outcome"], told["feedback"]["stands"]) == ("retired", None)
    assert len(told["items"]) == len(published)
    refused = await ada.post(late.headers["location"] + "/select")
    assert (refused.status_code, refused.json()["code"]) == (409, "not_ranked")
    assert (await _submit(service, ada, 20, "m"))["feedback"]["decisions_left"] == 3


async def test_an_opened_verdict_follows_a_fixed_gold(service: Service) -> None:
    await service.publish(choice_pack(count=100, hidden=SEALED))
    ada = await _verified(service, "ada")
    made = await _submit(service, ada, 0, "ada")
    name = sorted((await _parts(service, "1.0.0"))["feedback"])[0]
    async with service.admin.session() as session:
        (row,) = (await sql(session, _ITEMS_OF, {"name": name, "model": "ada"})).all()
        wrong = Verdict.graded(0.5, "not as it is graded").model_copy(update={"grader": "multiple_choice"})
        await GradingRepository(session).replace_verdict(row.submission_id, row.problem_id, wrong)
    await _retire(service, "2.0.0", anyway=True)
    before = (await ada.get(f"/v1/submissions/{made['id']}")).json()["items"]
    assert sorted({item["score"] for item in before}) == [0.5, 1.0]
    async with service.admin.session() as session:
        found = await CatalogRepository(session).benchmark("quiz")
        assert found
        job, submissions = await start(session, found.id, "for a look")
    for submission in submissions:
        await regrade(service.worker, job, submission)
    after = (await ada.get(f"/v1/submissions/{made['id']}")).json()["items"]
    assert {item["score"] for item in after} == {1.0}


async def _wear_out(service: Service) -> None:
    """As many bits as the golds of the feedback part hold are in the ledger."""
    async with service.admin.session() as session:
        await sql(
            session,
            """insert into feedback_release (id, split_id, receiver, submission_id, part, new, "left", bits, regrade,
                 judge_weak, contaminated, scheduled)
               select :id, split_id, receiver, submission_id, part, false, 0, 60, false, false, false, scheduled
               from feedback_release limit 1""",
            {"id": UUID(int=1)},
        )


@pytest.mark.parametrize("rotation", ["automatic", "by_owner"])
async def test_a_worn_part_is_published_at_the_next_scheduled_release(service: Service, rotation: str) -> None:
    await service.publish(choice_pack(count=100, hidden=SEALED | {"rotation": rotation}))
    ada = await _verified(service, "ada")
    first = await _submit(service, ada, 20, "m")
    (await ada.post(f"/v1/submissions/{first['id']}/select")).raise_for_status()
    parts = await _parts(service, "1.0.0")
    year = now().year
    ticks = [datetime(year + 1, month, 1, tzinfo=UTC) for month in (1, 2)]
    assert await rotate_worn(service.worker, await release_due(service.worker, ticks[0])) == 0, "it is not worn"
    await _wear_out(service)
    done = await rotate_worn(service.worker, await release_due(service.worker, ticks[1]))
    assert done == (rotation == "automatic")
    version = (await service.client.get("/v1/benchmarks/quiz")).json()["version"]
    assert version == ("1.0.1" if done else "1.0.0")
    assert [row["model"]["name"] for row in await _board(service)] == ["m"], "the board goes on"
    if done:
        after = await _parts(service, version)
        assert after["feedback"] | after["ranking"] == parts["ranking"]
        assert len((await ada.get(f"/v1/submissions/{first['id']}")).json()["items"]) == len(parts["feedback"])


async def test_a_worn_part_needs_no_word_more(service: Service) -> None:
    await service.publish(choice_pack(count=100, hidden=SEALED))
    ada = await _verified(service, "ada")
    await _submit(service, ada, 20, "m")
    await _wear_out(service)
    rules = (await service.client.get("/v1/benchmarks/quiz/leaderboard", params={"split": "test"})).json()["rules"]
    assert rules["presumed_public"] is True
    await _retire(service, "2.0.0")
    fresh = (await service.client.get("/v1/benchmarks/quiz/leaderboard", params={"split": "test"})).json()["rules"]
    assert (fresh["wear"], fresh["presumed_public"]) == (0.0, False)


async def test_a_whole_split_is_published_when_it_is_retired(service: Service) -> None:
    await service.publish(choice_pack(count=20, hidden={"feedback": "scores"}))
    with pytest.raises(NoFeedbackPartError):
        await _retire(service, "2.0.0", anyway=True)
    with pytest.raises(NotPublishedToError):
        await _retire(service, "2.0.0", "test", everything=True)
    await _retire(service, "2.0.0", "published", everything=True)
    assert len(await _listed(service, "published")) == 20
    gone = await (await service.reader()).get("/v1/benchmarks/quiz/problems", params={"split": "test"})
    assert gone.status_code == 404


def test_the_next_version_is_nobodys() -> None:
    assert next_version("1.0.0", ["1.0.0"]) == "1.0.1"
    assert next_version("1.0.9", ["1.0.10"]) == "1.0.11"
    assert next_version("2026-01b", []) == "2026-2b"
    assert next_version("first", []) == "first.1"
