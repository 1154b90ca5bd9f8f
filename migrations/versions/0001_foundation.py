"""Accounts, catalogue, problems, vault, submissions, leaderboard."""

import sqlalchemy as sa
import sqlmodel
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("create schema if not exists vault")
    op.execute("create schema if not exists queue")
    op.create_table(
        "account",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("email", sqlmodel.sql.sqltypes.AutoString(length=320), nullable=True),
        sa.Column("name", sqlmodel.sql.sqltypes.AutoString(length=200), nullable=False),
        sa.Column("is_operator", sa.Boolean(), nullable=False),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("deleted_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account")),
        sa.UniqueConstraint("email", name=op.f("uq_account_email")),
    )
    op.create_table(
        "organisation",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("slug", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
        sa.Column("name", sqlmodel.sql.sqltypes.AutoString(length=200), nullable=False),
        sa.Column("verified", sa.Boolean(), nullable=False),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_organisation")),
        sa.UniqueConstraint("slug", name=op.f("uq_organisation_slug")),
    )
    op.create_table(
        "api_key",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        sa.Column("name", sqlmodel.sql.sqltypes.AutoString(length=100), nullable=False),
        sa.Column("hint", sqlmodel.sql.sqltypes.AutoString(length=16), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("scopes", sa.ARRAY(sa.Text()), nullable=False),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("expires_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.Column("last_used_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.Column("revoked_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["organisation_id"], ["organisation.id"], name=op.f("fk_api_key_organisation_id")),
        sa.ForeignKeyConstraint(["user_id"], ["account.id"], name=op.f("fk_api_key_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_key")),
        sa.UniqueConstraint("digest", name=op.f("uq_api_key_digest")),
    )
    op.create_index(op.f("ix_api_key_organisation_id"), "api_key", ["organisation_id"], unique=False)
    op.create_index(op.f("ix_api_key_user_id"), "api_key", ["user_id"], unique=False)
    op.create_table(
        "benchmark",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("slug", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        sa.Column("release_id", sa.Uuid(), nullable=True),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["organisation_id"], ["organisation.id"], name=op.f("fk_benchmark_organisation_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_benchmark")),
        sa.UniqueConstraint("slug", name=op.f("uq_benchmark_slug")),
    )
    op.create_index(op.f("ix_benchmark_organisation_id"), "benchmark", ["organisation_id"], unique=False)
    op.create_table(
        "membership",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        sa.Column("role", sqlmodel.sql.sqltypes.AutoString(length=20), nullable=False),
        sa.ForeignKeyConstraint(["organisation_id"], ["organisation.id"], name=op.f("fk_membership_organisation_id")),
        sa.ForeignKeyConstraint(["user_id"], ["account.id"], name=op.f("fk_membership_user_id")),
        sa.PrimaryKeyConstraint("user_id", "organisation_id", name=op.f("pk_membership")),
    )
    op.create_index(op.f("ix_membership_organisation_id"), "membership", ["organisation_id"], unique=False)
    op.create_table(
        "release",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("benchmark_id", sa.Uuid(), nullable=False),
        sa.Column("version", sqlmodel.sql.sqltypes.AutoString(length=40), nullable=False),
        sa.Column("title", sqlmodel.sql.sqltypes.AutoString(length=200), nullable=False),
        sa.Column("licence", sqlmodel.sql.sqltypes.AutoString(length=200), nullable=False),
        sa.Column("summary", sqlmodel.sql.sqltypes.AutoString(length=500), nullable=False),
        sa.Column("card", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("canary", sqlmodel.sql.sqltypes.AutoString(length=200), nullable=False),
        sa.Column("source", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("scoring", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("agreement", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=True),
        sa.Column("agreement_digest", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=True),
        sa.Column("digest", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
        sa.Column("gate", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=True),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["benchmark_id"], ["benchmark.id"], name=op.f("fk_release_benchmark_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_release")),
        sa.UniqueConstraint("benchmark_id", "version", name=op.f("uq_release_benchmark_id_version")),
    )
    op.create_table(
        "reviewer",
        sa.Column("benchmark_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(["benchmark_id"], ["benchmark.id"], name=op.f("fk_reviewer_benchmark_id")),
        sa.ForeignKeyConstraint(["user_id"], ["account.id"], name=op.f("fk_reviewer_user_id")),
        sa.PrimaryKeyConstraint("benchmark_id", "user_id", name=op.f("pk_reviewer")),
    )
    op.create_table(
        "agreement_acceptance",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        sa.Column("release_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("name", sqlmodel.sql.sqltypes.AutoString(length=200), nullable=False),
        sa.Column("text_digest", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
        sa.Column("state", sqlmodel.sql.sqltypes.AutoString(length=20), nullable=False),
        sa.Column("reason", sqlmodel.sql.sqltypes.AutoString(length=1000), nullable=False),
        sa.Column("accepted_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("decided_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name=op.f("fk_agreement_acceptance_organisation_id")
        ),
        sa.ForeignKeyConstraint(["release_id"], ["release.id"], name=op.f("fk_agreement_acceptance_release_id")),
        sa.ForeignKeyConstraint(["user_id"], ["account.id"], name=op.f("fk_agreement_acceptance_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_agreement_acceptance")),
        sa.UniqueConstraint(
            "organisation_id", "release_id", name=op.f("uq_agreement_acceptance_organisation_id_release_id")
        ),
    )
    op.create_index(op.f("ix_agreement_acceptance_release_id"), "agreement_acceptance", ["release_id"], unique=False)
    op.create_table(
        "asset",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("release_id", sa.Uuid(), nullable=False),
        sa.Column("path", sqlmodel.sql.sqltypes.AutoString(length=300), nullable=False),
        sa.Column("media_type", sqlmodel.sql.sqltypes.AutoString(length=100), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["release_id"], ["release.id"], name=op.f("fk_asset_release_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_asset")),
        sa.UniqueConstraint("release_id", "path", name=op.f("uq_asset_release_id_path")),
    )
    op.create_table(
        "split",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("release_id", sa.Uuid(), nullable=False),
        sa.Column("name", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
        sa.Column("visibility", sqlmodel.sql.sqltypes.AutoString(length=20), nullable=False),
        sa.Column("feedback", sqlmodel.sql.sqltypes.AutoString(length=20), nullable=False),
        sa.Column("config", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("problem_count", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["release_id"], ["release.id"], name=op.f("fk_split_release_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_split")),
        sa.UniqueConstraint("release_id", "name", name=op.f("uq_split_release_id_name")),
    )
    op.create_table(
        "daily_budget",
        sa.Column("key_id", sa.Uuid(), nullable=False),
        sa.Column("split_id", sa.Uuid(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("used", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["key_id"], ["api_key.id"], name=op.f("fk_daily_budget_key_id")),
        sa.ForeignKeyConstraint(["split_id"], ["split.id"], name=op.f("fk_daily_budget_split_id")),
        sa.PrimaryKeyConstraint("key_id", "split_id", "day", name=op.f("pk_daily_budget")),
    )
    op.create_table(
        "problem",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("release_id", sa.Uuid(), nullable=False),
        sa.Column("split_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("name", sqlmodel.sql.sqltypes.AutoString(length=128), nullable=False),
        sa.Column("type", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
        sa.Column("subject", sqlmodel.sql.sqltypes.AutoString(length=100), nullable=False),
        sa.Column("statement", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("choices", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("answer_format", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("images", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("sibling_group", sqlmodel.sql.sqltypes.AutoString(length=128), nullable=True),
        sa.Column("source", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("episode", sa.Boolean(), nullable=False),
        sa.Column("variation", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=True),
        sa.Column("gold", sqlmodel.sql.sqltypes.AutoString(), nullable=True),
        sa.Column("solution", sqlmodel.sql.sqltypes.AutoString(), nullable=True),
        sa.ForeignKeyConstraint(["release_id"], ["release.id"], name=op.f("fk_problem_release_id")),
        sa.ForeignKeyConstraint(["split_id"], ["split.id"], name=op.f("fk_problem_split_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_problem")),
        sa.UniqueConstraint("release_id", "name", name=op.f("uq_problem_release_id_name")),
        sa.UniqueConstraint("split_id", "position", name=op.f("uq_problem_split_id_position")),
    )
    op.create_table(
        "quota_use",
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        sa.Column("split_id", sa.Uuid(), nullable=False),
        sa.Column("used", sa.Integer(), nullable=False),
        sa.Column("made", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["organisation_id"], ["organisation.id"], name=op.f("fk_quota_use_organisation_id")),
        sa.ForeignKeyConstraint(["split_id"], ["split.id"], name=op.f("fk_quota_use_split_id")),
        sa.PrimaryKeyConstraint("organisation_id", "split_id", name=op.f("pk_quota_use")),
    )
    op.create_table(
        "submission",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("release_id", sa.Uuid(), nullable=False),
        sa.Column("split_id", sa.Uuid(), nullable=False),
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("key_id", sa.Uuid(), nullable=False),
        sa.Column("idempotency_key", sqlmodel.sql.sqltypes.AutoString(length=200), nullable=True),
        sa.Column("request_digest", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
        sa.Column("model", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("state", sqlmodel.sql.sqltypes.AutoString(length=20), nullable=False),
        sa.Column("expected", sa.Integer(), nullable=False),
        sa.Column("received", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("finalised_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.Column("graded_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.Column("score", sa.Float(), nullable=True),
        sa.Column("low", sa.Float(), nullable=True),
        sa.Column("high", sa.Float(), nullable=True),
        sa.Column("breakdown", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=True),
        sa.Column("usage", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=True),
        sa.Column("failure", sqlmodel.sql.sqltypes.AutoString(length=500), nullable=False),
        sa.ForeignKeyConstraint(["key_id"], ["api_key.id"], name=op.f("fk_submission_key_id")),
        sa.ForeignKeyConstraint(["organisation_id"], ["organisation.id"], name=op.f("fk_submission_organisation_id")),
        sa.ForeignKeyConstraint(["release_id"], ["release.id"], name=op.f("fk_submission_release_id")),
        sa.ForeignKeyConstraint(["split_id"], ["split.id"], name=op.f("fk_submission_split_id")),
        sa.ForeignKeyConstraint(["user_id"], ["account.id"], name=op.f("fk_submission_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_submission")),
        sa.UniqueConstraint(
            "organisation_id", "idempotency_key", name=op.f("uq_submission_organisation_id_idempotency_key")
        ),
    )
    op.create_index(op.f("ix_submission_organisation_id"), "submission", ["organisation_id"], unique=False)
    op.create_index("ix_submission_split_state", "submission", ["split_id", "state"], unique=False)
    op.create_index(
        "ix_submission_waiting",
        "submission",
        ["finalised_at"],
        unique=False,
        postgresql_where=sa.text("state in ('queued', 'grading')"),
    )
    op.create_table(
        "entry",
        sa.Column("submission_id", sa.Uuid(), nullable=False),
        sa.Column("split_id", sa.Uuid(), nullable=False),
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        sa.Column("organisation", sqlmodel.sql.sqltypes.AutoString(length=200), nullable=False),
        sa.Column("model_name", sqlmodel.sql.sqltypes.AutoString(length=200), nullable=False),
        sa.Column("model", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("score", sa.Float(), nullable=False),
        sa.Column("low", sa.Float(), nullable=False),
        sa.Column("high", sa.Float(), nullable=False),
        sa.Column("coverage", sa.Float(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("breakdown", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("usage", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("verified", sa.Boolean(), nullable=False),
        sa.Column("hidden", sa.Boolean(), nullable=False),
        sa.Column("best", sa.Boolean(), nullable=False),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("visible_from", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["organisation_id"], ["organisation.id"], name=op.f("fk_entry_organisation_id")),
        sa.ForeignKeyConstraint(["split_id"], ["split.id"], name=op.f("fk_entry_split_id")),
        sa.ForeignKeyConstraint(["submission_id"], ["submission.id"], name=op.f("fk_entry_submission_id")),
        sa.PrimaryKeyConstraint("submission_id", name=op.f("pk_entry")),
    )
    op.create_index(
        "ix_entry_all",
        "entry",
        ["split_id", sa.literal_column("score desc"), "submission_id"],
        unique=False,
        postgresql_where=sa.text("not hidden"),
    )
    op.create_index(
        "ix_entry_best",
        "entry",
        ["split_id", sa.literal_column("score desc"), "submission_id"],
        unique=False,
        postgresql_where=sa.text("best and not hidden"),
    )
    op.create_index("ix_entry_model", "entry", ["split_id", "organisation_id", "model_name"], unique=False)
    op.create_table(
        "exposure",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        sa.Column("key_id", sa.Uuid(), nullable=False),
        sa.Column("problem_id", sa.Uuid(), nullable=False),
        sa.Column("split_id", sa.Uuid(), nullable=False),
        sa.Column("variant", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
        sa.Column("channel", sqlmodel.sql.sqltypes.AutoString(length=20), nullable=False),
        sa.Column("address", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
        sa.Column("served_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["key_id"], ["api_key.id"], name=op.f("fk_exposure_key_id")),
        sa.ForeignKeyConstraint(["organisation_id"], ["organisation.id"], name=op.f("fk_exposure_organisation_id")),
        sa.ForeignKeyConstraint(["problem_id"], ["problem.id"], name=op.f("fk_exposure_problem_id")),
        sa.ForeignKeyConstraint(["split_id"], ["split.id"], name=op.f("fk_exposure_split_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_exposure")),
    )
    op.create_index(op.f("ix_exposure_organisation_id"), "exposure", ["organisation_id"], unique=False)
    op.create_index(op.f("ix_exposure_problem_id"), "exposure", ["problem_id"], unique=False)
    op.create_index(op.f("ix_exposure_split_id"), "exposure", ["split_id"], unique=False)
    op.create_table(
        "submission_item",
        sa.Column("submission_id", sa.Uuid(), nullable=False),
        sa.Column("problem_id", sa.Uuid(), nullable=False),
        sa.Column("answer", sqlmodel.sql.sqltypes.AutoString(), nullable=True),
        sa.Column("data", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=True),
        sa.Column("trajectory", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=True),
        sa.Column("usage", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=True),
        sa.Column("score", sa.Float(), nullable=True),
        sa.Column("outcome", sqlmodel.sql.sqltypes.AutoString(length=20), nullable=True),
        sa.Column("reason", sqlmodel.sql.sqltypes.AutoString(), nullable=True),
        sa.Column("grader", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=True),
        sa.Column("grader_version", sqlmodel.sql.sqltypes.AutoString(length=40), nullable=True),
        sa.Column("reference_digest", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=True),
        sa.Column("detail", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=True),
        sa.Column("finish_reason", sqlmodel.sql.sqltypes.AutoString(length=40), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("graded_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["problem_id"], ["problem.id"], name=op.f("fk_submission_item_problem_id")),
        sa.ForeignKeyConstraint(["submission_id"], ["submission.id"], name=op.f("fk_submission_item_submission_id")),
        sa.PrimaryKeyConstraint("submission_id", "problem_id", name=op.f("pk_submission_item")),
    )
    op.create_index(
        "ix_submission_item_ungraded",
        "submission_item",
        ["submission_id"],
        unique=False,
        postgresql_where=sa.text("graded_at is null"),
    )
    op.create_table(
        "reference",
        sa.Column("problem_id", sa.Uuid(), nullable=False),
        sa.Column("release_id", sa.Uuid(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["problem_id"], ["problem.id"], name=op.f("fk_reference_problem_id")),
        sa.ForeignKeyConstraint(["release_id"], ["release.id"], name=op.f("fk_reference_release_id")),
        sa.PrimaryKeyConstraint("problem_id", name=op.f("pk_reference")),
        schema="vault",
    )
    op.create_index(op.f("ix_reference_release_id"), "reference", ["release_id"], unique=False, schema="vault")


def downgrade() -> None:
    op.drop_index(op.f("ix_reference_release_id"), table_name="reference", schema="vault")
    op.drop_table("reference", schema="vault")
    op.drop_index(
        "ix_submission_item_ungraded", table_name="submission_item", postgresql_where=sa.text("graded_at is null")
    )
    op.drop_table("submission_item")
    op.drop_index(op.f("ix_exposure_split_id"), table_name="exposure")
    op.drop_index(op.f("ix_exposure_problem_id"), table_name="exposure")
    op.drop_index(op.f("ix_exposure_organisation_id"), table_name="exposure")
    op.drop_table("exposure")
    op.drop_index("ix_entry_model", table_name="entry")
    op.drop_index("ix_entry_best", table_name="entry", postgresql_where=sa.text("best and not hidden"))
    op.drop_index("ix_entry_all", table_name="entry", postgresql_where=sa.text("not hidden"))
    op.drop_table("entry")
    op.drop_index(
        "ix_submission_waiting", table_name="submission", postgresql_where=sa.text("state in ('queued', 'grading')")
    )
    op.drop_index("ix_submission_split_state", table_name="submission")
    op.drop_index(op.f("ix_submission_organisation_id"), table_name="submission")
    op.drop_table("submission")
    op.drop_table("quota_use")
    op.drop_table("problem")
    op.drop_table("daily_budget")
    op.drop_table("split")
    op.drop_table("asset")
    op.drop_index(op.f("ix_agreement_acceptance_release_id"), table_name="agreement_acceptance")
    op.drop_table("agreement_acceptance")
    op.drop_table("reviewer")
    op.drop_table("release")
    op.drop_index(op.f("ix_membership_organisation_id"), table_name="membership")
    op.drop_table("membership")
    op.drop_index(op.f("ix_benchmark_organisation_id"), table_name="benchmark")
    op.drop_table("benchmark")
    op.drop_index(op.f("ix_api_key_user_id"), table_name="api_key")
    op.drop_index(op.f("ix_api_key_organisation_id"), table_name="api_key")
    op.drop_table("api_key")
    op.drop_table("organisation")
    op.drop_table("account")
    op.execute("drop schema vault")
