"""Matches of two participants: the web role writes what was played, the worker how it ended and the ratings."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None

WEB, WORKER, HOST = "heldout_web", "heldout_worker", "heldout_host"
TABLES = ("game_match", "match_seat", "match_action", "match_rating")
# Times are the database's own: nobody who writes a reply says when it came.
WRITTEN = {
    "game_match": "id, benchmark_id, invited, deal, seconds",
    "match_seat": "id, match_id, side, organisation_id, party, model_name, idempotency_key",
    "match_action": "match_id, number, side, action",
}


def _now(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=False, server_default=sa.text("now()"))


def upgrade() -> None:
    op.create_table(
        "game_match",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("benchmark_id", sa.Uuid(), sa.ForeignKey("benchmark.id"), nullable=False),
        sa.Column("invited", sa.Uuid(), sa.ForeignKey("organisation.id"), nullable=True),
        sa.Column("deal", JSONB(), nullable=False),
        sa.Column("seconds", sa.Integer(), nullable=False),
        _now("created_at"),
        sa.Column("winner", sa.Integer(), nullable=True),
        sa.Column("ended", sa.String(20), nullable=True),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=True),
    )
    op.create_index("ix_game_match_benchmark_id", "game_match", ["benchmark_id"])
    op.create_index("ix_game_match_undecided", "game_match", ["id"], postgresql_where=sa.text("ended is null"))
    op.create_table(
        "match_seat",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("match_id", sa.Uuid(), sa.ForeignKey("game_match.id"), nullable=False),
        sa.Column("side", sa.Integer(), nullable=False),
        sa.Column("organisation_id", sa.Uuid(), sa.ForeignKey("organisation.id"), nullable=False),
        sa.Column("party", sa.Uuid(), nullable=False),
        sa.Column("model_name", sa.String(200), nullable=False),
        sa.Column("idempotency_key", sa.String(200), nullable=True),
        _now("joined_at"),
        sa.UniqueConstraint("match_id", "side"),
        sa.UniqueConstraint("organisation_id", "idempotency_key"),
    )
    op.create_index("ix_match_seat_party", "match_seat", ["party"])
    op.create_table(
        "match_action",
        sa.Column("match_id", sa.Uuid(), sa.ForeignKey("game_match.id"), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("side", sa.Integer(), nullable=False),
        sa.Column("action", JSONB(none_as_null=True), nullable=True),
        _now("created_at"),
    )
    op.create_table(
        "match_rating",
        sa.Column("benchmark_id", sa.Uuid(), sa.ForeignKey("benchmark.id"), primary_key=True),
        sa.Column("organisation_id", sa.Uuid(), sa.ForeignKey("organisation.id"), primary_key=True),
        sa.Column("model_name", sa.String(200), primary_key=True),
        sa.Column("elo", sa.Float(), nullable=False),
        sa.Column("interval", sa.Float(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("played", sa.Integer(), nullable=False),
        sa.Column("lost_by", JSONB(), nullable=False),
    )
    op.execute(f"revoke all on {', '.join(TABLES)} from {WEB}, {WORKER}, {HOST}")
    op.execute(f"grant select on {', '.join(TABLES)} to {WEB}, {WORKER}")
    for table, columns in WRITTEN.items():
        op.execute(f"grant insert ({columns}) on {table} to {WEB}")
    op.execute(f"grant update (winner, ended, decided_at) on game_match to {WORKER}")
    op.execute(f"grant insert, delete on match_rating to {WORKER}")


def downgrade() -> None:
    for table in reversed(TABLES):
        op.drop_table(table)
