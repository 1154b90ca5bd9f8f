"""Keys that work from some networks alone, and at a pace of their own."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("api_key", sa.Column("networks", ARRAY(sa.Text()), nullable=False, server_default=sa.text("'{}'")))
    op.add_column("api_key", sa.Column("requests_per_minute", sa.Integer(), nullable=True))


def downgrade() -> None:
    op.drop_column("api_key", "requests_per_minute")
    op.drop_column("api_key", "networks")
