"""What hidden splits release: an append-only table of feedback releases is the only source of what is shown of them.

Splits keep their configuration; the older spellings of their policies become the presets. What was released before
stays on the boards as it stands; scores, breakdowns, corrections and tests that nobody is to read go.
"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

WEB, WORKER, HOST = "heldout_web", "heldout_worker", "heldout_host"
NEW = ("feedback_intake", "feedback_release", "ranking_selection", "ranking_schedule")
_HIDDEN = "split_id in (select id from split where visibility <> 'dev')"


def upgrade() -> None:
    _releases()
    _intake()
    _rankings()
    _vault()
    _entries()
    _grants()
    _carry()


def _releases() -> None:
    op.create_table(
        "feedback_release",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("split_id", sa.Uuid(), sa.ForeignKey("split.id"), nullable=False),
        sa.Column("receiver", sa.Uuid(), nullable=False),
        sa.Column("submission_id", sa.Uuid(), sa.ForeignKey("submission.id"), nullable=False),
        sa.Column("part", sa.String(20), nullable=False),
        sa.Column("new", sa.Boolean(), nullable=False),
        sa.Column("band", sa.Integer(), nullable=True),
        sa.Column("left", sa.Integer(), nullable=False),
        sa.Column("bits", sa.Float(), nullable=False),
        sa.Column("regrade", sa.Boolean(), nullable=False),
        sa.Column("judge_weak", sa.Boolean(), nullable=False),
        sa.Column("contaminated", sa.Boolean(), nullable=False),
        sa.Column("scheduled", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_feedback_release_split", "feedback_release", ["split_id", "receiver", "part", "id"])
    op.create_index("ix_feedback_release_submission", "feedback_release", ["submission_id"])
    op.execute(
        """create function feedback_release_stays() returns trigger language plpgsql as
           $$ begin raise exception 'feedback releases are never changed'; end $$"""
    )
    op.execute(
        """create trigger feedback_release_stays before update or delete on feedback_release
           for each statement execute function feedback_release_stays()"""
    )


def _intake() -> None:
    op.create_table(
        "feedback_intake",
        sa.Column("submission_id", sa.Uuid(), sa.ForeignKey("submission.id"), primary_key=True),
        sa.Column("split_id", sa.Uuid(), sa.ForeignKey("split.id"), nullable=False),
        sa.Column("organisation_id", sa.Uuid(), sa.ForeignKey("organisation.id"), nullable=False),
        sa.Column("decide_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("outcome", sa.String(20), nullable=True),
        sa.Column("left", sa.Integer(), nullable=True),
        sa.Column("digest", sa.String(64), nullable=True),
        sa.Column("release_id", sa.Uuid(), sa.ForeignKey("feedback_release.id"), nullable=True),
    )
    op.create_index(
        "ix_feedback_intake_due", "feedback_intake", ["decide_at"], postgresql_where=sa.text("outcome is null")
    )
    op.create_index("ix_feedback_intake_organisation", "feedback_intake", ["split_id", "organisation_id"])


def _rankings() -> None:
    op.create_table(
        "ranking_selection",
        sa.Column("split_id", sa.Uuid(), sa.ForeignKey("split.id"), primary_key=True),
        sa.Column("organisation_id", sa.Uuid(), sa.ForeignKey("organisation.id"), primary_key=True),
        sa.Column("model_name", sa.String(200), primary_key=True),
        sa.Column("submission_id", sa.Uuid(), sa.ForeignKey("submission.id"), nullable=False),
        sa.Column("selected_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "ranking_schedule",
        sa.Column("split_id", sa.Uuid(), sa.ForeignKey("split.id"), primary_key=True),
        sa.Column("scheduled", sa.DateTime(timezone=True), primary_key=True),
        sa.Column("called", sa.Boolean(), nullable=False),
        sa.Column("done", sa.Boolean(), nullable=False),
    )


def _vault() -> None:
    op.create_table(
        "split_part",
        sa.Column("problem_id", sa.Uuid(), sa.ForeignKey("problem.id"), primary_key=True),
        sa.Column("split_id", sa.Uuid(), sa.ForeignKey("split.id"), nullable=False),
        sa.Column("part", sa.String(20), nullable=False),
        schema="vault",
    )
    op.create_index("ix_split_part_split_id", "split_part", ["split_id"], schema="vault")
    op.create_table(
        "feedback_state",
        sa.Column("benchmark_id", sa.Uuid(), sa.ForeignKey("benchmark.id"), primary_key=True),
        sa.Column("split", sa.String(64), primary_key=True),
        sa.Column("receiver", sa.Uuid(), primary_key=True),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        schema="vault",
    )


def _entries() -> None:
    # What was to be shown later is not on the board: it can be selected for a scheduled release.
    op.execute("delete from entry where visible_from > now()")
    op.drop_column("entry", "visible_from")
    op.add_column("entry", sa.Column("adjusted", sa.Float(), nullable=True))
    op.add_column("entry", sa.Column("near_chance", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("entry", sa.Column("overfit", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("entry", sa.Column("judge_weak", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("entry", sa.Column("contaminated", sa.Boolean(), nullable=False, server_default=sa.false()))
    for name in ("near_chance", "overfit", "judge_weak", "contaminated"):
        op.alter_column("entry", name, server_default=None)


def _grants() -> None:
    op.execute(f"revoke all on {', '.join(NEW)} from {WEB}, {WORKER}, {HOST}")
    op.execute(f"grant select on {', '.join(NEW)} to {WEB}, {WORKER}")
    op.execute(f"grant insert on feedback_intake to {WEB}, {WORKER}")
    op.execute(f'grant update (outcome, "left", digest, release_id) on feedback_intake to {WORKER}')
    op.execute(f"grant insert on feedback_release to {WORKER}")
    op.execute(f"grant insert, update, delete on ranking_selection to {WEB}")
    op.execute(f"grant delete on ranking_selection to {WORKER}")
    op.execute(f"grant insert on ranking_schedule to {WEB}, {WORKER}")
    op.execute(f"grant update (done) on ranking_schedule to {WORKER}")
    op.execute(f"grant select, insert on vault.split_part to {WORKER}")
    op.execute(f"grant select, insert, update on vault.feedback_state to {WORKER}")


def _carry() -> None:
    op.execute(
        """update split set feedback = case feedback when 'full' then 'open' when 'aggregate' then 'scores'
             else 'sealed' end where feedback in ('full', 'aggregate', 'ladder', 'delayed', 'none')"""
    )
    # What ended before can still be selected for a ranking release; what waits is decided as soon as it may be.
    op.execute(
        f"""insert into feedback_intake (submission_id, split_id, organisation_id, decide_at, outcome, "left")
            select id, split_id, organisation_id, coalesce(finalised_at, created_at),
                   case when state = 'graded' then 'ranking_only' end, case when state = 'graded' then 0 end
            from submission where {_HIDDEN} and state in ('queued', 'grading', 'awaiting_review', 'graded')"""
    )
    op.execute(f"update submission set score = null, low = null, high = null, breakdown = null where {_HIDDEN}")
    op.execute(
        f"""update entry set contamination = null, correction = null,
              breakdown = case when breakdown ? 'finish_reason'
                then jsonb_build_object('finish_reason', breakdown->'finish_reason') else '{{}}' end
            where {_HIDDEN}"""
    )
    op.drop_table("released_score")
    op.drop_table("ladder_state")


def downgrade() -> None:
    op.create_table(
        "ladder_state",
        sa.Column("split_id", sa.Uuid(), sa.ForeignKey("split.id"), primary_key=True),
        sa.Column("organisation_id", sa.Uuid(), primary_key=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("releases", sa.Integer(), nullable=False),
        sa.Column("released", sa.Float(), nullable=True),
        sa.Column("bits", sa.Float(), nullable=False),
        sa.Column("best_id", sa.Uuid(), sa.ForeignKey("submission.id"), nullable=True),
    )
    op.create_table(
        "released_score",
        sa.Column("submission_id", sa.Uuid(), sa.ForeignKey("submission.id"), primary_key=True),
        sa.Column("split_id", sa.Uuid(), sa.ForeignKey("split.id"), nullable=False, index=True),
        sa.Column("organisation_id", sa.Uuid(), sa.ForeignKey("organisation.id"), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("released", sa.Float(), nullable=False),
        sa.Column("bits", sa.Float(), nullable=False),
        sa.Column("released_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.execute(
        """update split set feedback = case feedback when 'open' then 'full' when 'scores' then 'aggregate'
             else 'ladder' end"""
    )
    op.add_column(
        "entry",
        sa.Column("visible_from", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()),
    )
    op.alter_column("entry", "visible_from", server_default=None)
    for name in ("contaminated", "judge_weak", "overfit", "near_chance", "adjusted"):
        op.drop_column("entry", name)
    op.drop_table("feedback_state", schema="vault")
    op.drop_table("split_part", schema="vault")
    for name in ("ranking_schedule", "ranking_selection", "feedback_intake", "feedback_release"):
        op.drop_table(name)
    op.execute("drop function feedback_release_stays()")
