"""Whom the references of hidden splits were shown to as a reviewer: they take no part in that benchmark afterwards.

A row is written in the statement that hands out the sheet, and never changed or taken out.
"""

import sqlalchemy as sa
from alembic import op

revision = "0043"
down_revision = "0042"
branch_labels = None
depends_on = None

WEB, WORKER, HOST = "heldout_web", "heldout_worker", "heldout_host"


def upgrade() -> None:
    op.create_table(
        "review_shown",
        sa.Column("review_id", sa.Uuid(), primary_key=True),
        sa.Column("user_id", sa.Uuid(), sa.ForeignKey("account.id"), primary_key=True),
        sa.Column("benchmark_id", sa.Uuid(), sa.ForeignKey("benchmark.id"), nullable=False),
        sa.Column("shown_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_review_shown_user_id", "review_shown", ["user_id", "benchmark_id"])
    # Whoever voted was shown what they voted on.
    op.execute(
        """insert into review_shown (review_id, user_id, benchmark_id, shown_at)
           select v.review_id, v.user_id, r.benchmark_id, v.created_at
           from review_vote v join review r on r.id = v.review_id join submission u on u.id = r.submission_id
           join split s on s.id = u.split_id where s.visibility <> 'dev'
           union
           select r.id, r.lease_user, r.benchmark_id, coalesce(r.lease_until, r.created_at)
           from review r join submission u on u.id = r.submission_id join split s on s.id = u.split_id
           where s.visibility <> 'dev' and r.lease_user is not null
           on conflict do nothing"""
    )
    op.execute(f"revoke all on review_shown from {WEB}, {WORKER}, {HOST}")
    op.execute(f"grant select, insert on review_shown to {WEB}")


def downgrade() -> None:
    op.drop_table("review_shown")
