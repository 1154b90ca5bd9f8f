"""Pages of a leaderboard: every order and filter, one entry a page, gives the whole in order."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlmodel import col, select

from api.accounts.models import MemberRole, Scope
from api.leaderboard.models import Entry
from api.leaderboard.repository import LeaderboardRepository
from api.submissions.models import Submission
from tests.integration.test_leaderboard_columns import ENTRY
from tests.support.service import Service, choice_pack

PATH = "/v1/benchmarks/quiz/leaderboard"
START = datetime(2026, 1, 1, tzinfo=UTC)
# Name, score, day and whether it is verified; two of "b", of which the better one is listed.
ROWS = [("a", 0.5, 3, True), ("b", 0.25, 2, False), ("b", 0.75, 1, False), ("c", 0.5, 0, False)]


async def _publish(service: Service) -> None:
    await service.publish(choice_pack())
    reader = await service.reader()
    problems = await reader.problems("quiz", "test")
    for name, *_ in ROWS:
        (await reader.submit("quiz", "test", {problems[0]["id"]: "A"}, model=name)).raise_for_status()
    async with service.admin.session() as session:
        made = list(await session.exec(select(Submission).order_by(col(Submission.id))))
        for submission, (name, score, day, verified) in zip(made, ROWS, strict=True):
            changed: dict[str, Any] = {
                "submission_id": submission.id,
                "split_id": submission.split_id,
                "organisation_id": submission.organisation_id,
                "organisation": "Lab",
                "model_name": name,
                "model": {"name": name},
                "score": score,
                "verified": verified,
                "created_at": START + timedelta(days=day),
            }
            await LeaderboardRepository(session).publish(Entry(**ENTRY | changed))


async def _walked(service: Service, **filters: Any) -> list[tuple[int, str, float]]:
    found: list[tuple[int, str, float]] = []
    cursor: str | None = None
    while True:
        params = {"limit": 1, **filters} | ({"cursor": cursor} if cursor else {})
        page = (await service.client.get(PATH, params=params)).raise_for_status().json()
        found += [(item["rank"], item["model"]["name"], item["score"]) for item in page["items"]]
        cursor = page["next"]
        if cursor is None:
            return found
        assert len(page["items"]) == 1


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, [(1, "b", 0.75), (2, "a", 0.5), (2, "c", 0.5)]),
        ({"all": True}, [(1, "b", 0.75), (2, "a", 0.5), (2, "c", 0.5), (4, "b", 0.25)]),
        ({"sort": "created_at"}, [(2, "a", 0.5), (1, "b", 0.75), (2, "c", 0.5)]),
        ({"sort": "created_at", "all": True}, [(2, "a", 0.5), (4, "b", 0.25), (1, "b", 0.75), (2, "c", 0.5)]),
        ({"model": "b", "all": True}, [(1, "b", 0.75), (4, "b", 0.25)]),
        ({"verified": False}, [(1, "b", 0.75), (2, "c", 0.5)]),
        ({"verified": True, "organisation": "Lab", "model": "a"}, [(2, "a", 0.5)]),
        ({"organisation": "Others"}, []),
    ],
)
async def test_one_entry_a_page_gives_the_whole_in_order(
    service: Service, filters: dict[str, Any], expected: list[tuple[int, str, float]]
) -> None:
    await _publish(service)
    assert await _walked(service, **filters) == expected


async def test_an_owner_hides_an_entry_and_the_next_best_is_listed(service: Service) -> None:
    await _publish(service)
    owner = await service.reader("o@example.org", "owners", scopes=[Scope.BENCHMARKS_WRITE], role=MemberRole.OWNER)
    other = await service.reader("e@example.org", "others", scopes=[Scope.BENCHMARKS_WRITE], role=MemberRole.OWNER)
    best = (await service.client.get(PATH)).json()["items"][0]
    entry = f"/v1/leaderboard/{best['submission']}"
    assert (await other.call("PATCH", entry, json={"hidden": True})).status_code == 404
    assert (await owner.call("PATCH", entry, json={})).status_code == 204
    assert await _walked(service, model="b") == [(1, "b", 0.75)]
    assert (await owner.call("PATCH", entry, json={"hidden": True, "verified": True})).status_code == 204
    assert await _walked(service, model="b") == [(3, "b", 0.25)]
    assert (await owner.call("PATCH", entry, json={"hidden": False})).status_code == 204
    assert await _walked(service, model="b", verified=True) == [(1, "b", 0.75)]
