"""What pages of readers need: entries by organisation and model, the best of a model among complete runs first, and
the answers of open splits, which the web role may read through one function alone.
"""

from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None

WEB, WORKER = "heldout_web", "heldout_worker"
_BEST = """create or replace function mark_best(on_split uuid, of_organisation uuid, of_model text) returns void
language sql security definer set search_path = public as $$
  with ranked as (
    select submission_id, row_number() over (order by {order}) = 1 as best
    from entry where split_id = on_split and organisation_id = of_organisation and model_name = of_model)
  update entry e set best = ranked.best from ranked
  where e.submission_id = ranked.submission_id and e.best is distinct from ranked.best
$$"""
_BEFORE = "hidden, score desc, submission_id"
_ORDER = "hidden, coverage < 1, score desc, submission_id"
_AGAIN = """update entry e set best = ranked.best from (
  select submission_id, row_number() over (partition by split_id, organisation_id, model_name order by {order}) = 1
    as best from entry) as ranked
  where e.submission_id = ranked.submission_id and e.best is distinct from ranked.best"""
_ANSWERS = """create function open_answers(of_problem uuid, of_submissions uuid[])
returns table (submission_id uuid, answer text) language sql stable security definer set search_path = public as $$
  select i.submission_id, i.answer from submission_item i
  join problem p on p.id = i.problem_id join split s on s.id = p.split_id
  where i.problem_id = of_problem and i.submission_id = any(of_submissions) and s.visibility = 'dev'
$$"""


def upgrade() -> None:
    op.create_index("ix_entry_organisation", "entry", ["organisation_id", "model_name"])
    op.execute(_BEST.format(order=_ORDER))
    op.execute(_AGAIN.format(order=_ORDER))
    op.execute(_ANSWERS)
    op.execute("revoke all on function open_answers(uuid, uuid[]) from public")
    op.execute(f"grant execute on function open_answers(uuid, uuid[]) to {WEB}, {WORKER}")


def downgrade() -> None:
    op.execute("drop function open_answers(uuid, uuid[])")
    op.execute(_BEST.format(order=_BEFORE))
    op.execute(_AGAIN.format(order=_BEFORE))
    op.drop_index("ix_entry_organisation", "entry")
