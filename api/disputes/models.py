"""Table of disputes."""

from datetime import datetime
from enum import StrEnum
from uuid import UUID

from sqlalchemy import LargeBinary, UniqueConstraint
from sqlmodel import Column, Field, SQLModel

from api.core.db import now
from api.core.ids import new_id


class DisputeState(StrEnum):
    """Where a dispute is; the owner decides it once."""

    OPEN = "open"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


class GoldDispute(SQLModel, table=True):
    """An organisation says that a problem's gold is wrong. `reason` and `answer` are sealed: they speak of the gold."""

    __tablename__ = "gold_dispute"
    __table_args__ = (UniqueConstraint("problem_id", "organisation_id"),)
    id: UUID = Field(default_factory=new_id, primary_key=True)
    benchmark_id: UUID = Field(foreign_key="benchmark.id", index=True)
    problem_id: UUID = Field(foreign_key="problem.id")
    organisation_id: UUID = Field(foreign_key="organisation.id", index=True)
    user_id: UUID = Field(foreign_key="account.id")
    reason: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    created_at: datetime = Field(default_factory=now)
    state: str = Field(max_length=20, sa_column_kwargs={"server_default": DisputeState.OPEN})
    answer: bytes | None = Field(default=None, sa_column=Column(LargeBinary))
    decided_at: datetime | None = None
