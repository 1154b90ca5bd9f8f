"""A page of problems is read from the index, whatever the plan that PostgreSQL keeps for it."""

from uuid import UUID

import pytest

from api.problems.repository import _LISTING
from tests.support.service import Service, choice_pack

TYPES = {"slug": "text", "split": "text", "organisation": "uuid", "after": "bigint", "limit": "bigint"}
VALUES = {"slug": "quiz", "split": "test", "organisation": UUID(int=0), "after": 100, "limit": 20, "hidden": 20}


@pytest.mark.parametrize("known", [False, True], ids=["before statistics", "with statistics"])
async def test_a_kept_plan_does_not_sort_the_split(service: Service, known: bool) -> None:
    await service.publish(choice_pack(count=4000))
    types = ", ".join(TYPES.get(name, "bigint") for name in _LISTING._order)
    values = ", ".join(f"'{VALUES[name]}'" for name in _LISTING._order)
    async with service.admin.session() as session:
        driver = await session.driver()
        if known:
            await driver.execute("analyze problem")
        await driver.execute("set local plan_cache_mode = force_generic_plan")
        await driver.execute(f"prepare listing ({types}) as {_LISTING.numbered.decode()}")
        found = await driver.execute(f"explain execute listing ({values})")
        plan = "\n".join(row[0] for row in await found.fetchall())
        await driver.execute("deallocate listing")
    assert "uq_problem_split_id_position" in plan
    assert "Sort" not in plan
