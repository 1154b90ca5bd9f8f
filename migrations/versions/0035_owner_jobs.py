"""Owners' jobs: the web role asks, the worker does them."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None

WEB, WORKER, HOST = "heldout_web", "heldout_worker", "heldout_host"
ASKED = "id, benchmark_id, user_id, job, arguments, created_at"
DONE = "state, done, total, failure, result, file, finished_at"


def upgrade() -> None:
    op.create_table(
        "owner_job",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("benchmark_id", sa.Uuid(), sa.ForeignKey("benchmark.id"), nullable=False),
        sa.Column("user_id", sa.Uuid(), sa.ForeignKey("account.id"), nullable=False),
        sa.Column("job", sa.String(40), nullable=False),
        sa.Column("arguments", JSONB(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(20), nullable=False, server_default="queued"),
        sa.Column("done", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("total", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("failure", sa.String(1000), nullable=False, server_default=""),
        sa.Column("result", sa.LargeBinary(), nullable=True),
        sa.Column("file", sa.LargeBinary(), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
    )
    op.create_index("ix_owner_job_benchmark_id", "owner_job", ["benchmark_id"])
    op.execute(f"revoke all on owner_job from {WEB}, {WORKER}, {HOST}")
    op.execute(f"grant select, insert ({ASKED}) on owner_job to {WEB}")
    op.execute(f"grant select, update ({DONE}), delete on owner_job to {WORKER}")


def downgrade() -> None:
    op.drop_table("owner_job")
