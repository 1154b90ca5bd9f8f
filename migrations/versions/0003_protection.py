"""Ladder, sealed ledger, leak traces, regrading, declared runs."""

import sqlalchemy as sa
import sqlmodel
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

WEB, WORKER, HOST = "heldout_web", "heldout_worker", "heldout_host"
TABLES = ("declaration", "released_score", "ladder_state", "regraded", "regrade", "leak_trace", "ledger_seal")


def _text(length: int) -> sa.types.TypeEngine:
    return sqlmodel.sql.sqltypes.AutoString(length=length)


def _json() -> sa.types.TypeEngine:
    return postgresql.JSONB(astext_type=sa.Text())


def _time(name: str, *, nullable: bool = False) -> sa.Column:
    return sa.Column(name, sqlmodel.sql.sqltypes.UTCDateTime(), nullable=nullable)


def _reference(table: str, column: str, target: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [target], name=op.f(f"fk_{table}_{column}"))


def upgrade() -> None:
    op.add_column("entry", sa.Column("declared", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.alter_column("entry", "declared", server_default=None)
    op.add_column("entry", sa.Column("contamination", _json(), nullable=True))
    _ledger()
    _regrades()
    _ladder()
    op.execute(f"revoke update, delete, truncate on released_score, ledger_seal from {WEB}, {WORKER}, {HOST}")
    op.execute(f"revoke insert, update, delete on released_score, ladder_state, ledger_seal from {WEB}, {HOST}")
    op.execute(f"revoke insert, update, delete on regrade, regraded from {WEB}, {HOST}")


def _ledger() -> None:
    op.create_table(
        "ledger_seal",
        sa.Column("number", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("exposure_id", sa.BigInteger(), nullable=False),
        sa.Column("hash", _text(64), nullable=False),
        _time("sealed_at"),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_ledger_seal")),
        sa.UniqueConstraint("exposure_id", name=op.f("uq_ledger_seal_exposure_id")),
    )
    op.create_table(
        "leak_trace",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("benchmark_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=True),
        sa.Column("state", _text(20), nullable=False),
        sa.Column("payload", _json(), nullable=True),
        sa.Column("report", _json(), nullable=True),
        _time("created_at"),
        _time("finished_at", nullable=True),
        _reference("leak_trace", "benchmark_id", "benchmark.id"),
        _reference("leak_trace", "user_id", "account.id"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_leak_trace")),
    )
    op.create_index(op.f("ix_leak_trace_benchmark_id"), "leak_trace", ["benchmark_id"], unique=False)


def _regrades() -> None:
    op.create_table(
        "regrade",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("benchmark_id", sa.Uuid(), nullable=False),
        sa.Column("reason", _text(1000), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        _time("created_at"),
        _time("finished_at", nullable=True),
        _reference("regrade", "benchmark_id", "benchmark.id"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_regrade")),
    )
    op.create_index(op.f("ix_regrade_benchmark_id"), "regrade", ["benchmark_id"], unique=False)
    op.create_table(
        "regraded",
        sa.Column("regrade_id", sa.Uuid(), nullable=False),
        sa.Column("submission_id", sa.Uuid(), nullable=False),
        sa.Column("before", _json(), nullable=False),
        sa.Column("after", _json(), nullable=False),
        sa.Column("items_changed", sa.Integer(), nullable=False),
        _time("created_at"),
        _reference("regraded", "regrade_id", "regrade.id"),
        _reference("regraded", "submission_id", "submission.id"),
        sa.PrimaryKeyConstraint("regrade_id", "submission_id", name=op.f("pk_regraded")),
    )
    op.create_index(op.f("ix_regraded_submission_id"), "regraded", ["submission_id"], unique=False)


def _ladder() -> None:
    op.create_table(
        "ladder_state",
        sa.Column("split_id", sa.Uuid(), nullable=False),
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("releases", sa.Integer(), nullable=False),
        sa.Column("released", sa.Float(), nullable=True),
        sa.Column("bits", sa.Float(), nullable=False),
        sa.Column("best_id", sa.Uuid(), nullable=True),
        _reference("ladder_state", "split_id", "split.id"),
        _reference("ladder_state", "organisation_id", "organisation.id"),
        _reference("ladder_state", "best_id", "submission.id"),
        sa.PrimaryKeyConstraint("split_id", "organisation_id", name=op.f("pk_ladder_state")),
    )
    op.create_table(
        "released_score",
        sa.Column("submission_id", sa.Uuid(), nullable=False),
        sa.Column("split_id", sa.Uuid(), nullable=False),
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("released", sa.Float(), nullable=False),
        sa.Column("bits", sa.Float(), nullable=False),
        _time("released_at"),
        _reference("released_score", "submission_id", "submission.id"),
        _reference("released_score", "split_id", "split.id"),
        _reference("released_score", "organisation_id", "organisation.id"),
        sa.PrimaryKeyConstraint("submission_id", name=op.f("pk_released_score")),
    )
    op.create_index(op.f("ix_released_score_split_id"), "released_score", ["split_id"], unique=False)
    op.create_table(
        "declaration",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("split_id", sa.Uuid(), nullable=False),
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("model_name", _text(200), nullable=False),
        sa.Column("commit", _text(200), nullable=False),
        _time("declared_at"),
        _reference("declaration", "split_id", "split.id"),
        _reference("declaration", "organisation_id", "organisation.id"),
        _reference("declaration", "user_id", "account.id"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_declaration")),
    )
    op.create_index(op.f("ix_declaration_split_id"), "declaration", ["split_id"], unique=False)


def downgrade() -> None:
    for table in TABLES:
        op.drop_table(table)
    op.drop_column("entry", "contamination")
    op.drop_column("entry", "declared")
