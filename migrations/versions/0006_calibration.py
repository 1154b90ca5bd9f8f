"""Calibration of judges: the entry's correction, replies that are known, and what each benchmark asked."""

import sqlalchemy as sa
import sqlmodel
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("entry", sa.Column("correction", postgresql.JSONB(astext_type=sa.Text()), nullable=True))
    op.create_table(
        "judge_reply",
        sa.Column("digest", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
        sa.Column("model", sqlmodel.sql.sqltypes.AutoString(length=200), nullable=False),
        sa.Column("data", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_judge_reply")),
    )
    op.create_table(
        "judge_budget",
        sa.Column("benchmark_id", sa.Uuid(), nullable=False),
        sa.Column("calls", sa.Integer(), nullable=False),
        sa.Column("tokens", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["benchmark_id"], ["benchmark.id"], name=op.f("fk_judge_budget_benchmark_id")),
        sa.PrimaryKeyConstraint("benchmark_id", name=op.f("pk_judge_budget")),
    )
    # A judge's reply quotes answers and may tell the reference.
    op.execute("revoke all on judge_reply from heldout_web, heldout_host")


def downgrade() -> None:
    op.drop_table("judge_budget")
    op.drop_table("judge_reply")
    op.drop_column("entry", "correction")
