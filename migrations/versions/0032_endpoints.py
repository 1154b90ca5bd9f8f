"""Runs that the service plays against a participant's endpoint, whose key is sealed for the worker.

The web role begins runs; functions cancel and resume them and keep their keys. Boards say which entries were played so.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None

WEB, WORKER, HOST = "heldout_web", "heldout_worker", "heldout_host"
BEGUN = """id, submission_id, organisation_id, key_id, url, endpoint_model, system, parameters, tokens, cost,
  input_price, output_price, requests_per_minute, created_at"""
_KEEP = """create function keep_endpoint_key(kept uuid, content bytea) returns boolean
language plpgsql security definer set search_path = public as $$
begin
  perform 1 from endpoint_run e where e.id = kept and e.state = 'queued' for update;
  if not found then return false; end if;
  insert into vault.endpoint_key as k (run_id, sealed) values (kept, content)
    on conflict (run_id) do update set sealed = excluded.sealed;
  return true;
end $$"""
_CANCEL = """create function cancel_endpoint_run(cancelled uuid) returns boolean
language plpgsql security definer set search_path = public as $$
begin
  update endpoint_run e set state = 'cancelled', failure = '', changed_at = now()
    where e.id = cancelled and e.state in ('queued', 'playing');
  if not found then return false; end if;
  delete from vault.endpoint_key k where k.run_id = cancelled;
  return true;
end $$"""
_RESUME = """create function resume_endpoint_run(resumed uuid, most_tokens bigint, most_cost double precision)
returns boolean
language plpgsql security definer set search_path = public as $$
begin
  update endpoint_run e set state = 'queued', failure = '', changed_at = now(),
      tokens = coalesce(most_tokens, e.tokens), cost = coalesce(most_cost, e.cost)
    from submission u
    where e.id = resumed and e.state in ('stopped', 'cancelled') and u.id = e.submission_id and u.state = 'open';
  return found;
end $$"""
_SPENT = """create function endpoint_spending(played uuid) returns table (tokens bigint, cost double precision)
language sql stable security definer set search_path = public as $$
  select cast(coalesce(sum(cast(i.usage->>'tokens' as bigint)), 0) as bigint),
         coalesce(sum(cast(i.usage->>'cost' as double precision)), 0)
  from submission_item i where i.submission_id = played
    and exists (select from endpoint_run e where e.submission_id = played)
$$"""
_FUNCTIONS = {
    "keep_endpoint_key(uuid, bytea)": _KEEP,
    "cancel_endpoint_run(uuid)": _CANCEL,
    "resume_endpoint_run(uuid, bigint, double precision)": _RESUME,
    "endpoint_spending(uuid)": _SPENT,
}


def upgrade() -> None:
    op.create_table(
        "endpoint_run",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("submission_id", sa.Uuid(), sa.ForeignKey("submission.id"), nullable=False, unique=True),
        sa.Column("organisation_id", sa.Uuid(), sa.ForeignKey("organisation.id"), nullable=False),
        sa.Column("key_id", sa.Uuid(), sa.ForeignKey("api_key.id"), nullable=False),
        sa.Column("url", sa.String(500), nullable=False),
        sa.Column("endpoint_model", sa.String(200), nullable=False),
        sa.Column("system", sa.String(8000), nullable=False),
        sa.Column("parameters", JSONB(), nullable=False),
        sa.Column("tokens", sa.BigInteger(), nullable=True),
        sa.Column("cost", sa.Float(), nullable=True),
        sa.Column("input_price", sa.Float(), nullable=False),
        sa.Column("output_price", sa.Float(), nullable=False),
        sa.Column("requests_per_minute", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(20), nullable=False, server_default="queued"),
        sa.Column("failure", sa.String(500), nullable=False, server_default=""),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()),
    )
    op.create_index("ix_endpoint_run_organisation_id", "endpoint_run", ["organisation_id"])
    op.create_table(
        "endpoint_key",
        sa.Column("run_id", sa.Uuid(), sa.ForeignKey("endpoint_run.id"), primary_key=True),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        schema="vault",
    )
    op.execute(f"revoke all on endpoint_run from {WEB}, {WORKER}, {HOST}")
    op.execute(f"grant select, insert ({BEGUN}) on endpoint_run to {WEB}")
    op.execute(f"grant select, update (state, failure, changed_at) on endpoint_run to {WORKER}")
    op.execute(f"revoke all on vault.endpoint_key from {WEB}, {WORKER}, {HOST}")
    op.execute(f"grant select, delete on vault.endpoint_key to {WORKER}")
    op.add_column("entry", sa.Column("by_service", sa.Boolean(), nullable=False, server_default=sa.false()))
    for name, text in _FUNCTIONS.items():
        op.execute(text)
        op.execute(f"revoke all on function {name} from public")
        op.execute(f"grant execute on function {name} to {WEB}, {WORKER}")


def downgrade() -> None:
    for name in _FUNCTIONS:
        op.execute(f"drop function {name}")
    op.drop_column("entry", "by_service")
    op.drop_table("endpoint_key", schema="vault")
    op.drop_table("endpoint_run")
