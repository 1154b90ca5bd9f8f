"""What waits to be graded has a table of its own: lanes by what grading takes, in each a turn for every organisation.

Jobs of the old queue that grade answers or end episodes go; the worker's sweep queues anew what has no job. In which
lane the problems of older releases are graded is found by the worker, which alone can read their references. A split
says how few choices its problems have.
"""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

WEB, WORKER, HOST = "heldout_web", "heldout_worker", "heldout_host"
LANES = ("inline", "processes", "judges", "sandboxes")


def upgrade() -> None:
    op.create_table(
        "lane_turn",
        sa.Column("lane", sa.String(16), primary_key=True),
        sa.Column("turn", sa.BigInteger(), nullable=False),
    )
    for lane in LANES:
        op.execute(f"insert into lane_turn (lane, turn) values ('{lane}', 0)")
    op.create_table(
        "grading_job",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), primary_key=True),
        sa.Column("lane", sa.String(16), nullable=False),
        sa.Column("organisation_id", sa.Uuid(), sa.ForeignKey("organisation.id"), nullable=False),
        sa.Column("submission_id", sa.Uuid(), sa.ForeignKey("submission.id"), nullable=True),
        sa.Column("session_id", sa.Uuid(), sa.ForeignKey("live_session.id"), nullable=True),
        sa.Column("problems", sa.ARRAY(sa.Uuid()), nullable=False),
        sa.Column("items", sa.Integer(), nullable=False),
        sa.Column("turn", sa.BigInteger(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("free_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_grading_job_order", "grading_job", ["lane", "turn", "id"])
    op.create_index("ix_grading_job_organisation", "grading_job", ["organisation_id", "lane", "turn"])
    op.create_index("ix_grading_job_submission_id", "grading_job", ["submission_id"])
    op.create_index("ix_grading_job_session_id", "grading_job", ["session_id"])
    op.execute(f"revoke all on lane_turn, grading_job from {WEB}, {WORKER}, {HOST}")
    op.execute(f"grant select on lane_turn to {WEB}, {WORKER}")
    op.execute(f"grant update (turn) on lane_turn to {WORKER}")
    op.execute(f"grant select, insert on grading_job to {WEB}, {WORKER}")
    op.execute(f"grant update (attempts, free_at), delete on grading_job to {WORKER}")
    op.add_column("problem", sa.Column("lane", sa.String(16), nullable=True))
    op.create_index("ix_problem_no_lane", "problem", ["release_id"], postgresql_where=sa.text("lane is null"))
    op.add_column("split", sa.Column("choices", sa.Integer(), nullable=False, server_default="0"))
    op.alter_column("split", "choices", server_default=None)
    op.execute(
        """update split s set choices = coalesce((select min(jsonb_array_length(p.choices)) from problem p
             where p.split_id = s.id and jsonb_array_length(p.choices) > 0), 0)"""
    )
    op.drop_column("submission_item", "attempts")
    op.drop_index("ix_submission_item_ungraded", "submission_item")
    _ungraded_index("submission_id", "problem_id")
    op.execute(
        """delete from queue.procrastinate_jobs where status in ('todo', 'doing')
           and task_name in ('grade_chunk', 'finalize_session', 'conclude_session')"""
    )


def _ungraded_index(*columns: str) -> None:
    op.create_index(
        "ix_submission_item_ungraded",
        "submission_item",
        list(columns),
        postgresql_where=sa.text("graded_at is null"),
    )


def downgrade() -> None:
    op.drop_index("ix_submission_item_ungraded", "submission_item")
    _ungraded_index("submission_id")
    op.add_column("submission_item", sa.Column("attempts", sa.Integer(), nullable=False, server_default="0"))
    op.alter_column("submission_item", "attempts", server_default=None)
    op.execute(f"grant insert (attempts) on submission_item to {WEB}")
    op.drop_column("split", "choices")
    op.drop_index("ix_problem_no_lane", "problem")
    op.drop_column("problem", "lane")
    op.drop_table("grading_job")
    op.drop_table("lane_turn")
