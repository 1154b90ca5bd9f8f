"""The table the leaderboard reads; a row is published when a submission is graded."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Index, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Column, Field, SQLModel


class Entry(SQLModel, table=True):
    """One graded submission as the public sees it. `best` marks the best of its organisation and model."""

    __tablename__ = "entry"
    __table_args__ = (
        Index(
            "ix_entry_best",
            "split_id", text("score desc"), "submission_id",
            postgresql_where=text("best and not hidden"),
        ),
        Index("ix_entry_all", "split_id", text("score desc"), "submission_id", postgresql_where=text("not hidden")),
        Index("ix_entry_model", "split_id", "organisation_id", "model_name"),
    )  # fmt: skip
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
    created_at: datetime
    visible_from: datetime
