"""Operators' pages say which workers are there, and how long jobs have been at it."""

from alembic import op

revision = "0046"
down_revision = "0045"
branch_labels = None
depends_on = None

WEB = "heldout_web"


def upgrade() -> None:
    op.execute(f"grant select on queue.procrastinate_workers, queue.procrastinate_events to {WEB}")


def downgrade() -> None:
    op.execute(f"revoke select on queue.procrastinate_workers, queue.procrastinate_events from {WEB}")
