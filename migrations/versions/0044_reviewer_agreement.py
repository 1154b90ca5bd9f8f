"""How far a reviewer's votes agree with the others', counted by the worker and sealed under the key of reviews."""

import sqlalchemy as sa
from alembic import op

revision = "0044"
down_revision = "0043"
branch_labels = None
depends_on = None

WEB, WORKER, HOST = "heldout_web", "heldout_worker", "heldout_host"


def upgrade() -> None:
    op.create_table(
        "reviewer_agreement",
        sa.Column("benchmark_id", sa.Uuid(), sa.ForeignKey("benchmark.id"), primary_key=True),
        sa.Column("user_id", sa.Uuid(), sa.ForeignKey("account.id"), primary_key=True),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
    )
    op.execute(f"revoke all on reviewer_agreement from {WEB}, {WORKER}, {HOST}")
    op.execute(f"grant select on reviewer_agreement to {WEB}")
    op.execute(f"grant select, insert, update on reviewer_agreement to {WORKER}")


def downgrade() -> None:
    op.drop_table("reviewer_agreement")
