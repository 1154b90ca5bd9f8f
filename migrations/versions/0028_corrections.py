"""A release that only mends golds carries the boards of the one that it corrects; owners ask for regradings."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None

WEB = "heldout_web"


def upgrade() -> None:
    op.add_column("release", sa.Column("corrects", sa.String(40), nullable=True))
    op.add_column("split", sa.Column("carries", sa.ARRAY(sa.Uuid()), nullable=False, server_default="{}"))
    for column in ("total", "done"):
        op.alter_column("regrade", column, server_default="0")
    op.execute(f"grant insert (id, benchmark_id, reason, created_at) on regrade to {WEB}")


def downgrade() -> None:
    op.execute(f"revoke insert (id, benchmark_id, reason, created_at) on regrade from {WEB}")
    for column in ("total", "done"):
        op.alter_column("regrade", column, server_default=None)
    op.drop_column("split", "carries")
    op.drop_column("release", "corrects")
