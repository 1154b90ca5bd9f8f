"""The log of steps in parts of one month each, by the time that a session's id begins with.

What was there becomes the first part as it is, without a copy. A worker makes the parts of the months ahead, and drops
those that are older than the operator keeps.
"""

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0052"
down_revision = "0051"
branch_labels = None
depends_on = None

OWN = "heldout_web, heldout_worker, heldout_host"
# Version 7: the first 48 bits of an id are the milliseconds since 1970.
_FIRST_ID = """create function first_id_of(moment timestamptz) returns uuid language sql immutable strict as $$
  select (lpad(to_hex(floor(extract(epoch from moment) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid $$"""
# `rest` takes ids whose month has no part (a clock that was wrong): their month then stays there.
_ADD_PARTS = """create function add_step_parts() returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  month timestamptz; name text; low uuid; made integer := 0;
begin
  perform pg_advisory_xact_lock(hashtext('session_step parts'));
  for ahead in 0..2 loop
    month := date_trunc('month', now(), 'UTC') + make_interval(months => ahead);
    name := 'of_' || to_char(month at time zone 'UTC', 'YYYY_MM');
    low := greatest(first_id_of(month), (select high from step_part where part = 'before'));
    continue when to_regclass('steps.' || name) is not null
      or low >= first_id_of(month + interval '1 month')
      or exists (select from steps.rest r
        where r.session_id >= low and r.session_id < first_id_of(month + interval '1 month'));
    execute format('create table steps.%I (like session_step including all)', name);
    execute format('alter table session_step attach partition steps.%I for values from (%L) to (%L)',
      name, low, first_id_of(month + interval '1 month'));
    insert into step_part (part, high) values (name, first_id_of(month + interval '1 month'));
    made := made + 1;
  end loop;
  return made;
end $$"""
_DROP_PARTS = """create function drop_step_parts(kept interval) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  old step_part; dropped integer := 0; low uuid := '00000000-0000-0000-0000-000000000000';
begin
  if kept < interval '30 days' then
    raise invalid_parameter_value using message = 'steps are kept for at least 30 days';
  end if;
  perform pg_advisory_xact_lock(hashtext('session_step parts'));
  for old in select * from step_part order by high loop
    exit when old.high > first_id_of(now() - kept) or exists (
      select from live_session l where l.id >= low and l.id < old.high
        and (l.state not in ('graded', 'failed') or greatest(l.ended_at, l.graded_at) > now() - kept));
    execute format('drop table steps.%I', old.part);
    delete from step_part p where p.part = old.part;
    low := old.high;
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$"""


def upgrade() -> None:
    op.execute(_FIRST_ID)
    op.execute("create schema steps")
    op.execute("alter table session_step set schema steps")
    op.execute("alter table steps.session_step rename to before")
    for kind in ("pk", "fk"):
        name = f"{kind}_session_step" + ("_session_id" if kind == "fk" else "")
        op.execute(f"alter table steps.before rename constraint {name} to {name.replace('session_step', 'before')}")
    op.execute("""create table session_step (like steps.before including defaults,
      constraint pk_session_step primary key (session_id, number),
      constraint fk_session_step_session_id foreign key (session_id) references live_session (id)
    ) partition by range (session_id)""")
    op.execute("create table steps.rest (like session_step including all)")
    op.execute("alter table session_step attach partition steps.rest default")
    op.create_table(
        "step_part",
        sa.Column("part", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("high", sa.Uuid(), nullable=False),
        sa.PrimaryKeyConstraint("part", name=op.f("pk_step_part")),
    )
    op.execute("""insert into step_part (part, high)
      values ('before', first_id_of(date_trunc('month', now(), 'UTC') + interval '1 month'))""")
    # A clock that was wrong may have dated sessions ahead.
    op.execute("""with ahead as (delete from steps.before
        where session_id >= (select high from step_part where part = 'before') returning *)
      insert into steps.rest select * from ahead""")
    op.execute("""do $$ declare high uuid := (select p.high from step_part p); begin
      execute format('alter table session_step attach partition steps.before for values from (minvalue) to (%L)', high);
    end $$""")
    op.execute(_ADD_PARTS)
    op.execute(_DROP_PARTS)
    op.execute(f"revoke all on session_step, step_part, steps.before, steps.rest from {OWN}")
    op.execute("grant select, insert on session_step to heldout_host")
    op.execute("grant select on session_step to heldout_web, heldout_worker")
    op.execute(
        "revoke all on function add_step_parts(), drop_step_parts(interval), first_id_of(timestamptz) from public"
    )
    op.execute("grant execute on function add_step_parts(), drop_step_parts(interval) to heldout_worker")
    op.execute("select add_step_parts()")


def downgrade() -> None:
    op.execute("drop function add_step_parts(), drop_step_parts(interval)")
    op.execute("create table whole (like session_step including defaults)")
    op.execute("insert into whole select * from session_step")
    op.execute("drop table session_step, step_part")
    op.execute("drop schema steps cascade")
    op.execute("alter table whole rename to session_step")
    op.execute("""alter table session_step add constraint pk_session_step primary key (session_id, number),
      add constraint fk_session_step_session_id foreign key (session_id) references live_session (id)""")
    op.execute(f"revoke all on session_step from {OWN}")
    op.execute("grant select, insert on session_step to heldout_host")
    op.execute("grant select on session_step to heldout_web, heldout_worker")
    op.execute("drop function first_id_of(timestamptz)")
