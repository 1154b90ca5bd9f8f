"""Limits belong to organisations, and to the account that made them while nobody has verified them.

Budgets of a day are counted for organisations (`daily_budget`), how keys read is kept apart (`key_reading`). Who made
an organisation of before is not known: those keep limits of their own. Names that look like an older one stay, but no
third may look like them. A model's parameters leave the boards; submissions keep them.
"""

import sqlalchemy as sa
import sqlmodel
from alembic import op

from api.core.names import folded

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

WEB, WORKER, HOST = "heldout_web", "heldout_worker", "heldout_host"
NEW = "daily_budget, key_reading, split_reader, organisation_name"


def upgrade() -> None:
    _organisations()
    _budgets()
    op.create_table(
        "split_reader",
        sa.Column("account_id", sa.Uuid(), sa.ForeignKey("account.id"), primary_key=True),
        sa.Column("split_id", sa.Uuid(), sa.ForeignKey("split.id"), primary_key=True),
        sa.Column("organisation_id", sa.Uuid(), sa.ForeignKey("organisation.id"), nullable=False),
    )
    op.execute("update entry set model = model - 'parameters' where model ? 'parameters'")
    op.execute(f"revoke all on {NEW} from {WEB}, {WORKER}, {HOST}")
    op.execute(f"grant select, insert on {NEW} to {WEB}")
    op.execute(f"grant update (used) on daily_budget to {WEB}, {WORKER}")
    op.execute(f"grant update (address, last_position, run) on key_reading to {WEB}")
    op.execute(f"grant update (organisation_id) on split_reader to {WEB}")
    op.execute(f"grant select on daily_budget to {WORKER}")
    op.execute(f"grant select, insert on organisation_name to {WORKER}")
    # Who made an organisation is written once.
    op.execute(f"revoke update on organisation from {WEB}")
    op.execute(f"grant update (name) on organisation to {WEB}")


def _organisations() -> None:
    op.add_column("organisation", sa.Column("created_by", sa.Uuid(), sa.ForeignKey("account.id"), nullable=True))
    op.create_index("ix_organisation_created_by", "organisation", ["created_by"])
    op.create_table(
        "organisation_name",
        sa.Column("folded", sqlmodel.sql.sqltypes.AutoString(length=400), primary_key=True),
        sa.Column("organisation_id", sa.Uuid(), sa.ForeignKey("organisation.id"), nullable=False),
    )
    op.create_index("ix_organisation_name_organisation_id", "organisation_name", ["organisation_id"])
    connection = op.get_bind()
    keep = sa.text(
        "insert into organisation_name (folded, organisation_id) values (:folded, :id) on conflict (folded) do nothing"
    )
    for row in connection.execute(sa.text("select id, slug, name from organisation order by created_at, id")).all():
        for text in {folded(row.slug), folded(row.name)} - {""}:
            connection.execute(keep, {"folded": text[:400], "id": row.id})


def _budgets() -> None:
    op.create_table(
        "key_reading",
        sa.Column("key_id", sa.Uuid(), sa.ForeignKey("api_key.id"), primary_key=True),
        sa.Column("split_id", sa.Uuid(), sa.ForeignKey("split.id"), primary_key=True),
        sa.Column("day", sa.Date(), primary_key=True),
        sa.Column("address", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
        sa.Column("last_position", sa.Integer(), nullable=False),
        sa.Column("run", sa.Integer(), nullable=False),
    )
    op.execute(
        """insert into key_reading (key_id, split_id, day, address, last_position, run)
           select key_id, split_id, day, address, last_position, run from daily_budget"""
    )
    op.rename_table("daily_budget", "budget_of_key")
    op.execute("alter index pk_daily_budget rename to pk_budget_of_key")
    op.create_table(
        "daily_budget",
        sa.Column("organisation_id", sa.Uuid(), sa.ForeignKey("organisation.id"), primary_key=True),
        sa.Column("split_id", sa.Uuid(), sa.ForeignKey("split.id"), primary_key=True),
        sa.Column("day", sa.Date(), primary_key=True),
        sa.Column("used", sa.Integer(), nullable=False),
    )
    op.execute(
        """insert into daily_budget (organisation_id, split_id, day, used)
           select k.organisation_id, b.split_id, b.day, sum(b.used)
           from budget_of_key b join api_key k on k.id = b.key_id group by 1, 2, 3"""
    )
    op.drop_table("budget_of_key")


def downgrade() -> None:
    op.execute(f"grant update on organisation to {WEB}")
    op.drop_table("split_reader")
    op.drop_table("organisation_name")
    op.drop_index("ix_organisation_created_by", table_name="organisation")
    op.drop_column("organisation", "created_by")
    op.add_column("key_reading", sa.Column("used", sa.Integer(), nullable=False, server_default="0"))
    # Of an organisation's keys one gets all that was used: which of them used it is not known any more.
    op.execute(
        """update key_reading r set used = b.used from daily_budget b
           where b.split_id = r.split_id and b.day = r.day
             and r.key_id = (select k.id from api_key k join key_reading x on x.key_id = k.id
                             where k.organisation_id = b.organisation_id and x.split_id = b.split_id and x.day = b.day
                             order by k.id limit 1)"""
    )
    op.alter_column("key_reading", "used", server_default=None)
    op.drop_table("daily_budget")
    op.rename_table("key_reading", "daily_budget")
    op.execute("alter index pk_key_reading rename to pk_daily_budget")
    for name in ("key_id", "split_id"):
        op.execute(f"alter table daily_budget rename constraint fk_key_reading_{name} to fk_daily_budget_{name}")
    op.execute(f"grant select, insert, update, delete on daily_budget to {WEB}, {WORKER}, {HOST}")
