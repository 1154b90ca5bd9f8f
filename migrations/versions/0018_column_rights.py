"""The web role writes the columns that its pages need, and no score, quota, verification or state; functions do that.

What changes such state is a function of the database that checks it: a submission is numbered within its quota
(`take_submission`) before it can be closed (`finalise_submission`), its items are counted by a trigger, and marks of
operators and owners need somebody who may give them.
"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

WEB, WORKER = "heldout_web", "heldout_worker"
SUBMISSION = (
    "id, release_id, split_id, organisation_id, user_id, key_id, idempotency_key, request_digest, model, state, "
    "expected, received, attempt, created_at, failure"
)
ITEM = "submission_id, problem_id, answer, data, trajectory, usage, attempts"
ITEM_READ = "submission_id, problem_id, score, outcome, reason, grader, finish_reason, graded_at"
SESSION = (
    "id, problem_id, split_id, submission_id, organisation_id, key_id, idempotency_key, origin, state, seed, "
    "variant, steps, step_limit, seconds, created_at, active_at, host_id, epoch, takeovers, faults, failure"
)
SESSION_STEPS = "state, finish_reason, failure, host_id, epoch, ended_at, takeovers, active_at"
INTAKE = "submission_id, split_id, organisation_id, decide_at"
INTAKE_READ = f'{INTAKE}, outcome, "left", release_id'
REGRADED_READ = "regrade_id, submission_id, before, after"
_OWN = "submission, submission_item, entry, quota_use, live_session, feedback_intake, ranking_schedule, regraded"

_TAKE = """create function take_submission(taken uuid) returns setof integer
language sql security definer set search_path = public as $$
  with mine as (
    select u.organisation_id, u.split_id, cast(s.config->>'submissions_per_organisation' as integer) as most
    from submission u join split s on s.id = u.split_id
    where u.id = taken and u.state = 'open' and u.attempt = 0),
  used as (
    insert into quota_use as q (organisation_id, split_id, used, made)
    select organisation_id, split_id, 1, 1 from mine where most is null or most >= 1
    on conflict (organisation_id, split_id) do update set used = q.used + 1, made = q.made + 1
      where (select most is null or q.used < most from mine)
    returning made)
  update submission u set attempt = used.made from used where u.id = taken returning u.attempt
$$"""
_LOCK = """create function lock_submission(held uuid) returns setof boolean
language sql security definer set search_path = public as $$
  select true from submission u where u.id = held for update
$$"""
_FINALISE = """create function finalise_submission(ended uuid) returns boolean
language plpgsql security definer set search_path = public as $$
begin
  update submission u set state = 'queued', finalised_at = now()
    where u.id = ended and u.state = 'open' and u.attempt > 0;
  return found;
end $$"""
_DROP = """create function drop_item(dropped uuid, problem uuid) returns boolean
language plpgsql security definer set search_path = public as $$
begin
  delete from submission_item i using submission u
    where u.id = dropped and u.state = 'open' and i.submission_id = dropped and i.problem_id = problem
      and i.graded_at is null;
  if not found then return false; end if;
  update submission u set received = u.received - 1 where u.id = dropped;
  return true;
end $$"""
_COUNT = f"""create function count_items() returns trigger
language plpgsql security definer set search_path = public as $$
declare
  counted integer;
begin
  update submission u set received = u.received + a.more
    from (select submission_id, count(*) as more from added group by submission_id) a
    where u.id = a.submission_id and (u.state = 'open' or session_user <> '{WEB}');
  get diagnostics counted = row_count;
  if counted < (select count(distinct submission_id) from added)
  then raise insufficient_privilege using message = 'items are added to open submissions alone';
  end if;
  return null;
end $$"""
_BEST = """create function mark_best(on_split uuid, of_organisation uuid, of_model text) returns void
language sql security definer set search_path = public as $$
  with ranked as (
    select submission_id, row_number() over (order by hidden, score desc, submission_id) = 1 as best
    from entry where split_id = on_split and organisation_id = of_organisation and model_name = of_model)
  update entry e set best = ranked.best from ranked
  where e.submission_id = ranked.submission_id and e.best is distinct from ranked.best
$$"""
_CHANGE = """create function change_entry(
  changed uuid, of_owner uuid, by_user uuid, hides boolean, verifies boolean) returns boolean
language plpgsql security definer set search_path = public as $$
declare
  found_entry entry;
begin
  update entry e set hidden = coalesce(hides, e.hidden), verified = coalesce(verifies, e.verified)
    from split s, release r, benchmark b, membership m
    where e.submission_id = changed and s.id = e.split_id and r.id = s.release_id and b.id = r.benchmark_id
      and b.organisation_id = of_owner and m.organisation_id = of_owner and m.user_id = by_user
    returning e.* into found_entry;
  if not found then return false; end if;
  perform mark_best(found_entry.split_id, found_entry.organisation_id, found_entry.model_name::text);
  return true;
end $$"""
_IS_OPERATOR = "exists (select from account a where a.id = by_user and a.is_operator and a.deleted_at is null)"
_VERIFY = f"""create function verify_organisation(organisation uuid, by_user uuid, by_domain text) returns boolean
language plpgsql security definer set search_path = public as $$
begin
  if session_user = '{WEB}' and not (
    by_domain is null and {_IS_OPERATOR}
    or exists (select from membership m join identity i on i.user_id = m.user_id
               where m.user_id = by_user and m.organisation_id = organisation and m.role = 'owner'
                 and lower(split_part(i.email, '@', 2)) = lower(by_domain)))
  then raise insufficient_privilege
    using message = 'an operator verifies, or an owner who signed in with an address of the domain';
  end if;
  update organisation o set verified_at = coalesce(o.verified_at, now()), verified_by = by_user,
    domain = coalesce(by_domain, o.domain) where o.id = verify_organisation.organisation;
  return found;
end $$"""
_UNVERIFY = f"""create function unverify_organisation(organisation uuid, by_user uuid) returns boolean
language plpgsql security definer set search_path = public as $$
begin
  if session_user = '{WEB}' and not {_IS_OPERATOR}
  then raise insufficient_privilege using message = 'an operator takes the mark away';
  end if;
  update organisation o set verified_at = null, verified_by = null, domain = null
    where o.id = unverify_organisation.organisation;
  return found;
end $$"""
_FUNCTIONS = {
    "take_submission(uuid)": _TAKE,
    "lock_submission(uuid)": _LOCK,
    "finalise_submission(uuid)": _FINALISE,
    "drop_item(uuid, uuid)": _DROP,
    "mark_best(uuid, uuid, text)": _BEST,
    "change_entry(uuid, uuid, uuid, boolean, boolean)": _CHANGE,
    "verify_organisation(uuid, uuid, text)": _VERIFY,
    "unverify_organisation(uuid, uuid)": _UNVERIFY,
}
_GUARDS = {
    "submission": f"""create function guard_submission() returns trigger language plpgsql as $$
begin
  if current_user = '{WEB}' and (new.state, new.received, new.attempt, new.failure) is distinct from ('open', 0, 0, '')
  then raise insufficient_privilege using message = 'a submission begins open, empty and without a number';
  end if;
  return new;
end $$""",
    "organisation": f"""create function guard_organisation() returns trigger language plpgsql as $$
begin
  if current_user = '{WEB}' and (case when tg_op = 'INSERT'
      then num_nonnulls(new.verified_at, new.verified_by, new.domain) > 0
      else (new.verified_at, new.verified_by, new.domain)
           is distinct from (old.verified_at, old.verified_by, old.domain)
    end)
  then raise insufficient_privilege using message = 'organisations are verified by verify_organisation';
  end if;
  return new;
end $$""",
    "account": f"""create function guard_account() returns trigger language plpgsql as $$
begin
  if current_user = '{WEB}' and new.is_operator and (case when tg_op = 'INSERT' then true else not old.is_operator end)
  then raise insufficient_privilege using message = 'operators are made on the command line';
  end if;
  return new;
end $$""",
}
_QUEUE = "procrastinate_jobs, procrastinate_events"


def upgrade() -> None:
    _report()
    op.execute(f"revoke all on {_OWN} from {WEB}")
    op.execute(f"grant select on submission, entry, quota_use, live_session, ranking_schedule to {WEB}")
    op.execute(f"grant insert ({SUBMISSION}) on submission to {WEB}")
    op.execute(f"grant insert ({ITEM}), select ({ITEM_READ}) on submission_item to {WEB}")
    op.execute(f"grant insert ({SESSION}), update ({SESSION_STEPS}) on live_session to {WEB}")
    op.execute(f"grant insert ({INTAKE}), select ({INTAKE_READ}) on feedback_intake to {WEB}")
    op.execute(f"grant insert (split_id, scheduled, called) on ranking_schedule to {WEB}")
    op.execute(f"grant select ({REGRADED_READ}) on regraded to {WEB}")
    op.alter_column("ranking_schedule", "done", server_default=sa.false())
    for name, text in _FUNCTIONS.items():
        op.execute(text)
        op.execute(f"revoke all on function {name} from public")
        op.execute(f"grant execute on function {name} to {WEB}, {WORKER}")
    op.execute(_COUNT)
    op.execute(
        """create trigger count_items after insert on submission_item referencing new table as added
           for each statement execute function count_items()"""
    )
    for table, text in _GUARDS.items():
        op.execute(text)
        op.execute(
            f"""create trigger guard_{table} before insert or update on {table}
                for each row execute function guard_{table}()"""
        )
    op.execute(f"revoke all on judge_budget from {WEB}")
    op.execute(f"revoke update, delete on leak_trace, review_vote from {WEB}")
    op.execute(f"revoke insert, delete on review from {WEB}")
    # Jobs are put in and looked for; only workers take and change them.
    op.execute(f"revoke all on all tables in schema queue from {WEB}")
    op.execute(f"grant select, insert on queue.procrastinate_jobs to {WEB}")
    op.execute(f"grant insert on queue.procrastinate_events to {WEB}")


def _report() -> None:
    op.create_table(
        "calibration_report",
        sa.Column("benchmark_id", sa.Uuid(), sa.ForeignKey("benchmark.id"), primary_key=True),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
    )
    op.execute(f"revoke all on calibration_report from {WEB}, {WORKER}, heldout_host")
    op.execute(f"grant select on calibration_report to {WEB}")
    op.execute(f"grant select, insert, update on calibration_report to {WORKER}")
    # Their jobs come again and write the reports.
    op.execute("update review set applied_at = null where purpose = 'calibrate' and settled_at is not null")


def downgrade() -> None:
    op.execute(f"grant select, insert, update, delete on all tables in schema queue to {WEB}")
    op.execute(f"grant select, insert, update, delete on judge_budget, leak_trace, review_vote, review to {WEB}")
    op.execute("drop trigger count_items on submission_item")
    op.execute("drop function count_items")
    for table in _GUARDS:
        op.execute(f"drop trigger guard_{table} on {table}")
        op.execute(f"drop function guard_{table}")
    for name in _FUNCTIONS:
        op.execute(f"drop function {name}")
    op.alter_column("ranking_schedule", "done", server_default=None)
    op.execute(f"revoke all on {_OWN} from {WEB}")
    op.execute(f"grant select, insert, update, delete on submission, submission_item, entry, quota_use to {WEB}")
    op.execute(f"grant select, insert, delete, update ({SESSION_STEPS}) on live_session to {WEB}")
    op.execute(f"grant select, insert on feedback_intake, ranking_schedule to {WEB}")
    op.execute(f"grant select on regraded to {WEB}")
    op.drop_table("calibration_report")
