"""Sign-in: identities, web sessions, links, the device flow; invitations, verified organisations, who decided."""

import sqlalchemy as sa
import sqlmodel
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

WORKER, HOST = "heldout_worker", "heldout_host"
TABLES = ("identity", "web_session", "login_link", "device_grant", "code_guess", "invitation")


def _text(name: str, length: int, *, nullable: bool = False) -> sa.Column:
    return sa.Column(name, sqlmodel.sql.sqltypes.AutoString(length=length), nullable=nullable)


def _time(name: str, *, nullable: bool = False) -> sa.Column:
    return sa.Column(name, sqlmodel.sql.sqltypes.UTCDateTime(), nullable=nullable)


def _uuid(name: str, *, nullable: bool = False) -> sa.Column:
    return sa.Column(name, sa.Uuid(), nullable=nullable)


def _digest(name: str) -> sa.Column:
    return sa.Column(name, sa.LargeBinary(), nullable=False)


def _reference(table: str, column: str, target: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [target], name=op.f(f"fk_{table}_{column}"))


def upgrade() -> None:
    # One spelling of each address: accounts are found by it.
    op.execute("update account set email = lower(email) where email ~ '[A-Z]'")
    _people()
    _devices()
    _organisations()
    op.execute(f"revoke all on {', '.join(TABLES)} from {HOST}")
    op.execute(f"revoke insert, update on {', '.join(TABLES)} from {WORKER}")


def _people() -> None:
    op.create_table(
        "identity",
        _uuid("id"),
        _uuid("user_id"),
        _text("issuer", 500),
        _text("subject", 255),
        _text("email", 320),
        _time("created_at"),
        _time("used_at"),
        _reference("identity", "user_id", "account.id"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_identity")),
        sa.UniqueConstraint("issuer", "subject", name=op.f("uq_identity_issuer_subject")),
    )
    op.create_index(op.f("ix_identity_user_id"), "identity", ["user_id"], unique=False)
    op.create_table(
        "web_session",
        _uuid("id"),
        _uuid("user_id"),
        _digest("digest"),
        _text("address", 64),
        _text("agent", 200),
        _time("created_at"),
        _time("seen_at"),
        _time("expires_at"),
        _time("ended_at", nullable=True),
        _reference("web_session", "user_id", "account.id"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_web_session")),
        sa.UniqueConstraint("digest", name=op.f("uq_web_session_digest")),
    )
    op.create_index(op.f("ix_web_session_user_id"), "web_session", ["user_id"], unique=False)
    op.create_table(
        "login_link",
        _digest("digest"),
        _uuid("user_id"),
        _time("created_at"),
        _time("expires_at"),
        _time("used_at", nullable=True),
        _reference("login_link", "user_id", "account.id"),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_login_link")),
    )
    op.create_index(op.f("ix_login_link_user_id"), "login_link", ["user_id"], unique=False)


def _devices() -> None:
    op.create_table(
        "device_grant",
        _uuid("id"),
        _digest("device_digest"),
        _digest("user_digest"),
        _text("client", 100),
        _text("address", 64),
        sa.Column("scopes", postgresql.ARRAY(sa.Text()), nullable=False),
        _text("state", 20),
        sa.Column("interval", sa.Integer(), nullable=False),
        _uuid("user_id", nullable=True),
        _uuid("organisation_id", nullable=True),
        sa.Column("days", sa.Integer(), nullable=True),
        _time("created_at"),
        _time("expires_at"),
        _time("polled_at", nullable=True),
        _reference("device_grant", "user_id", "account.id"),
        _reference("device_grant", "organisation_id", "organisation.id"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_device_grant")),
        sa.UniqueConstraint("device_digest", name=op.f("uq_device_grant_device_digest")),
        sa.UniqueConstraint("user_digest", name=op.f("uq_device_grant_user_digest")),
    )
    op.create_index(op.f("ix_device_grant_user_id"), "device_grant", ["user_id"], unique=False)
    op.create_table(
        "code_guess",
        _text("subject", 100),
        _time("since"),
        sa.Column("wrong", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("subject", name=op.f("pk_code_guess")),
    )


def _organisations() -> None:
    op.create_table(
        "invitation",
        _uuid("id"),
        _uuid("organisation_id"),
        _uuid("invited_by"),
        _digest("digest"),
        _text("email", 320, nullable=True),
        _text("role", 20),
        _time("created_at"),
        _time("expires_at"),
        _time("used_at", nullable=True),
        _time("withdrawn_at", nullable=True),
        _reference("invitation", "organisation_id", "organisation.id"),
        _reference("invitation", "invited_by", "account.id"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitation")),
        sa.UniqueConstraint("digest", name=op.f("uq_invitation_digest")),
    )
    op.create_index(op.f("ix_invitation_organisation_id"), "invitation", ["organisation_id"], unique=False)
    op.add_column("organisation", _time("verified_at", nullable=True))
    op.add_column("organisation", _uuid("verified_by", nullable=True))
    op.add_column("organisation", _text("domain", 253, nullable=True))
    op.create_foreign_key(op.f("fk_organisation_verified_by"), "organisation", "account", ["verified_by"], ["id"])
    op.create_unique_constraint(op.f("uq_organisation_domain"), "organisation", ["domain"])
    op.execute("update organisation set verified_at = clock_timestamp() where verified")
    op.drop_column("organisation", "verified")
    op.add_column("agreement_acceptance", _uuid("decided_by", nullable=True))
    op.create_foreign_key(
        op.f("fk_agreement_acceptance_decided_by"), "agreement_acceptance", "account", ["decided_by"], ["id"]
    )


def downgrade() -> None:
    op.drop_constraint(op.f("fk_agreement_acceptance_decided_by"), "agreement_acceptance", type_="foreignkey")
    op.drop_column("agreement_acceptance", "decided_by")
    op.add_column("organisation", sa.Column("verified", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.alter_column("organisation", "verified", server_default=None)
    op.execute("update organisation set verified = verified_at is not null")
    op.drop_constraint(op.f("fk_organisation_verified_by"), "organisation", type_="foreignkey")
    for column in ("domain", "verified_by", "verified_at"):
        op.drop_column("organisation", column)
    for table in TABLES:
        op.drop_table(table)
