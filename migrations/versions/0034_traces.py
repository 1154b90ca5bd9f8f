"""A job knows the trace of the request that queued it, where traces are on."""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("grading_job", sa.Column("trace", sa.String(64), nullable=True))


def downgrade() -> None:
    op.drop_column("grading_job", "trace")
