"""The end of a submission takes time in proportion to its items, also when it is newer than the table's statistics."""

from uuid import uuid4

from api.submissions.grading_repository import _SCORED
from api.submissions.verdicts import SEALED
from tests.support.service import Service, choice_pack
from tests.support.sql import sql


async def test_each_verdict_is_found_by_the_whole_of_its_key(service: Service) -> None:
    await service.publish(choice_pack(count=40))
    reader = await service.reader()
    problems = await reader.problems("quiz", "test")
    for name in ("earlier", "another"):
        answers = {problem["id"]: "A" for problem in problems}
        assert (await reader.submit("quiz", "test", answers, model=name)).status_code == 202
    await service.work()
    sealed = f"select i.problem_id, x.sealed from submission_item i {SEALED} where i.submission_id = :id"
    async with service.admin.session() as session:
        await sql(session, "analyze submission_item")
        await sql(session, "analyze vault.verdict")
        await sql(session, "set local enable_seqscan = off")
        split = (await sql(session, "select id from split where name = 'test'")).scalar_one()
        for asked, values in ((sealed, {}), (_SCORED.sql, {"split": split})):
            plan = [row[0] for row in await sql(session, f"explain {asked}", {"id": uuid4(), **values})]
            assert not any("Join Filter" in line or "Materialize" in line for line in plan), plan
            assert any("Index Cond" in line and "(problem_id = " in line for line in plan), plan
