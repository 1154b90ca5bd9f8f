"""A place in the queue says nothing of hidden answers that wait before it."""

from tests.support.service import Caller, Service, choice_pack
from tests.support.sql import sql


async def test_a_place_does_not_move_when_a_hidden_answer_is_graded(service: Service) -> None:
    await service.publish(choice_pack(count=8, hidden={"feedback": "sealed", "chance_level": 0.25}))
    ada = await service.reader()
    hidden, shown = [await ada.problems("quiz", split) for split in ("test", "dev")]
    (await ada.submit("quiz", "test", {hidden[0]["id"]: "A"})).raise_for_status()
    (await ada.submit("quiz", "dev", {shown[0]["id"]: "A"})).raise_for_status()
    behind = await ada.submit("quiz", "dev", {shown[1]["id"]: "A"})
    before = await _place(ada, behind.headers["location"])
    assert before[0] == 2, "its own organisation's open submission is before it"
    async with service.admin.session() as session:
        # The worker is done with the hidden one, which came first.
        await sql(session, "delete from grading_job where id = (select min(id) from grading_job)")
    assert await _place(ada, behind.headers["location"]) == before


async def _place(caller: Caller, path: str) -> tuple[int | None, float | None]:
    told = (await caller.get(path)).raise_for_status().json()
    return told["place"], told["estimate_seconds"]
