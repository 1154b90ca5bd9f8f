"""Judges' replies, shared by all workers; which splits have problems that people may have to grade."""

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "judge_reply",
        sa.Column("digest", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_judge_reply")),
        schema="vault",
    )
    op.execute("grant insert on vault.judge_reply to heldout_worker")
    op.add_column("split", sa.Column("people", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.alter_column("split", "people", server_default=None)


def downgrade() -> None:
    op.drop_column("split", "people")
    op.drop_table("judge_reply", schema="vault")
