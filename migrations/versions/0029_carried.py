"""Submissions that go on in another release of their benchmark know which one they come from."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("submission", sa.Column("carried_from", sa.Uuid(), sa.ForeignKey("submission.id"), nullable=True))
    op.create_index(
        "ix_submission_carried_from",
        "submission",
        ["carried_from"],
        postgresql_where=sa.text("carried_from is not null"),
    )


def downgrade() -> None:
    op.drop_column("submission", "carried_from")
