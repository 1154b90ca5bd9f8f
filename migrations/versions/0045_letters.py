"""Whether an account wants an e-mail at the end of its runs. Nobody does unasked."""

import sqlalchemy as sa
from alembic import op

revision = "0045"
down_revision = "0044"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("account", sa.Column("run_letters", sa.Boolean(), nullable=False, server_default=sa.text("false")))


def downgrade() -> None:
    op.drop_column("account", "run_letters")
