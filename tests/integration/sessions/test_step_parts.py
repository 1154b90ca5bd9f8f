"""The log of steps in parts of a month: where a step goes, who may touch a part, and what retention drops."""

import dataclasses
from datetime import timedelta

import pytest
from sqlalchemy.exc import DBAPIError, ProgrammingError

from api.core.db import Database, Role
from api.core.ids import public_id
from api.core.settings import Settings
from api.hosting.step_parts import StepPartRepository
from api.worker.sweep import keep_step_parts
from tests.support.service import Service
from tests.support.sessions import Player
from tests.support.sql import sql

PARTS = "select part from step_part order by high"
# As on an instance that was upgraded so many days ago: the first part ends then.
_AGED = """do $$ declare high uuid := first_id_of(now() - interval '{} days'); begin
  alter table session_step detach partition steps.before;
  execute format('alter table session_step attach partition steps.before for values from (minvalue) to (%L)', high);
  update step_part set high = high_of.high from (select high) as high_of where part = 'before';
end $$"""
_COPY = """with copied as (
  insert into live_session select (jsonb_populate_record(null::live_session, to_jsonb(l) || jsonb_build_object(
    'id', first_id_of(now() - interval '{} days'), 'submission_id', null, 'idempotency_key', null,
    'state', 'running'))).* from live_session l limit 1 returning id)
insert into session_step select c.id, number, action, observation, digest, finish, answer, error, stored_at
from copied c, (select * from session_step where session_id = (select session_id from session_step limit 1)) as s"""
_OVER = "update live_session set state = 'graded', graded_at = now() - interval '{} days' where state = 'running'"


async def _parts(service: Service) -> list[str]:
    async with service.admin.session() as session:
        return list((await sql(session, PARTS)).scalars().all())


async def _ended(service: Service, player: Player) -> str:
    first, *_ = await player.episodes("test")
    session: str = (await player.opened(first))["id"]
    await player.said(session, 1, "one")
    await player.said(session, 2, "finish[0]")
    await service.work()
    return session


async def test_the_next_months_have_parts_and_a_month_that_has_none_is_made(service: Service) -> None:
    before = await _parts(service)
    assert len(before) == 3
    async with service.admin.session() as session:
        await sql(session, f'drop table steps."{before[-1]}"')
        await sql(session, "delete from step_part where part = :part", {"part": before[-1]})
    await keep_step_parts(service.worker)
    assert await _parts(service) == before
    async with service.worker.database.session() as session:
        assert await StepPartRepository(session).add() == 0


async def test_a_month_goes_to_its_own_part(service: Service, player: Player) -> None:
    await _ended(service, player)
    where = "select distinct tableoid::regclass::text from session_step order by 1"
    async with service.admin.session() as session:
        assert (await sql(session, where)).scalars().all() == ["steps.before"]
        await sql(session, _COPY.format(-40))
        found = (await sql(session, where)).scalars().all()
    assert found[0] == "steps.before"
    assert found[1:] != []
    assert set(found[1:]) <= {f"steps.{name}" for name in await _parts(service)}


async def test_nobody_but_the_owner_touches_a_part_by_its_name(service: Service, settings: Settings) -> None:
    for role in (Role.WEB, Role.WORKER, Role.HOST):
        database = Database.of(settings, role)
        try:
            for statement in ("select from steps.before", "delete from steps.before", "drop table steps.before"):
                with pytest.raises(ProgrammingError):
                    async with database.session() as session:
                        await sql(session, statement)
        finally:
            await database.close()


async def test_a_month_is_dropped_whole_when_it_is_older_than_what_is_kept(service: Service, player: Player) -> None:
    kept = service.worker.settings.model_copy(update={"keep_steps_days": 60})
    keeping = dataclasses.replace(service.worker, settings=kept)
    async with service.admin.session() as session:
        await sql(session, _AGED.format(61))
    await keep_step_parts(service.worker)
    young = await _ended(service, player)
    async with service.admin.session() as session:
        await sql(session, _COPY.format(70))
        old = (await sql(session, "select id from live_session where state = 'running'")).scalar_one()

    async def transcript(identifier: str) -> int | None:
        told = (await player.caller.get(f"/v1/sessions/{identifier}")).raise_for_status().json()
        assert told["steps"] == 2
        return None if told["transcript"] is None else len(told["transcript"])

    # One that is not over, or was judged since, keeps the whole month; and where nothing is set all is kept.
    await keep_step_parts(keeping)
    assert await transcript(public_id("ses", old)) == 3
    for days, by in ((59, keeping), (61, service.worker)):
        async with service.admin.session() as session:
            await sql(session, _OVER.format(days))
        await keep_step_parts(by)
        assert await transcript(public_id("ses", old)) == 3
        async with service.admin.session() as session:
            await sql(session, "update live_session set state = 'running' where id = :id", {"id": old})

    async with service.admin.session() as session:
        await sql(session, _OVER.format(61))
        await sql(session, "update live_session set ended_at = graded_at where id = :id", {"id": old})
    await keep_step_parts(keeping)
    assert "before" not in await _parts(service)
    assert await transcript(public_id("ses", old)) is None
    assert await transcript(young) == 3


async def test_the_database_itself_keeps_a_month(service: Service) -> None:
    with pytest.raises(DBAPIError, match="at least 30 days"):
        async with service.worker.database.session() as session:
            await StepPartRepository(session).drop(timedelta(days=29))


async def test_a_part_in_use_is_left_for_the_next_round(service: Service) -> None:
    before = await _parts(service)
    async with service.admin.session() as session:
        await sql(session, f'drop table steps."{before[-1]}"')
        await sql(session, "delete from step_part where part = :part", {"part": before[-1]})
    async with service.admin.session() as reading:
        await sql(reading, "select count(*) from session_step")
        await keep_step_parts(service.worker)
        assert await _parts(service) == before[:-1]
    await keep_step_parts(service.worker)
    assert await _parts(service) == before
