"""The job queue's own schema, and what each role may do.

The roles themselves belong to the server, not to one database: `api.core.migrate` makes them.
"""

from alembic import op
from procrastinate.schema import SchemaManager

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

WEB, WORKER, HOST = "heldout_web", "heldout_worker", "heldout_host"
# Written once, never changed: what was shown to whom.
APPEND_ONLY = ("exposure",)


def upgrade() -> None:
    op.execute("set local search_path to queue")
    # The driver reads a percent sign as a placeholder unless the text goes through unparsed.
    op.get_bind().exec_driver_sql(SchemaManager.get_schema().replace("%", "%%"))
    op.execute("set local search_path to public, queue")
    for schema in ("public", "queue"):
        for role in (WEB, WORKER, HOST):
            op.execute(f"grant usage on schema {schema} to {role}")
            op.execute(f"grant select, insert, update, delete on all tables in schema {schema} to {role}")
            op.execute(f"grant usage, select on all sequences in schema {schema} to {role}")
            op.execute(
                f"alter default privileges in schema {schema} grant select, insert, update, delete on tables to {role}"
            )
            op.execute(f"alter default privileges in schema {schema} grant usage, select on sequences to {role}")
    for table in APPEND_ONLY:
        op.execute(f"revoke update, delete, truncate on {table} from {WEB}, {WORKER}, {HOST}")
    op.execute(f"revoke insert, update, delete on release, split, problem, asset from {WEB}, {HOST}")
    op.execute(f"grant update (gate) on release to {WORKER}")
    op.execute("revoke all on schema vault from public")
    op.execute(f"grant usage on schema vault to {WORKER}")
    op.execute(f"grant select on all tables in schema vault to {WORKER}")
    op.execute(f"alter default privileges in schema vault grant select on tables to {WORKER}")


def downgrade() -> None:
    for schema in ("public", "queue", "vault"):
        for role in (WEB, WORKER, HOST):
            op.execute(f"alter default privileges in schema {schema} revoke all on tables from {role}")
            op.execute(f"alter default privileges in schema {schema} revoke all on sequences from {role}")
            op.execute(f"revoke all on all tables in schema {schema} from {role}")
            op.execute(f"revoke all on schema {schema} from {role}")
    op.execute("drop schema queue cascade")
    op.execute("create schema queue")
