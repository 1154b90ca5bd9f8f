"""Tables of regradings."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Column, Field, SQLModel

from api.core.db import now
from api.core.ids import new_id


class Regrade(SQLModel, table=True):
    """One regrading of a benchmark's stored submissions, with its reason and its progress."""

    __tablename__ = "regrade"
    id: UUID = Field(default_factory=new_id, primary_key=True)
    benchmark_id: UUID = Field(foreign_key="benchmark.id", index=True)
    reason: str = Field(max_length=1000)
    total: int = Field(default=0, sa_column_kwargs={"server_default": text("0")})
    done: int = Field(default=0, sa_column_kwargs={"server_default": text("0")})
    created_at: datetime = Field(default_factory=now)
    finished_at: datetime | None = None


class Regraded(SQLModel, table=True):
    """What a regrading did to one submission; `before` and `after` hold score, interval and the graders' versions."""

    __tablename__ = "regraded"
    regrade_id: UUID = Field(foreign_key="regrade.id", primary_key=True)
    submission_id: UUID = Field(foreign_key="submission.id", primary_key=True, index=True)
    before: dict[str, Any] = Field(sa_column=Column(JSONB, nullable=False))
    after: dict[str, Any] = Field(sa_column=Column(JSONB, nullable=False))
    items_changed: int = 0
    created_at: datetime = Field(default_factory=now)
