"""Calibration of judges: the entry's correction, and how often each benchmark asked."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("entry", sa.Column("correction", postgresql.JSONB(astext_type=sa.Text()), nullable=True))
    op.create_table(
        "judge_budget",
        sa.Column("benchmark_id", sa.Uuid(), nullable=False),
        sa.Column("calls", sa.Integer(), nullable=False),
        sa.Column("tokens", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["benchmark_id"], ["benchmark.id"], name=op.f("fk_judge_budget_benchmark_id")),
        sa.PrimaryKeyConstraint("benchmark_id", name=op.f("pk_judge_budget")),
    )


def downgrade() -> None:
    op.drop_table("judge_budget")
    op.drop_column("entry", "correction")
