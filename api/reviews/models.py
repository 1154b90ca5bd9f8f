"""Tables of reviews."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, Index, LargeBinary, UniqueConstraint, text
from sqlmodel import Column, Field, SQLModel

from api.core.db import now
from api.core.ids import new_id

GRADE, CALIBRATE = "grade", "calibrate"


class Review(SQLModel, table=True):
    """One answer that people grade. `purpose`: `grade` decides the item, `calibrate` measures the judge that did.

    `sheet` is what a reviewer sees, sealed; it is emptied when the review is settled. `score` is what was settled on,
    sealed under the vault key.
    """

    __tablename__ = "review"
    __table_args__ = (
        UniqueConstraint("submission_id", "problem_id", "purpose"),
        Index("ix_review_open", "benchmark_id", "created_at", postgresql_where=text("settled_at is null")),
    )
    id: UUID = Field(default_factory=new_id, primary_key=True)
    submission_id: UUID = Field(foreign_key="submission.id")
    problem_id: UUID = Field(foreign_key="problem.id")
    benchmark_id: UUID = Field(foreign_key="benchmark.id")
    purpose: str = Field(default=GRADE, max_length=20)
    sheet: bytes | None = Field(default=None, sa_column=Column(LargeBinary))
    votes_needed: int = 2
    lease_user: UUID | None = None
    lease_until: datetime | None = None
    score: bytes | None = Field(default=None, sa_column=Column(LargeBinary))
    created_at: datetime = Field(default_factory=now)
    settled_at: datetime | None = None
    applied_at: datetime | None = None


class ReviewShown(SQLModel, table=True):
    """A sheet of a hidden split, which holds its reference, was shown to a reviewer. Written by the claim alone."""

    __tablename__ = "review_shown"
    __table_args__ = (Index("ix_review_shown_user_id", "user_id", "benchmark_id"),)
    review_id: UUID = Field(primary_key=True)
    user_id: UUID = Field(foreign_key="account.id", primary_key=True)
    benchmark_id: UUID = Field(foreign_key="benchmark.id")
    shown_at: datetime


class JudgeBudgetRow(SQLModel, table=True):
    """How often a benchmark has asked a judge, and what it cost in tokens."""

    __tablename__ = "judge_budget"
    benchmark_id: UUID = Field(foreign_key="benchmark.id", primary_key=True)
    calls: int = 0
    tokens: int = Field(default=0, sa_column=Column(BigInteger, nullable=False))


class CalibrationReportRow(SQLModel, table=True):
    """How a benchmark's judges do against people, sealed under the key of reviews; a worker brings it up to date."""

    __tablename__ = "calibration_report"
    benchmark_id: UUID = Field(foreign_key="benchmark.id", primary_key=True)
    sealed: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class ReviewerAgreement(SQLModel, table=True):
    """How far a reviewer's votes agree with the others' on settled answers, sealed under the key of reviews."""

    __tablename__ = "reviewer_agreement"
    benchmark_id: UUID = Field(foreign_key="benchmark.id", primary_key=True)
    user_id: UUID = Field(foreign_key="account.id", primary_key=True)
    sealed: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class ReviewVote(SQLModel, table=True):
    """What one reviewer said of one answer, sealed for the worker (`votes.GivenVote`)."""

    __tablename__ = "review_vote"
    review_id: UUID = Field(foreign_key="review.id", primary_key=True)
    user_id: UUID = Field(foreign_key="account.id", primary_key=True)
    sealed: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    seconds: float = 0.0
    created_at: datetime = Field(default_factory=now)
