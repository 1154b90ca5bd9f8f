"""People who grade: reviews and their votes."""

import sqlalchemy as sa
import sqlmodel
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "review",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("submission_id", sa.Uuid(), nullable=False),
        sa.Column("problem_id", sa.Uuid(), nullable=False),
        sa.Column("benchmark_id", sa.Uuid(), nullable=False),
        sa.Column("purpose", sqlmodel.sql.sqltypes.AutoString(length=20), nullable=False),
        sa.Column("sheet", sa.LargeBinary(), nullable=True),
        sa.Column("wanted", sa.Integer(), nullable=False),
        sa.Column("lease_user", sa.Uuid(), nullable=True),
        sa.Column("lease_until", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.Column("score", sa.Float(), nullable=True),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("settled_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.Column("applied_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["benchmark_id"], ["benchmark.id"], name=op.f("fk_review_benchmark_id")),
        sa.ForeignKeyConstraint(["problem_id"], ["problem.id"], name=op.f("fk_review_problem_id")),
        sa.ForeignKeyConstraint(["submission_id"], ["submission.id"], name=op.f("fk_review_submission_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_review")),
        sa.UniqueConstraint(
            "submission_id", "problem_id", "purpose", name=op.f("uq_review_submission_id_problem_id_purpose")
        ),
    )
    op.create_index(
        "ix_review_open",
        "review",
        ["benchmark_id", "created_at"],
        unique=False,
        postgresql_where=sa.text("settled_at is null"),
    )
    op.create_table(
        "review_vote",
        sa.Column("review_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("credits", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("score", sa.Float(), nullable=False),
        sa.Column("comment", sqlmodel.sql.sqltypes.AutoString(length=4000), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["review_id"], ["review.id"], name=op.f("fk_review_vote_review_id")),
        sa.ForeignKeyConstraint(["user_id"], ["account.id"], name=op.f("fk_review_vote_user_id")),
        sa.PrimaryKeyConstraint("review_id", "user_id", name=op.f("pk_review_vote")),
    )


def downgrade() -> None:
    op.drop_table("review_vote")
    op.drop_index("ix_review_open", table_name="review", postgresql_where=sa.text("settled_at is null"))
    op.drop_table("review")
