"""Verdicts on problems that were hidden and are published are open to the makers of the submissions."""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None

WEB, WORKER, HOST = "heldout_web", "heldout_worker", "heldout_host"


def upgrade() -> None:
    op.create_table(
        "opened_verdict",
        sa.Column("submission_id", sa.Uuid(), primary_key=True),
        sa.Column("problem_id", sa.Uuid(), primary_key=True),
        sa.Column("score", sa.Float(), nullable=True),
        sa.Column("outcome", sa.String(20), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("grader", sa.String(64), nullable=False),
        sa.ForeignKeyConstraint(
            ["submission_id", "problem_id"],
            ["submission_item.submission_id", "submission_item.problem_id"],
            ondelete="CASCADE",
        ),
    )
    op.add_column("split", sa.Column("retired_at", sa.DateTime(timezone=True), nullable=True))
    op.execute(f"revoke all on opened_verdict from {WEB}, {WORKER}, {HOST}")
    op.execute(f"grant select on opened_verdict to {WEB}")
    op.execute(f"grant select, insert, update on opened_verdict to {WORKER}")


def downgrade() -> None:
    op.drop_column("split", "retired_at")
    op.drop_table("opened_verdict")
