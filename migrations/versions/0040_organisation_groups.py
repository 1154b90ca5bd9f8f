"""Verified organisations that are one hand share limits and what they are told, by an operator's word.

A group is led by one of them: what any of it is told is counted as told to that one, and what any of it uses of a
budget is used of the budget of all. So nobody gets anything by being grouped. Rows are never taken out: who grouped
whom, when and why can be read afterwards.
"""

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None

WEB, WORKER, HOST = "heldout_web", "heldout_worker", "heldout_host"
_LEAD = """create function group_lead(organisation uuid) returns uuid
language sql stable set search_path = public as $$
  select coalesce((select g.lead_id from organisation_group g
                   where g.organisation_id = organisation and g.ended_at is null), organisation)
$$"""
_SHARING = """create function sharing_limits(organisation uuid) returns setof uuid
language sql stable set search_path = public as $$
  select g.organisation_id from organisation_group g
    where g.ended_at is null and g.lead_id = group_lead(organisation)
  union select organisation
$$"""
_IS_OPERATOR = "exists (select from account a where a.id = by_user and a.is_operator and a.deleted_at is null)"
_REFUSE = f"""if session_user = '{WEB}' and not {_IS_OPERATOR}
  then raise insufficient_privilege using message = 'an operator groups organisations';
  end if;"""
_FORM = f"""create function form_group(lead uuid, members uuid[], by_user uuid, why text) returns boolean
language plpgsql security definer set search_path = public as $$
begin
  {_REFUSE}
  perform pg_advisory_xact_lock(hashtextextended('organisation groups', 0));
  if group_lead(lead) <> lead or exists (
       select from unnest(lead || members) m where group_lead(m) not in (m, lead)
         or (m <> lead and exists (select from organisation_group g where g.lead_id = m and g.ended_at is null))
         or not exists (select from organisation o where o.id = m and o.verified_at is not null))
  then return false;
  end if;
  insert into organisation_group (id, lead_id, organisation_id, reason, formed_at, formed_by)
    select gen_random_uuid(), lead, m, why, now(), by_user from unnest(lead || members) m
    on conflict (organisation_id) where ended_at is null do nothing;
  return true;
end $$"""
_END = f"""create function end_group(lead uuid, by_user uuid) returns boolean
language plpgsql security definer set search_path = public as $$
begin
  {_REFUSE}
  perform pg_advisory_xact_lock(hashtextextended('organisation groups', 0));
  update organisation_group g set ended_at = now(), ended_by = by_user
    where g.lead_id = lead and g.ended_at is null;
  return found;
end $$"""
# One reads for all, so those of a group wait for each other.
_WAIT = "perform pg_advisory_xact_lock(hashtextextended('budget ' || group_lead(mine)::text || of_split::text, 0));"
_SERVE = f"""create or replace function serve_problems(
  reader uuid, of_split uuid, served integer, from_address text, first_position integer, last_position integer)
returns setof integer
language plpgsql security definer set search_path = public as $$
declare
  today date := (now() at time zone 'utc')::date; counted integer; most integer; mine uuid; others integer := 0;
begin
  if served < 1 then raise check_violation using message = 'at least one problem is served'; end if;
  select coalesce(cast(s.config->>'problems_per_day' as integer), 2147483647) into most from split s
    where s.id = of_split;
  select k.organisation_id into mine from api_key k where k.id = reader;
  if exists (select from organisation_group g where g.organisation_id = mine and g.ended_at is null) then
    {_WAIT}
    select coalesce(sum(b.used), 0) into others from daily_budget b
      where b.split_id = of_split and b.day = today and b.organisation_id <> mine
        and b.organisation_id in (select sharing_limits(mine));
  end if;
  insert into daily_budget as b (organisation_id, split_id, day, used)
    select mine, of_split, today, served where mine is not null and served <= most - others
    on conflict (organisation_id, split_id, day) do update set used = b.used + excluded.used
      where b.used + excluded.used <= most - others
    returning b.used into counted;
  if not found then return; end if;
  insert into key_reading as r (key_id, split_id, day, address, last_position, run)
    values (reader, of_split, today, from_address, coalesce(serve_problems.last_position, 0), served)
    on conflict (key_id, split_id, day) do update set address = excluded.address,
      last_position = coalesce(serve_problems.last_position, r.last_position),
      run = case when first_position is null then r.run
        when first_position = r.last_position + 1 then r.run + excluded.run else excluded.run end;
  return next counted + others;
end $$"""
_TAKE = f"""create function take_submission(taken uuid) returns setof integer
language plpgsql security definer set search_path = public as $$
declare
  mine uuid; of_split uuid; most integer; others integer := 0; number integer;
begin
  select u.organisation_id, u.split_id, cast(s.config->>'submissions_per_organisation' as integer)
    into mine, of_split, most
    from submission u join split s on s.id = u.split_id where u.id = taken and u.state = 'open' and u.attempt = 0;
  if not found then return; end if;
  if most is not null and exists (
      select from organisation_group g where g.organisation_id = mine and g.ended_at is null) then
    {_WAIT}
    select coalesce(sum(q.used), 0) into others from quota_use q
      where q.split_id = of_split and q.organisation_id <> mine
        and q.organisation_id in (select sharing_limits(mine));
  end if;
  insert into quota_use as q (organisation_id, split_id, used, made)
    select mine, of_split, 1, 1 where most is null or most - others >= 1
    on conflict (organisation_id, split_id) do update set used = q.used + 1, made = q.made + 1
      where most is null or q.used < most - others
    returning made into number;
  if not found then return; end if;
  update submission u set attempt = number where u.id = taken;
  return next number;
end $$"""
_NEW = {
    "group_lead(uuid)": (_LEAD, f"{WEB}, {WORKER}"),
    "sharing_limits(uuid)": (_SHARING, f"{WEB}, {WORKER}"),
    "form_group(uuid, uuid[], uuid, text)": (_FORM, WEB),
    "end_group(uuid, uuid)": (_END, WEB),
}


def upgrade() -> None:
    op.create_table(
        "organisation_group",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("lead_id", sa.Uuid(), sa.ForeignKey("organisation.id"), nullable=False),
        sa.Column("organisation_id", sa.Uuid(), sa.ForeignKey("organisation.id"), nullable=False),
        sa.Column("reason", sa.String(1000), nullable=False),
        sa.Column("formed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("formed_by", sa.Uuid(), sa.ForeignKey("account.id"), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_by", sa.Uuid(), sa.ForeignKey("account.id"), nullable=True),
    )
    op.create_index("ix_organisation_group_lead_id", "organisation_group", ["lead_id"])
    op.create_index(
        "ux_organisation_group_organisation_id",
        "organisation_group",
        ["organisation_id"],
        unique=True,
        postgresql_where=sa.text("ended_at is null"),
    )
    op.execute(f"revoke all on organisation_group from {WEB}, {WORKER}, {HOST}")
    op.execute(f"grant select on organisation_group to {WEB}, {WORKER}")
    for name, (text, roles) in _NEW.items():
        op.execute(text)
        op.execute(f"revoke all on function {name} from public")
        op.execute(f"grant execute on function {name} to {roles}")
    op.execute(_SERVE)
    _replace_take(_TAKE)


def _replace_take(text: str) -> None:
    """Another language, so it is made anew, and granted as it was."""
    op.execute("drop function take_submission(uuid)")
    op.execute(text)
    op.execute("revoke all on function take_submission(uuid) from public")
    op.execute(f"grant execute on function take_submission(uuid) to {WEB}, {WORKER}")


def downgrade() -> None:
    import importlib

    op.execute(
        importlib.import_module("migrations.versions.0026_budget_functions")._SERVE.replace(
            "create function", "create or replace function"
        )
    )
    _replace_take(importlib.import_module("migrations.versions.0018_column_rights")._TAKE)
    for name in reversed(_NEW):
        op.execute(f"drop function {name}")
    op.drop_table("organisation_group")
