"""Scraping is slowed down: how each key reads, and whose pace an owner lifted."""

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

HOST, WORKER = "heldout_host", "heldout_worker"


def upgrade() -> None:
    for column in (
        sa.Column("address", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False, server_default=""),
        sa.Column("last_position", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("run", sa.Integer(), nullable=False, server_default="0"),
    ):
        op.add_column("daily_budget", column)
        op.alter_column("daily_budget", column.name, server_default=None)
    op.create_index("ix_exposure_recent", "exposure", ["split_id", "served_at"], unique=False)
    op.create_table(
        "scraping_lift",
        sa.Column("benchmark_id", sa.Uuid(), nullable=False),
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        sa.Column("lifted_by", sa.Uuid(), nullable=False),
        sa.Column("reason", sqlmodel.sql.sqltypes.AutoString(length=1000), nullable=False),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["benchmark_id"], ["benchmark.id"], name=op.f("fk_scraping_lift_benchmark_id")),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name=op.f("fk_scraping_lift_organisation_id")
        ),
        sa.ForeignKeyConstraint(["lifted_by"], ["account.id"], name=op.f("fk_scraping_lift_lifted_by")),
        sa.PrimaryKeyConstraint("benchmark_id", "organisation_id", name=op.f("pk_scraping_lift")),
    )
    op.execute(f"revoke insert, update, delete on scraping_lift from {HOST}, {WORKER}")


def downgrade() -> None:
    op.drop_table("scraping_lift")
    op.drop_index("ix_exposure_recent", table_name="exposure")
    for column in ("run", "last_position", "address"):
        op.drop_column("daily_budget", column)
