"""Named SQL with typed rows, on a real PostgreSQL."""

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID, uuid4

import pytest
from pydantic import BaseModel, ValidationError
from sqlalchemy.exc import DBAPIError, MultipleResultsFound, NoResultFound

from api.core.db import Database, Role
from api.core.pipeline import Pipeline
from api.core.query import Command, Query
from api.core.settings import Settings


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Rule(BaseModel):
    limit: int


@dataclass(frozen=True)
class Thing:
    """A row with the types that a driver alone does not give: an enumeration, a float, a model."""

    id: UUID
    colour: Colour
    share: float
    rule: Rule
    note: str | None


THING = Query(
    Thing,
    "One thing, its columns in another order than the fields.",
    """select cast(:rule as jsonb) as rule, cast(:id as uuid) as id, 'red' as colour, 0.25::numeric as share,
              null::text as note""",
)
AMONG = Query(
    int, "Those of the numbers that are even.", "select n from unnest(cast(:numbers as int[])) n where n % 2 = 0"
)
KEPT_PLANS = Query(
    str, "The statements that this connection keeps a plan of.", "select statement from pg_prepared_statements"
)
NUMBERS = Query(int, "The numbers from 1 to `last`.", "select generate_series(1, cast(:last as int))")


async def test_a_row_has_the_declared_types(settings: Settings) -> None:
    database = Database.of(settings, Role.WEB)
    wanted = uuid4()
    async with database.session() as session:
        row = await session.fetch_one(THING, id=wanted, rule='{"limit": 3}')
    await database.close()
    assert row == Thing(wanted, Colour.RED, 0.25, Rule(limit=3), None)
    assert isinstance(row.colour, Colour)
    assert isinstance(row.share, float)


async def test_one_many_or_none(settings: Settings) -> None:
    database = Database.of(settings, Role.WEB)
    async with database.session() as session:
        assert await session.fetch_all(NUMBERS, last=3) == [1, 2, 3]
        assert await session.fetch_optional(NUMBERS, last=0) is None
        with pytest.raises(NoResultFound, match="The numbers from 1"):
            await session.fetch_one(NUMBERS, last=0)
        with pytest.raises(MultipleResultsFound):
            await session.fetch_optional(NUMBERS, last=2)
        values = "(values (1, 'a'), (2, 'b')) as v (id, name)"
        created = Command("A table of two rows.", f"create temporary table thing as select * from {values}")
        await session.run(created)
        renamed = Command("Rename one row.", "update thing set name = :name where id = :id")
        assert await session.run(renamed, id=1, name="c") == 1
        assert await session.run(renamed, id=9, name="c") == 0
    await database.close()


async def test_what_does_not_fit_is_refused_at_the_call(settings: Settings) -> None:
    database = Database.of(settings, Role.WEB)
    missing = Query(Thing, "Lacks columns.", "select 'red' as colour")
    unread = Query(int, "A column that nobody reads.", "select 1, 2")
    wrong = Query(Colour, "No such colour.", "select 'green'")
    async with database.session() as session:
        with pytest.raises(TypeError, match="the SQL returns"):
            await session.fetch_all(missing)
        with pytest.raises(TypeError, match="single value"):
            await session.fetch_all(unread)
        with pytest.raises(ValidationError):
            await session.fetch_all(wrong)
        with pytest.raises(TypeError, match=r"takes the values \['last'\], got \['frist'\]"):
            await session.fetch_all(NUMBERS, frist=1)
    await database.close()


@pytest.mark.parametrize(("length", "kept"), [(3, True), (500, False)])
async def test_a_statement_with_many_values_is_planned_each_time(settings: Settings, length: int, kept: bool) -> None:
    """A plan made while a table was small looks at each of its rows for each of the values, whatever it grew to."""
    database = Database.of(settings, Role.WORKER)
    async with database.session() as session:
        for _ in range(20):
            assert len(await session.fetch_all(AMONG, numbers=list(range(length)))) == (length + 1) // 2
        plans = await session.fetch_all(KEPT_PLANS)
    await database.close()
    assert any("unnest(cast($1" in plan for plan in plans) is kept


async def test_a_pipeline_is_carried_out_in_order_and_each_statement_sees_those_before(settings: Settings) -> None:
    database = Database.of(settings, Role.ADMIN)
    made = Command("A table of numbers.", "create temporary table heard (n int)")
    added = Command("Hear numbers.", "insert into heard select generate_series(1, cast(:last as int))")
    heard = Query(int, "The numbers that were heard.", "select n from heard order by n")
    async with database.session() as session:
        pipeline = Pipeline(session)
        pipeline.run(made)
        none, first = pipeline.fetch(heard), pipeline.run(added, last=2)
        two, second = pipeline.fetch(heard), pipeline.run(added, last=3)
        assert not two.rows
        await pipeline.send()
        assert (none.rows, none.optional, two.rows, two.optional) == ([], None, [1, 2], 1)
        assert (first.changed, second.changed) == (2, 3)
        # The session goes on, and so does the pipeline.
        again = pipeline.fetch(heard)
        await pipeline.send()
        assert again.rows == await session.fetch_all(heard) == [1, 1, 2, 2, 3]
    await database.close()


async def test_a_fault_in_a_pipeline_is_raised_and_takes_all_of_it_back(settings: Settings) -> None:
    database = Database.of(settings, Role.ADMIN)
    noted = Command("Write a row that is not to stay.", "insert into lane_turn (lane, turn) values (:lane, 0)")
    wrong = Query(int, "A division by a number.", "select 1 / cast(:by as int)")

    async def written() -> None:
        async with database.session() as session:
            pipeline = Pipeline(session)
            pipeline.run(noted, lane="none")
            pipeline.fetch(wrong, by=0)
            pipeline.fetch(wrong, by=1)
            await pipeline.send()

    with pytest.raises(DBAPIError, match="division by zero"):
        await written()
    kept = Query(int, "How many such rows there are.", "select count(*) from lane_turn where lane = 'none'")
    async with database.session() as session:
        assert await session.fetch_one(kept) == 0
        assert await session.fetch_one(wrong, by=1) == 1
    with pytest.raises(TypeError, match="takes the values"):
        Pipeline(session).fetch(wrong, to=1)
    await database.close()
