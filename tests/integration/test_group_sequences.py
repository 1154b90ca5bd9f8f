"""Groups that are formed and ended between submissions: no organisation gets a decision or a ranking more by it."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from api.accounts.models import Scope
from api.core.db import now
from api.feedback.policies import policy_of
from api.feedback.repository import StoredRelease
from api.worker.boards import board_entries
from api.worker.ranking import release_due
from packs.benchmark import Feedback, SplitConfig, Visibility
from protection.feedback.release import Part
from tests.integration.test_feedback_releases import _answers
from tests.integration.test_organisation_groups import GROUPS, SEALED
from tests.support.service import Caller, Service, choice_pack
from tests.support.sql import sql

PATH = "/v1/benchmarks/quiz/feedback?split=test"


async def _begin(service: Service, count: int, **hidden: Any) -> tuple[Caller, dict[str, Caller]]:
    await service.publish(choice_pack(count=count, hidden=SEALED | hidden))
    operator = await service.reader("op@example.org", "ops", scopes=list(Scope), operator=True)
    teams = {name: await service.reader(f"{name}@example.org", name) for name in ("first", "second", "third")}
    for name in teams:
        await service.verify(name)
    return operator, teams


async def _group(operator: Caller, lead: str, member: str) -> None:
    body = {"members": [lead, member], "reason": "one company"}
    (await operator.post(GROUPS, json=body)).raise_for_status()


async def _end(operator: Caller, lead: str) -> None:
    (await operator.call("DELETE", f"{GROUPS}/{lead}")).raise_for_status()


async def _submit(service: Service, caller: Caller, wrong: int) -> dict[str, Any]:
    done = await caller.submit("quiz", "test", await _answers(caller, wrong))
    await service.work()
    return dict((await caller.get(done.headers["location"])).json())


async def _rows(service: Service, part: str) -> int:
    async with service.admin.session() as session:
        return int(
            (
                await sql(
                    session,
                    """select count(*) from feedback_release f join submission u on u.id = f.submission_id
                       join organisation o on o.id = u.organisation_id where o.slug = 'second' and f.part = :part""",
                    {"part": part},
                )
            ).scalar_one()
        )


async def test_decisions_made_in_a_group_are_used_after_it_and_before_the_next_one(service: Service) -> None:
    operator, teams = await _begin(service, 40)
    second = teams["second"]
    told = []
    for wrong, lead in ((9, "first"), (8, None), (7, "third"), (6, None), (5, "first"), (4, None)):
        if lead:
            await _group(operator, lead, "second")
        told.append((await _submit(service, second, wrong))["feedback"]["outcome"])
        if lead:
            await _end(operator, lead)
    # Three a year; each group and each end of one would have given it others.
    assert told == ["queued"] * 3 + ["spent"] * 3
    assert await _rows(service, "feedback") == 3
    left = (await second.get(PATH)).json()
    assert (left["decisions_left"], left["shared"]) == (0, False)
    assert (await _submit(service, teams["first"], 3))["feedback"]["outcome"] == "queued", "the lead has others left"


async def _call(service: Service) -> None:
    """The owner calls for a release, besides the year's last."""
    async with service.admin.session() as session:
        await sql(
            session,
            """insert into ranking_schedule (split_id, scheduled, called)
               select id, clock_timestamp(), true from split where name = 'test'""",
        )
    assert await release_due(service.worker, now())


async def _close(service: Service) -> None:
    assert await release_due(service.worker, datetime(now().year + 1, 1, 1, tzinfo=UTC))


async def _ranked_in_a_group(service: Service) -> Caller:
    """The second organisation, ranked as one of a group that has ended since; it has a better run now."""
    operator, teams = await _begin(service, 40, feedback_share=0.0)
    second = teams["second"]
    await _group(operator, "first", "second")
    run = await _submit(service, second, 9)
    (await second.post(f"/v1/submissions/{run['id']}/select")).raise_for_status()
    await _call(service)
    assert await _rows(service, "ranking") == 1
    await _end(operator, "first")
    await _submit(service, second, 0)
    return second


async def test_a_ranking_release_made_in_a_group_is_used_after_it(service: Service) -> None:
    second = await _ranked_in_a_group(service)
    assert (await second.get(PATH)).json()["rankings_left"] == 0
    newest = (await second.get("/v1/submissions")).json()["items"][0]["id"]
    refused = await second.post(f"/v1/submissions/{newest}/select")
    assert (refused.status_code, refused.json()["code"]) == (409, "no_release_left")


async def test_the_close_of_the_year_ranks_nobody_again_who_was_ranked_in_a_group(service: Service) -> None:
    await _ranked_in_a_group(service)
    await _close(service)
    assert await _rows(service, "ranking") == 1


async def test_a_run_selected_in_a_group_is_ranked_once_whoever_it_is_counted_for(service: Service) -> None:
    operator, teams = await _begin(service, 40, feedback_share=0.0)
    second = teams["second"]
    await _group(operator, "first", "second")
    run = await _submit(service, second, 9)
    (await second.post(f"/v1/submissions/{run['id']}/select")).raise_for_status()
    await _end(operator, "first")
    await _call(service)
    assert await _rows(service, "ranking") == 1
    await _close(service)
    assert await _rows(service, "ranking") == 1


def test_what_was_tried_in_a_group_is_counted_among_an_entrys_tries() -> None:
    split = SplitConfig(visibility=Visibility.TEST, feedback=Feedback.SEALED, chance_level=0.25, feedback_share=0.0)
    policy = policy_of(split, 200, 4)
    lead, member = UUID(int=1), UUID(int=2)

    def release(number: int, receiver: UUID) -> StoredRelease:
        return StoredRelease(
            id=UUID(int=number),
            receiver=receiver,
            submission_id=UUID(int=100 + number),
            organisation_id=member,
            model_name="m",
            part=Part.RANKING,
            new=True,
            band=15,
            left=0,
            bits=1.0,
            regrade=False,
            judge_weak=False,
            contaminated=False,
            scheduled=datetime(2026, number, 1, tzinfo=UTC),
        )

    found = board_entries([release(1, lead), release(2, lead), release(3, member)], policy)
    assert {entry.rankings for entry, _ in found.values()} == {3}
