"""Tables of feedback releases. Nothing in them follows from a gold but what `protection.feedback.exit` released."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import Index, text
from sqlmodel import Field, SQLModel

from api.core.db import now
from api.core.ids import new_id

# Whoever makes a hundred organisations has made one: without verification they are one receiver.
UNVERIFIED = UUID(int=0)


class FeedbackReleaseRow(SQLModel, table=True):
    """One feedback release. Append-only, written by the worker alone.

    `receiver`: the verified organisation it was made for, all zeros for those that nobody verified together. `band`:
    the score band that stands after it. `bits`: what it told at most. `regrade`: it tells a standing run again.
    """

    __tablename__ = "feedback_release"
    __table_args__ = (
        Index("ix_feedback_release_split", "split_id", "receiver", "part", "id"),
        Index("ix_feedback_release_submission", "submission_id"),
    )
    id: UUID = Field(default_factory=new_id, primary_key=True)
    split_id: UUID = Field(foreign_key="split.id")
    receiver: UUID
    submission_id: UUID = Field(foreign_key="submission.id")
    part: str = Field(max_length=20)
    new: bool
    band: int | None = None
    left: int
    bits: float
    regrade: bool = False
    judge_weak: bool = False
    contaminated: bool = False
    scheduled: datetime


class FeedbackIntakeRow(SQLModel, table=True):
    """When a submission to a hidden split is decided (`decide_at`, fixed at its end), and as what (`outcome`).

    `digest` is keyed and recognises equal answers; `release_id` is the release it was given, which for answers that
    were decided before is the one of then.
    """

    __tablename__ = "feedback_intake"
    __table_args__ = (
        Index("ix_feedback_intake_due", "decide_at", postgresql_where=text("outcome is null")),
        Index("ix_feedback_intake_organisation", "split_id", "organisation_id"),
    )
    submission_id: UUID = Field(foreign_key="submission.id", primary_key=True)
    split_id: UUID = Field(foreign_key="split.id")
    organisation_id: UUID = Field(foreign_key="organisation.id")
    decide_at: datetime
    outcome: str | None = Field(default=None, max_length=20)
    left: int | None = None
    digest: str | None = Field(default=None, max_length=64)
    release_id: UUID | None = Field(default=None, foreign_key="feedback_release.id")


class RankingSelection(SQLModel, table=True):
    """The submission that an organisation wants ranked at the next scheduled release.

    One for each organisation; where every model is ranked for itself (`model_name`), one for each model.
    """

    __tablename__ = "ranking_selection"
    split_id: UUID = Field(foreign_key="split.id", primary_key=True)
    organisation_id: UUID = Field(foreign_key="organisation.id", primary_key=True)
    model_name: str = Field(default="", max_length=200, primary_key=True)
    submission_id: UUID = Field(foreign_key="submission.id")
    selected_at: datetime = Field(default_factory=now)


class RankingSchedule(SQLModel, table=True):
    """A scheduled release of a split's ranking part: made, or `called` for by the owner and not yet `done`."""

    __tablename__ = "ranking_schedule"
    split_id: UUID = Field(foreign_key="split.id", primary_key=True)
    scheduled: datetime = Field(primary_key=True)
    called: bool = False
    done: bool = False
