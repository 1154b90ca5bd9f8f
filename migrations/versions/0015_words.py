"""Columns get the field's words: a release's admission, the host that leases a session, the votes a review needs."""

from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

RENAMED = (
    ("release", "gate", "admission"),
    ("live_session", "holder", "host_id"),
    ("review", "wanted", "votes_needed"),
)


def upgrade() -> None:
    for table, old, new in RENAMED:
        op.alter_column(table, old, new_column_name=new)


def downgrade() -> None:
    for table, old, new in RENAMED:
        op.alter_column(table, new, new_column_name=old)
