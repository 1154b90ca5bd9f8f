"""Whoever opens a session says that it still waits: the web process may touch the time a session was last active."""

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

WEB = "heldout_web"


def upgrade() -> None:
    op.execute(f"grant update (active_at) on live_session to {WEB}")


def downgrade() -> None:
    op.execute(f"revoke update (active_at) on live_session from {WEB}")
