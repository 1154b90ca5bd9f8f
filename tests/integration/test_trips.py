"""Statements that share a trip to the database with `begin` and `commit`, on a real PostgreSQL."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from sqlalchemy.exc import DBAPIError

from api.core.db import Database, Role
from api.core.pipeline import Pipeline
from api.core.query import Command, Query
from api.core.settings import Settings

MAKE = Command("A table.", "create table trip (n int)")
DROP = Command("No table.", "drop table if exists trip")
ADD = Command("A number.", "insert into trip values (:n)")
ALL = Query(int, "All numbers.", "select n from trip where n > :over order by n")
DIVIDED = Query(int, "A quotient.", "select 10 / cast(:by as int)")
WAITED = Query(str, "Nothing, after a while.", "select cast(pg_sleep(:seconds) as text)")
ENDED = Query(bool, "The end of this connection.", "select pg_terminate_backend(pg_backend_pid())")
STARTED = Query(str, "When the transaction began.", "select cast(now() as text)")


@pytest.fixture
async def database(settings: Settings) -> AsyncIterator[Database]:
    # One connection: what a test leaves behind in it meets the next statement.
    made = Database.of(settings.model_copy(update={"database_pool": 1}), Role.ADMIN)
    async with made.session() as session:
        await session.run(DROP)
        await session.run(MAKE)
    yield made
    async with made.session() as session:
        await session.run(DROP)
    await made.close()


async def numbers(database: Database) -> list[int]:
    async with database.session() as session:
        return await session.fetch_all(ALL, over=0)


async def test_the_first_statement_is_in_the_transaction(database: Database) -> None:
    async def fails(n: int) -> None:
        async with database.session() as session:
            await session.run(ADD, n=n)
            assert await session.fetch_all(ALL, over=0) == [n]
            raise LookupError

    # More often than it takes until a statement is prepared, while it is and afterwards.
    for n in range(1, 10):
        with pytest.raises(LookupError):
            await fails(n)
        assert await numbers(database) == []
    async with database.session() as session:
        first = await session.fetch_one(STARTED)
        assert await session.fetch_one(STARTED) == first


async def test_a_first_statement_that_fails_leaves_the_connection_as_it_was(database: Database) -> None:
    async def divide(by: int) -> int:
        async with database.session() as session:
            return await session.fetch_one(DIVIDED, by=by)

    for _ in range(8):
        assert await divide(5) == 2
        with pytest.raises(DBAPIError, match="division by zero"):
            await divide(0)


@pytest.mark.parametrize("before", [4, 5, 6])
async def test_what_cannot_be_prepared_is_prepared_later(database: Database, settings: Settings, before: int) -> None:
    """The table goes away just before, at or after the call that prepares the statement."""
    for _ in range(before):
        assert await numbers(database) == []
    other = Database.of(settings, Role.ADMIN)
    async with other.session() as session:
        await session.run(DROP)
    for _ in range(2):
        with pytest.raises(DBAPIError, match='relation "trip" does not exist'):
            await numbers(database)
    async with other.session() as session:
        await session.run(MAKE)
    await other.close()
    for _ in range(8):
        assert await numbers(database) == []


async def test_a_trip_that_commits_has_written_whatever_comes_after(database: Database) -> None:
    async def commits_and_fails(n: int, by: int) -> None:
        async with database.session() as session:
            trip = Pipeline(session)
            trip.run(ADD, n=n)
            trip.fetch(DIVIDED, by=by)
            await trip.send(commit=True)
            # A transaction of its own.
            await session.run(ADD, n=100 + n)
            raise LookupError

    for n in range(1, 9):
        with pytest.raises(LookupError):
            await commits_and_fails(n, 1)
    with pytest.raises(DBAPIError, match="division by zero"):
        await commits_and_fails(9, 0)
    assert await numbers(database) == list(range(1, 9))


async def test_a_trip_that_is_given_up_or_cut_off_is_no_trouble_for_the_next(database: Database) -> None:
    async def waits() -> None:
        async with database.session() as session:
            await session.fetch_one(WAITED, seconds=600.0)

    async def ends() -> None:
        async with database.session() as session:
            await session.fetch_one(ENDED)

    for _ in range(2):
        waiting = asyncio.create_task(waits())
        await asyncio.sleep(0.2)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert await numbers(database) == []
        with pytest.raises(DBAPIError) as raised:
            await ends()
        assert raised.value.connection_invalidated
        assert await numbers(database) == []
