"""Pictures of the problems that the preview of an uploaded pack shows, sealed like its report."""

import sqlalchemy as sa
from alembic import op

revision = "0051"
down_revision = "0050"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("pack_upload", sa.Column("pictures", sa.LargeBinary(), nullable=True))
    op.execute("grant update (pictures) on pack_upload to heldout_worker")


def downgrade() -> None:
    op.drop_column("pack_upload", "pictures")
