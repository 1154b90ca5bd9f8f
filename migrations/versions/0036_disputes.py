"""Disputes of golds: the web role takes them in, and a function looks up who decides one."""

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None

WEB, WORKER, HOST = "heldout_web", "heldout_worker", "heldout_host"
RAISED = "id, benchmark_id, problem_id, organisation_id, user_id, reason, created_at"
_SIGNATURE = "decide_dispute(uuid, uuid, text, bytea)"
_DECIDE = """create function decide_dispute(decided uuid, by_user uuid, into_state text, with_answer bytea)
returns boolean
language plpgsql security definer set search_path = public as $$
begin
  if into_state not in ('accepted', 'rejected') then return false; end if;
  update gold_dispute d set state = into_state, answer = with_answer, decided_at = now()
    from benchmark b, membership m
    where d.id = decided and d.state = 'open' and b.id = d.benchmark_id
      and m.organisation_id = b.organisation_id and m.user_id = by_user;
  return found;
end $$"""


def upgrade() -> None:
    op.create_table(
        "gold_dispute",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("benchmark_id", sa.Uuid(), sa.ForeignKey("benchmark.id"), nullable=False),
        sa.Column("problem_id", sa.Uuid(), sa.ForeignKey("problem.id"), nullable=False),
        sa.Column("organisation_id", sa.Uuid(), sa.ForeignKey("organisation.id"), nullable=False),
        sa.Column("user_id", sa.Uuid(), sa.ForeignKey("account.id"), nullable=False),
        sa.Column("reason", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(20), nullable=False, server_default="open"),
        sa.Column("answer", sa.LargeBinary(), nullable=True),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=True),
        sa.UniqueConstraint("problem_id", "organisation_id"),
    )
    op.create_index("ix_gold_dispute_benchmark_id", "gold_dispute", ["benchmark_id"])
    op.create_index("ix_gold_dispute_organisation_id", "gold_dispute", ["organisation_id"])
    op.execute(f"revoke all on gold_dispute from {WEB}, {WORKER}, {HOST}")
    op.execute(f"grant select, insert ({RAISED}) on gold_dispute to {WEB}")
    op.execute(f"grant select on gold_dispute to {WORKER}")
    op.execute(_DECIDE)
    op.execute(f"revoke all on function {_SIGNATURE} from public")
    op.execute(f"grant execute on function {_SIGNATURE} to {WEB}")


def downgrade() -> None:
    op.execute(f"drop function {_SIGNATURE}")
    op.drop_table("gold_dispute")
