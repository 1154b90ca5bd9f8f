"""Tables of submissions."""

from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKeyConstraint, Index, LargeBinary, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Column, Field, SQLModel

from api.core.db import now
from api.core.ids import new_id


class State(StrEnum):
    """`open → queued → grading → graded | awaiting_review | failed`."""

    OPEN = "open"
    QUEUED = "queued"
    GRADING = "grading"
    GRADED = "graded"
    AWAITING_REVIEW = "awaiting_review"
    FAILED = "failed"


RESULTS = frozenset({"score", "low", "high", "breakdown", "usage", "finalised_at", "graded_at", "carried_from"})
"""Columns of a submission that are empty when it is made, and that the web role does not write."""


class Submission(SQLModel, table=True):
    """One model's run over one split. `attempt` numbers it among its organisation's; 0 before it has used the quota.

    `carried_from`: the run of an earlier release that goes on in it (`carrying`).
    """

    __tablename__ = "submission"
    __table_args__ = (
        UniqueConstraint("organisation_id", "idempotency_key"),
        Index("ix_submission_split_state", "split_id", "state"),
        Index("ix_submission_waiting", "finalised_at", postgresql_where=text("state in ('queued', 'grading')")),
        Index("ix_submission_carried_from", "carried_from", postgresql_where=text("carried_from is not null")),
    )
    id: UUID = Field(default_factory=new_id, primary_key=True)
    release_id: UUID = Field(foreign_key="release.id")
    split_id: UUID = Field(foreign_key="split.id")
    organisation_id: UUID = Field(foreign_key="organisation.id", index=True)
    user_id: UUID = Field(foreign_key="account.id")
    key_id: UUID = Field(foreign_key="api_key.id")
    idempotency_key: str | None = Field(default=None, max_length=200)
    request_digest: str = Field(default="", max_length=64)
    model: dict[str, Any] = Field(sa_column=Column(JSONB, nullable=False))
    state: str = Field(default=State.OPEN.value, max_length=20)
    expected: int
    received: int = 0
    attempt: int = 0
    created_at: datetime = Field(default_factory=now)
    finalised_at: datetime | None = None
    graded_at: datetime | None = None
    score: float | None = None
    low: float | None = None
    high: float | None = None
    breakdown: dict[str, Any] | None = Field(default=None, sa_column=Column(JSONB(none_as_null=True)))
    usage: dict[str, Any] | None = Field(default=None, sa_column=Column(JSONB(none_as_null=True)))
    failure: str = Field(default="", max_length=500)
    carried_from: UUID | None = Field(default=None, foreign_key="submission.id")


class SubmissionItem(SQLModel, table=True):
    """One answer and its verdict. `graded_at` is set exactly once.

    On a hidden split `sealed` holds `answer`, `data` and `trajectory`, which are empty then.
    """

    __tablename__ = "submission_item"
    __table_args__ = (
        Index("ix_submission_item_ungraded", "submission_id", "problem_id", postgresql_where=text("graded_at is null")),
    )
    submission_id: UUID = Field(foreign_key="submission.id", primary_key=True)
    problem_id: UUID = Field(foreign_key="problem.id", primary_key=True)
    answer: str | None = None
    data: Any = Field(default=None, sa_column=Column(JSONB(none_as_null=True)))
    trajectory: Any = Field(default=None, sa_column=Column(JSONB(none_as_null=True)))
    usage: dict[str, Any] | None = Field(default=None, sa_column=Column(JSONB(none_as_null=True)))
    score: float | None = None
    outcome: str | None = Field(default=None, max_length=20)
    reason: str | None = None
    grader: str | None = Field(default=None, max_length=64)
    grader_version: str | None = Field(default=None, max_length=40)
    reference_digest: str | None = Field(default=None, max_length=64)
    detail: dict[str, Any] | None = Field(default=None, sa_column=Column(JSONB(none_as_null=True)))
    finish_reason: str | None = Field(default=None, max_length=40)
    graded_at: datetime | None = None
    sealed: bytes | None = Field(default=None, sa_column=Column(LargeBinary))


class OpenedVerdict(SQLModel, table=True):
    """What was said of an answer to a hidden problem, in the clear since the problem was published."""

    __tablename__ = "opened_verdict"
    __table_args__ = (
        ForeignKeyConstraint(
            ["submission_id", "problem_id"],
            ["submission_item.submission_id", "submission_item.problem_id"],
            ondelete="CASCADE",
        ),
    )
    submission_id: UUID = Field(primary_key=True)
    problem_id: UUID = Field(primary_key=True)
    score: float | None = None
    outcome: str = Field(max_length=20)
    reason: str
    grader: str = Field(max_length=64)


class IntakeKey(SQLModel, table=True):
    """The public half of the key under which answers and votes are sealed; one row."""

    __tablename__ = "intake_key"
    public: bytes = Field(sa_column=Column(LargeBinary, primary_key=True))


class QuotaUse(SQLModel, table=True):
    """Submissions an organisation has made on a split; refunded when the fault is ours."""

    __tablename__ = "quota_use"
    organisation_id: UUID = Field(foreign_key="organisation.id", primary_key=True)
    split_id: UUID = Field(foreign_key="split.id", primary_key=True)
    used: int = 0
    made: int = 0
