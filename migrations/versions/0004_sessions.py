"""Sessions, their logs and hosts; episodes and evidence in the vault; a host may touch these tables alone."""

import sqlalchemy as sa
import sqlmodel
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

WEB, WORKER, HOST = "heldout_web", "heldout_worker", "heldout_host"
HOST_WRITES = (
    "state, step_limit, seconds, active_at, deadline, steps, finish_reason, answer, holder, epoch, ended_at, "
    "divergence, faults"
)
WEB_WRITES = "state, finish_reason, failure, holder, epoch, ended_at, takeovers"


def upgrade() -> None:
    op.create_table(
        "session_host",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("address", sqlmodel.sql.sqltypes.AutoString(length=200), nullable=False),
        sa.Column("token", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
        sa.Column("slots", sa.Integer(), nullable=False),
        sa.Column("draining", sa.Boolean(), nullable=False),
        sa.Column("started_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("seen_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_session_host")),
    )
    op.create_table(
        "session_refusal",
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        sa.Column("refused_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name=op.f("fk_session_refusal_organisation_id")
        ),
        sa.PrimaryKeyConstraint("organisation_id", name=op.f("pk_session_refusal")),
    )
    op.create_table(
        "live_session",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("problem_id", sa.Uuid(), nullable=False),
        sa.Column("split_id", sa.Uuid(), nullable=False),
        sa.Column("submission_id", sa.Uuid(), nullable=True),
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        sa.Column("key_id", sa.Uuid(), nullable=False),
        sa.Column("idempotency_key", sqlmodel.sql.sqltypes.AutoString(length=200), nullable=True),
        sa.Column("origin", sqlmodel.sql.sqltypes.AutoString(length=10), nullable=False),
        sa.Column("state", sqlmodel.sql.sqltypes.AutoString(length=10), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("variant", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
        sa.Column("steps", sa.Integer(), nullable=False),
        sa.Column("step_limit", sa.Integer(), nullable=False),
        sa.Column("seconds", sa.Integer(), nullable=False),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("active_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("deadline", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.Column("ended_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.Column("holder", sa.Uuid(), nullable=True),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("takeovers", sa.Integer(), nullable=False),
        sa.Column("faults", sa.Integer(), nullable=False),
        sa.Column("finish_reason", sqlmodel.sql.sqltypes.AutoString(length=40), nullable=True),
        sa.Column("answer", sqlmodel.sql.sqltypes.AutoString(), nullable=True),
        sa.Column("divergence", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=True),
        sa.Column("failure", sqlmodel.sql.sqltypes.AutoString(length=500), nullable=False),
        sa.Column("score", sa.Float(), nullable=True),
        sa.Column("outcome", sqlmodel.sql.sqltypes.AutoString(length=20), nullable=True),
        sa.Column("reason", sqlmodel.sql.sqltypes.AutoString(), nullable=True),
        sa.Column("grader", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=True),
        sa.Column("graded_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["key_id"], ["api_key.id"], name=op.f("fk_live_session_key_id")),
        sa.ForeignKeyConstraint(["organisation_id"], ["organisation.id"], name=op.f("fk_live_session_organisation_id")),
        sa.ForeignKeyConstraint(["problem_id"], ["problem.id"], name=op.f("fk_live_session_problem_id")),
        sa.ForeignKeyConstraint(["split_id"], ["split.id"], name=op.f("fk_live_session_split_id")),
        sa.ForeignKeyConstraint(["submission_id"], ["submission.id"], name=op.f("fk_live_session_submission_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_live_session")),
    )
    op.create_index(
        "ix_live_session_active",
        "live_session",
        ["holder"],
        unique=False,
        postgresql_where=sa.text("state in ('opening', 'running', 'ended')"),
    )
    op.create_index(op.f("ix_live_session_organisation_id"), "live_session", ["organisation_id"], unique=False)
    op.create_index(op.f("ix_live_session_problem_id"), "live_session", ["problem_id"], unique=False)
    op.create_index(
        "uq_live_session_idempotency_key",
        "live_session",
        ["organisation_id", "idempotency_key"],
        unique=True,
        postgresql_where=sa.text("state <> 'failed'"),
    )
    op.create_index(
        "uq_live_session_submission_problem",
        "live_session",
        ["submission_id", "problem_id"],
        unique=True,
        postgresql_where=sa.text("state <> 'failed'"),
    )
    op.create_table(
        "episode",
        sa.Column("problem_id", sa.Uuid(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["problem_id"], ["problem.id"], name=op.f("fk_episode_problem_id")),
        sa.PrimaryKeyConstraint("problem_id", name=op.f("pk_episode")),
        schema="vault",
    )
    op.create_table(
        "session_step",
        sa.Column("session_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("action", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=True),
        sa.Column("observation", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("digest", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
        sa.Column("finish", sqlmodel.sql.sqltypes.AutoString(length=40), nullable=True),
        sa.Column("answer", sqlmodel.sql.sqltypes.AutoString(), nullable=True),
        sa.Column("error", sqlmodel.sql.sqltypes.AutoString(), nullable=True),
        sa.Column("stored_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["session_id"], ["live_session.id"], name=op.f("fk_session_step_session_id")),
        sa.PrimaryKeyConstraint("session_id", "number", name=op.f("pk_session_step")),
    )
    op.create_table(
        "evidence",
        sa.Column("session_id", sa.Uuid(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["session_id"], ["live_session.id"], name=op.f("fk_evidence_session_id")),
        sa.PrimaryKeyConstraint("session_id", name=op.f("pk_evidence")),
        schema="vault",
    )
    _rights()


def _rights() -> None:
    for schema in ("public", "queue"):
        op.execute(f"revoke all on all tables in schema {schema} from {HOST}")
        op.execute(f"revoke all on all sequences in schema {schema} from {HOST}")
        op.execute(f"alter default privileges in schema {schema} revoke all on tables from {HOST}")
        op.execute(f"alter default privileges in schema {schema} revoke all on sequences from {HOST}")
    op.execute(f"revoke all on schema queue from {HOST}")
    op.execute(f"grant select, insert, update, delete on session_host to {HOST}")
    op.execute(f"grant select, update ({HOST_WRITES}) on live_session to {HOST}")
    op.execute(f"grant select, insert on session_step to {HOST}")
    op.execute(f"grant usage on schema vault to {HOST}")
    op.execute(f"grant select on vault.episode to {HOST}")
    op.execute(f"grant insert on vault.evidence to {HOST}")
    op.execute(f"revoke insert, update on session_host from {WEB}, {WORKER}")
    op.execute(f"revoke insert, update, delete, truncate on session_step from {WEB}, {WORKER}")
    op.execute(f"revoke update, delete, truncate on live_session from {WEB}")
    op.execute(f"grant update ({WEB_WRITES}) on live_session to {WEB}")


def downgrade() -> None:
    op.drop_table("evidence", schema="vault")
    op.drop_table("session_step")
    op.drop_table("episode", schema="vault")
    op.drop_index(
        "uq_live_session_submission_problem", table_name="live_session", postgresql_where=sa.text("state <> 'failed'")
    )
    op.drop_index(
        "uq_live_session_idempotency_key", table_name="live_session", postgresql_where=sa.text("state <> 'failed'")
    )
    op.drop_index(op.f("ix_live_session_problem_id"), table_name="live_session")
    op.drop_index(op.f("ix_live_session_organisation_id"), table_name="live_session")
    op.drop_index(
        "ix_live_session_active",
        table_name="live_session",
        postgresql_where=sa.text("state in ('opening', 'running', 'ended')"),
    )
    op.drop_table("live_session")
    op.drop_table("session_refusal")
    op.drop_table("session_host")
    for schema in ("public", "queue"):
        op.execute(f"grant usage on schema {schema} to {HOST}")
        op.execute(f"grant select, insert, update, delete on all tables in schema {schema} to {HOST}")
    op.execute(f"revoke all on schema vault from {HOST}")
