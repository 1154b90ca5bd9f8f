"""The table the leaderboard reads; a row is published when a submission is graded."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Index, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Column, Field, SQLModel

from api.core.db import now
from api.core.ids import new_id


class Entry(SQLModel, table=True):
    """One graded submission as the public sees it. `best` marks the best of its organisation and model."""

    __tablename__ = "entry"
    __table_args__ = (
        Index(
            "ix_entry_best",
            "split_id",
            text("score desc"),
            "submission_id",
            postgresql_where=text("best and not hidden"),
        ),
        Index("ix_entry_all", "split_id", text("score desc"), "submission_id", postgresql_where=text("not hidden")),
        Index("ix_entry_model", "split_id", "organisation_id", "model_name"),
    )
    submission_id: UUID = Field(foreign_key="submission.id", primary_key=True)
    split_id: UUID = Field(foreign_key="split.id")
    organisation_id: UUID = Field(foreign_key="organisation.id")
    organisation: str = Field(max_length=200)
    model_name: str = Field(max_length=200)
    model: dict[str, Any] = Field(sa_column=Column(JSONB, nullable=False))
    score: float
    low: float
    high: float
    coverage: float
    attempts: int
    breakdown: dict[str, Any] = Field(sa_column=Column(JSONB, nullable=False))
    usage: dict[str, Any] = Field(sa_column=Column(JSONB, nullable=False))
    verified: bool = False
    hidden: bool = False
    best: bool = False
    declared: bool = False
    contamination: dict[str, Any] | None = Field(default=None, sa_column=Column(JSONB(none_as_null=True)))
    correction: dict[str, Any] | None = Field(default=None, sa_column=Column(JSONB(none_as_null=True)))
    created_at: datetime
    visible_from: datetime


@dataclass(frozen=True)
class EntryRow:
    """The same as a row that is read: without the mapper fifty of them take half the time.

    A new column of `Entry` is a field here too, or reading says which is missing.
    """

    submission_id: UUID
    split_id: UUID
    organisation_id: UUID
    organisation: str
    model_name: str
    model: dict[str, Any]
    score: float
    low: float
    high: float
    coverage: float
    attempts: int
    breakdown: dict[str, Any]
    usage: dict[str, Any]
    verified: bool
    hidden: bool
    best: bool
    declared: bool
    contamination: dict[str, Any] | None
    correction: dict[str, Any] | None
    created_at: datetime
    visible_from: datetime


class LadderRow(SQLModel, table=True):
    """What an organisation has learnt of a split under the ladder; `best_id` is the last submission released.

    `organisation_id` is all zeros for what the organisations that nobody verified have learnt together.
    """

    __tablename__ = "ladder_state"
    split_id: UUID = Field(foreign_key="split.id", primary_key=True)
    organisation_id: UUID = Field(primary_key=True)
    attempts: int = 0
    releases: int = 0
    released: float | None = None
    bits: float = 0.0
    best_id: UUID | None = Field(default=None, foreign_key="submission.id")


class ReleasedScore(SQLModel, table=True):
    """A score released under the ladder, and the bits it revealed. Append-only, written by the worker alone."""

    __tablename__ = "released_score"
    submission_id: UUID = Field(foreign_key="submission.id", primary_key=True)
    split_id: UUID = Field(foreign_key="split.id", index=True)
    organisation_id: UUID = Field(foreign_key="organisation.id")
    attempt: int
    released: float
    bits: float
    released_at: datetime = Field(default_factory=now)


class Declaration(SQLModel, table=True):
    """A run declared before it was made: the model and the commit hash (or digest) of what will run."""

    __tablename__ = "declaration"
    id: UUID = Field(default_factory=new_id, primary_key=True)
    split_id: UUID = Field(foreign_key="split.id", index=True)
    organisation_id: UUID = Field(foreign_key="organisation.id")
    user_id: UUID = Field(foreign_key="account.id")
    model_name: str = Field(max_length=200)
    commit: str = Field(max_length=200)
    declared_at: datetime = Field(default_factory=now)
