"""The ladder's state may belong to all organisations that nobody verified together."""

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_constraint(op.f("fk_ladder_state_organisation_id"), "ladder_state", type_="foreignkey")


def downgrade() -> None:
    op.execute("delete from ladder_state where organisation_id not in (select id from organisation)")
    op.create_foreign_key(
        op.f("fk_ladder_state_organisation_id"), "ladder_state", "organisation", ["organisation_id"], ["id"]
    )
