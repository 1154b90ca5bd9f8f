"""The web role may ask which release the tables are of."""

from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Grant."""
    op.execute("grant select on alembic_version to heldout_web")


def downgrade() -> None:
    """Revoke."""
    op.execute("revoke select on alembic_version from heldout_web")
