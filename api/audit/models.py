"""Tables of the audit."""

from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Column, Field, SQLModel

from api.core.db import now
from api.core.ids import new_id


class LedgerSeal(SQLModel, table=True):
    """The hash chain over the exposure ledger, in order of sealing. Append-only, written by the worker alone."""

    __tablename__ = "ledger_seal"
    number: int = Field(sa_column=Column(BigInteger, primary_key=True, autoincrement=False))
    exposure_id: int = Field(sa_column=Column(BigInteger, nullable=False, unique=True))
    hash: str = Field(max_length=64)
    sealed_at: datetime = Field(default_factory=now)


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


class Regrade(SQLModel, table=True):
    """One regrading of a benchmark's stored submissions, with its reason and its progress."""

    __tablename__ = "regrade"
    id: UUID = Field(default_factory=new_id, primary_key=True)
    benchmark_id: UUID = Field(foreign_key="benchmark.id", index=True)
    reason: str = Field(max_length=1000)
    total: int = 0
    done: int = 0
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
