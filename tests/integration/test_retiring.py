"""A worn feedback part is published as dev items of a new release, and a new one is drawn from the ranking part."""

from typing import Any
from uuid import UUID

import pytest

from api.worker.retiring import NoFeedbackPartError, NotPublishedToError, NotWornError, retire
from tests.integration.test_feedback_releases import SEALED, _submit, _verified
from tests.support.service import Service, choice_pack
from tests.support.sql import sql

_PARTS = """select p.name, v.part from problem p join vault.split_part v on v.problem_id = p.id
            join release r on r.id = p.release_id where r.version = :version"""


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


async def test_a_worn_part_needs_no_word_more(service: Service) -> None:
    await service.publish(choice_pack(count=100, hidden=SEALED))
    ada = await _verified(service, "ada")
    await _submit(service, ada, 20, "m")
    async with service.admin.session() as session:
        await sql(
            session,
            """insert into feedback_release (id, split_id, receiver, submission_id, part, new, "left", bits, regrade,
                 judge_weak, contaminated, scheduled)
               select :id, split_id, receiver, submission_id, part, false, 0, 60, false, false, false, scheduled
               from feedback_release limit 1""",
            {"id": UUID(int=1)},
        )
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
