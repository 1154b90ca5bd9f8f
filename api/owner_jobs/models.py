"""Table of owners' jobs."""

from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import LargeBinary, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Column, Field, SQLModel

from api.core.db import now
from api.core.ids import new_id


class JobState(StrEnum):
    """Where a job is; `done` and `failed` are its ends."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class OwnerJob(SQLModel, table=True):
    """Something a worker does for a benchmark's owner, because it needs what the web process cannot read.

    `arguments`: `api.owner_jobs.schemas.OwnerJobAsk` as JSON. `result` is its result as JSON and `file` an archive,
    both sealed under the key of reviews, for they speak of hidden answers.
    """

    __tablename__ = "owner_job"
    id: UUID = Field(default_factory=new_id, primary_key=True)
    benchmark_id: UUID = Field(foreign_key="benchmark.id", index=True)
    user_id: UUID = Field(foreign_key="account.id")
    job: str = Field(max_length=40)
    arguments: dict[str, Any] = Field(sa_column=Column(JSONB, nullable=False))
    created_at: datetime = Field(default_factory=now)
    state: str = Field(max_length=20, sa_column_kwargs={"server_default": JobState.QUEUED})
    done: int = Field(sa_column_kwargs={"server_default": text("0")})
    total: int = Field(sa_column_kwargs={"server_default": text("0")})
    failure: str = Field(max_length=1000, sa_column_kwargs={"server_default": ""})
    result: bytes | None = Field(default=None, sa_column=Column(LargeBinary))
    file: bytes | None = Field(default=None, sa_column=Column(LargeBinary))
    finished_at: datetime | None = None
