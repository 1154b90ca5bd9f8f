"""What the ledger names is there, without foreign keys: its function asks, and triggers keep it."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from sqlalchemy.exc import DBAPIError

from api.core.db import AsyncSession, Database, Role
from api.core.settings import Settings
from tests.support.service import Service, choice_pack
from tests.support.sql import sql

RECORD = """select record_served({key}, {split}, {problems}, '{{a}}', 'api', '', null, null)
            from api_key k, split s where s.name = 'test' and k.name = 'test' limit 1"""
ONE = "array(select p.id from problem p where p.split_id = s.id limit 1)"
TEST = "(select s.id from split s where s.name = 'test')"
# A second row of each table that the ledger names; nothing else refers to it.
COPIES = {
    "organisation": ("organisation_id", "'slug', 'copy', 'domain', null"),
    "api_key": ("key_id", r"'digest', '\x00'"),
    "problem": ("problem_id", f"'name', 'copy', 'position', 999, 'split_id', {TEST}"),
    "split": ("split_id", "'name', 'copy'"),
}


@pytest.fixture
async def web(service: Service, settings: Settings) -> AsyncIterator[Database]:
    """The web role's connections, to a service with a published split and a key named `test`."""
    await service.publish(choice_pack(count=4))
    await service.reader()
    database = Database.of(settings, Role.WEB)
    async with service.admin.session() as session:
        await sql(session, "update api_key set name = 'test' where id = (select min(id::text)::uuid from api_key)")
    yield database
    await database.close()


def _state(error: DBAPIError) -> str | None:
    return getattr(error.orig, "sqlstate", None)


def _record(key: str = "k.id", split: str = "s.id", problems: str = ONE) -> str:
    return RECORD.format(key=key, split=split, problems=problems)


async def _copy(session: AsyncSession, table: str, values: str) -> str:
    made = f"""insert into {table} select (jsonb_populate_record(t, jsonb_build_object(
               'id', gen_random_uuid(), {values}))).* from {table} t limit 1 returning cast(id as text)"""
    return str((await sql(session, made)).scalar_one())


@pytest.mark.parametrize(
    "asked",
    [
        _record(problems="array[gen_random_uuid()]"),
        _record(problems="array(select p.id from problem p where p.split_id <> s.id limit 1)"),
        _record(key="gen_random_uuid()"),
        _record(split="gen_random_uuid()"),
    ],
    ids=["unknown problem", "problem of another split", "unknown key", "unknown split"],
)
async def test_an_id_that_is_not_there_is_refused_and_nothing_is_counted(
    web: Database, service: Service, asked: str
) -> None:
    with pytest.raises(DBAPIError, match="a row of the ledger names") as refused:
        async with web.session() as session:
            await sql(session, asked)
    assert _state(refused.value) == "23503"
    async with service.admin.session() as session:
        assert (await sql(session, "select count(*) from exposure")).scalar_one() == 0
        assert (await sql(session, "select count(*) from daily_budget")).scalar_one() == 0
    async with web.session() as session:
        assert (await sql(session, _record())).scalar_one() == 1


@pytest.mark.parametrize("table", COPIES)
async def test_what_the_ledger_names_is_neither_deleted_nor_given_another_id(
    web: Database, service: Service, table: str
) -> None:
    column, values = COPIES[table]
    async with web.session() as session:
        await sql(session, _record())
    async with service.admin.session() as session:
        named, free = await _copy(session, table, values), "00000000-0000-0000-0000-000000000000"
        await sql(session, f"update exposure set {column} = :id", {"id": named})
    for change in (
        f"delete from {table} where id = :id",
        f"update {table} set id = '{free}' where id = :id",
        f"truncate {table} cascade",
    ):
        with pytest.raises(DBAPIError, match=f"the ledger names this {table}") as refused:
            async with service.admin.session() as session:
                await sql(session, change, {"id": named} if ":id" in change else {})
        assert _state(refused.value) == "23503"
    async with service.admin.session() as session:
        await sql(session, "delete from exposure")
        await sql(session, f"update {table} set id = '{free}' where id = :id", {"id": named})
        await sql(session, f"delete from {table} where id = '{free}'")


async def test_a_deletion_waits_for_the_ledger_and_then_finds_itself_named(web: Database, service: Service) -> None:
    async with service.admin.session() as session:
        named = await _copy(session, *_of("problem"))

    async def delete() -> None:
        async with service.admin.session() as session:
            await sql(session, "delete from problem where id = :id", {"id": named})

    async with web.session() as session:
        await sql(session, _record(problems=f"array[cast('{named}' as uuid)]"))
        deletion = asyncio.create_task(delete())
        await asyncio.sleep(0.5)
        assert not deletion.done()
    with pytest.raises(DBAPIError, match="the ledger names this problem"):
        await deletion


async def test_the_ledger_waits_for_a_deletion_and_does_not_name_what_is_gone(web: Database, service: Service) -> None:
    async with service.admin.session() as session:
        gone = await _copy(session, *_of("problem"))

    async def record() -> None:
        async with web.session() as session:
            await sql(session, _record(problems=f"array[cast('{gone}' as uuid)]"))

    async with service.admin.session() as session:
        await sql(session, "delete from problem where id = :id", {"id": gone})
        recorded = asyncio.create_task(record())
        await asyncio.sleep(0.5)
        assert not recorded.done()
    with pytest.raises(DBAPIError, match="problems of its split"):
        await recorded


async def test_the_release_before_counts_and_writes_rows_until_it_is_replaced(web: Database, service: Service) -> None:
    before = f"""with budget as (
        select used from serve_problems((select id from api_key where name = 'test'), {TEST}, 1, '', 1, 1) as s(used))
      insert into exposure (organisation_id, key_id, problem_id, split_id, variant, channel, address, served_at)
      select k.organisation_id, k.id, (select p.id from problem p where p.split_id = {TEST} limit 1), {TEST},
             'a', 'api', '', clock_timestamp()
      from budget, api_key k where k.name = 'test'"""
    async with web.session() as session:
        await sql(session, before)
        assert (await sql(session, _record())).scalar_one() == 2
    async with service.admin.session() as session:
        assert (await sql(session, "select count(*) from exposure")).scalar_one() == 2


def _of(table: str) -> tuple[str, str]:
    return table, COPIES[table][1]
