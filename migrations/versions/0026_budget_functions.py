"""Budgets of a day, and how keys read, are written by functions that know whose key it is and what a split allows."""

from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

WEB, WORKER = "heldout_web", "heldout_worker"
_SERVE = """create function serve_problems(
  reader uuid, of_split uuid, served integer, from_address text, first_position integer, last_position integer)
returns setof integer
language plpgsql security definer set search_path = public as $$
declare
  today date := (now() at time zone 'utc')::date; counted integer; most integer;
begin
  if served < 1 then raise check_violation using message = 'at least one problem is served'; end if;
  select coalesce(cast(s.config->>'problems_per_day' as integer), 2147483647) into most from split s
    where s.id = of_split;
  insert into daily_budget as b (organisation_id, split_id, day, used)
    select k.organisation_id, of_split, today, served from api_key k where k.id = reader and served <= most
    on conflict (organisation_id, split_id, day) do update set used = b.used + excluded.used
      where b.used + excluded.used <= most
    returning b.used into counted;
  if not found then return; end if;
  insert into key_reading as r (key_id, split_id, day, address, last_position, run)
    values (reader, of_split, today, from_address, coalesce(serve_problems.last_position, 0), served)
    on conflict (key_id, split_id, day) do update set address = excluded.address,
      last_position = coalesce(serve_problems.last_position, r.last_position),
      run = case when first_position is null then r.run
        when first_position = r.last_position + 1 then r.run + excluded.run else excluded.run end;
  return next counted;
end $$"""
# What is given back was counted: the ledger, from which nothing goes, has a row for each opening.
_FAIL = """create function fail_opening(failed uuid, why text) returns boolean
language plpgsql security definer set search_path = public as $$
declare
  ended live_session;
begin
  update live_session l set state = 'failed', failure = why, host_id = null, epoch = l.epoch + 1,
      ended_at = clock_timestamp()
    where l.id = failed and l.state = 'opening' returning l.* into ended;
  if not found then return false; end if;
  update daily_budget b set used = greatest(b.used - 1, 0)
    where b.organisation_id = ended.organisation_id and b.split_id = ended.split_id
      and b.day = (ended.created_at at time zone 'utc')::date
      and (select count(*) from exposure e
           where e.key_id = ended.key_id and e.problem_id = ended.problem_id and e.channel = 'session'
             and e.served_at >= b.day at time zone 'utc')
        >= (select count(*) from live_session l
            where l.key_id = ended.key_id and l.problem_id = ended.problem_id and l.origin = 'live'
              and l.state = 'failed' and (l.created_at at time zone 'utc')::date = b.day);
  return true;
end $$"""
_FUNCTIONS = {
    "serve_problems(uuid, uuid, integer, text, integer, integer)": (_SERVE, WEB),
    "fail_opening(uuid, text)": (_FAIL, f"{WEB}, {WORKER}"),
}


def upgrade() -> None:
    for name, (text, roles) in _FUNCTIONS.items():
        op.execute(text)
        op.execute(f"revoke all on function {name} from public")
        op.execute(f"grant execute on function {name} to {roles}")
    op.execute(f"revoke insert, update on daily_budget, key_reading from {WEB}")
    op.execute(f"revoke update on daily_budget from {WORKER}")


def downgrade() -> None:
    op.execute(f"grant insert, update (used) on daily_budget to {WEB}")
    op.execute(f"grant insert, update (address, last_position, run) on key_reading to {WEB}")
    op.execute(f"grant update (used) on daily_budget to {WORKER}")
    for name in _FUNCTIONS:
        op.execute(f"drop function {name}")
