"""The n-gram filter that each release publishes for the decontamination of training corpora."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "ngram_filter",
        sa.Column("release_id", sa.Uuid(), nullable=False),
        sa.Column("document", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.ForeignKeyConstraint(["release_id"], ["release.id"], name=op.f("fk_ngram_filter_release_id")),
        sa.PrimaryKeyConstraint("release_id", name=op.f("pk_ngram_filter")),
    )
    # Like the release it belongs to: written at import, and by nothing that serves.
    op.execute("revoke insert, update, delete on ngram_filter from heldout_web, heldout_worker, heldout_host")


def downgrade() -> None:
    op.drop_table("ngram_filter")
