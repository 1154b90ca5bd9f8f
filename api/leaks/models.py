"""The table of leak traces."""

from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Column, Field, SQLModel

from api.core.db import now
from api.core.ids import new_id


class TraceState(StrEnum):
    """`queued → done | failed`."""

    QUEUED = "queued"
    DONE = "done"
    FAILED = "failed"


class LeakTrace(SQLModel, table=True):
    """One request to trace a leak. The payload (the leaked text) is dropped once the report is there."""

    __tablename__ = "leak_trace"
    id: UUID = Field(default_factory=new_id, primary_key=True)
    benchmark_id: UUID = Field(foreign_key="benchmark.id", index=True)
    user_id: UUID | None = Field(default=None, foreign_key="account.id")
    state: str = Field(default=TraceState.QUEUED.value, max_length=20)
    payload: dict[str, Any] | None = Field(default=None, sa_column=Column(JSONB(none_as_null=True)))
    report: dict[str, Any] | None = Field(default=None, sa_column=Column(JSONB(none_as_null=True)))
    created_at: datetime = Field(default_factory=now)
    finished_at: datetime | None = None
