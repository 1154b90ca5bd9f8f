"""Rubrics on their way into a release: drafted by a worker, read, edited and approved by the benchmark's owner."""

import sqlalchemy as sa
from alembic import op

revision = "0047"
down_revision = "0046"
branch_labels = None
depends_on = None

WEB, WORKER, HOST = "heldout_web", "heldout_worker", "heldout_host"
DECIDED = "state, model, sealed, approved_by, revision, changed_at"


def upgrade() -> None:
    op.create_table(
        "rubric",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("benchmark_id", sa.Uuid(), sa.ForeignKey("benchmark.id"), nullable=False),
        sa.Column("name", sa.String(128), nullable=False),
        sa.Column("split", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(64), nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("model", sa.String(200), nullable=False, server_default=""),
        sa.Column("approved_by", sa.Uuid(), sa.ForeignKey("account.id"), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False, server_default="1"),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.UniqueConstraint("benchmark_id", "name"),
    )
    op.execute(f"revoke all on rubric from {WEB}, {WORKER}, {HOST}")
    op.execute(f"grant select, update ({DECIDED}) on rubric to {WEB}")
    op.execute(f"grant select, insert, update, delete on rubric to {WORKER}")


def downgrade() -> None:
    op.drop_table("rubric")
