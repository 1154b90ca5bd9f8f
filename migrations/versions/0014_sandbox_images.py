"""Releases record which sandbox images they were published with; hosts compare."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

HOST = "heldout_host"


def upgrade() -> None:
    column = sa.Column("sandbox_images", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=True)
    op.add_column("release", column)
    op.execute(f"grant select (id, release_id) on problem to {HOST}")
    op.execute(f"grant select (id, sandbox_images) on release to {HOST}")


def downgrade() -> None:
    op.execute(f"revoke select (id, sandbox_images) on release from {HOST}")
    op.execute(f"revoke select (id, release_id) on problem from {HOST}")
    op.drop_column("release", "sandbox_images")
