"""A declared run counts from a stated time on, and nobody changes what was declared."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

WEB, WORKER = "heldout_web", "heldout_worker"


def upgrade() -> None:
    op.add_column("declaration", sa.Column("counts_from", sa.DateTime(timezone=True), nullable=True))
    op.execute("update declaration set counts_from = declared_at")
    op.alter_column("declaration", "counts_from", nullable=False)
    op.execute(f"revoke all on declaration from {WEB}, {WORKER}")
    op.execute(f"grant select, insert on declaration to {WEB}")
    op.execute(f"grant select on declaration to {WORKER}")


def downgrade() -> None:
    op.execute(f"grant select, insert, update, delete on declaration to {WEB}, {WORKER}")
    op.drop_column("declaration", "counts_from")
