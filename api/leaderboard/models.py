"""The table the leaderboard reads; a row is published when a submission is graded."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Index, false, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Column, Field, SQLModel

from api.core.db import now
from api.core.ids import new_id


class Entry(SQLModel, table=True):
    """One submission as the public sees it. `best` marks the best of its organisation and model.

    On a hidden split it is made from feedback releases alone: `score` is the middle of the band, 0 where it cannot be
    told from guessing (`near_chance`); `adjusted` and `overfit` are the board's.
    """

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
        Index("ix_entry_organisation", "organisation_id", "model_name"),
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
    adjusted: float | None = None
    near_chance: bool = False
    overfit: bool = False
    judge_weak: bool = False
    contaminated: bool = False
    by_service: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    created_at: datetime


@dataclass(frozen=True)
class EntryRow:
    """The same as a row that is read: without the mapper fifty of them take half the time.

    `organisation_verified` is the organisation's mark as it is now, `organisation_slug` its short name. A new column of
    `Entry` that a board shows is a field here too.
    """

    submission_id: UUID
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
    adjusted: float | None
    near_chance: bool
    overfit: bool
    judge_weak: bool
    contaminated: bool
    by_service: bool
    created_at: datetime
    organisation_verified: bool
    organisation_slug: str


class Declaration(SQLModel, table=True):
    """A run declared before it was made: the model and the commit hash (or digest) of what will run.

    Submissions begun from `counts_from` on carry the mark.
    """

    __tablename__ = "declaration"
    id: UUID = Field(default_factory=new_id, primary_key=True)
    split_id: UUID = Field(foreign_key="split.id", index=True)
    organisation_id: UUID = Field(foreign_key="organisation.id")
    user_id: UUID = Field(foreign_key="account.id")
    model_name: str = Field(max_length=200)
    commit: str = Field(max_length=200)
    declared_at: datetime = Field(default_factory=now)
    counts_from: datetime = Field(default_factory=now)
