"""Operators' pages say which workers are there, and how long jobs have been at it.

By functions: the tables behind them say when each answer was graded, which the web role is not to read.
"""

from alembic import op

revision = "0046"
down_revision = "0045"
branch_labels = None
depends_on = None

WEB = "heldout_web"
_WORKERS = """create function workers_alive(most int) returns table (id bigint, silent float, jobs bigint)
language sql stable security definer set search_path = queue, pg_temp as $$
  select w.id, extract(epoch from now() - w.last_heartbeat)::float,
         (select count(*) from procrastinate_jobs j where j.worker_id = w.id and j.status = 'doing')
  from procrastinate_workers w order by 2 limit most
$$"""
_RUNNING = """create function jobs_running(most int)
returns table (id bigint, task text, queue text, seconds float)
language sql stable security definer set search_path = queue, pg_temp as $$
  select j.id, j.task_name::text, j.queue_name::text, extract(epoch from now() - max(e.at))::float
  from procrastinate_jobs j join procrastinate_events e on e.job_id = j.id and e.type = 'started'
  where j.status = 'doing' group by j.id order by 4 desc limit most
$$"""


def upgrade() -> None:
    for name, statement in (("workers_alive(int)", _WORKERS), ("jobs_running(int)", _RUNNING)):
        op.execute(statement)
        op.execute(f"revoke all on function {name} from public")
        op.execute(f"grant execute on function {name} to {WEB}")


def downgrade() -> None:
    op.execute("drop function jobs_running(int)")
    op.execute("drop function workers_alive(int)")
