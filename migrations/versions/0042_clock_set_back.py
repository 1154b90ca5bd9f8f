"""A worker may count a host's silence anew: one that was heard of in the future, where a clock was set back since."""

from alembic import op

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None

WORKER = "heldout_worker"


def upgrade() -> None:
    op.execute(f"grant update (seen_at) on session_host to {WORKER}")


def downgrade() -> None:
    op.execute(f"revoke update (seen_at) on session_host from {WORKER}")
