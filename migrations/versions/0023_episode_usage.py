"""What an episode cost is kept with its session."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

WEB, WORKER = "heldout_web", "heldout_worker"


def upgrade() -> None:
    """One column; the web role writes what participants report."""
    op.add_column("live_session", sa.Column("usage", JSONB(none_as_null=True), nullable=True))
    op.execute(f"grant select (usage), insert (usage), update (usage) on live_session to {WEB}, {WORKER}")


def downgrade() -> None:
    """Drop it."""
    op.drop_column("live_session", "usage")
