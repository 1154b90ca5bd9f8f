"""Tables of serving."""

from datetime import date, datetime
from uuid import UUID

from sqlalchemy import BigInteger, Identity, Index
from sqlmodel import Column, Field, SQLModel

from api.core.db import now


class Exposure(SQLModel, table=True):
    """A key was served a problem. Append-only: `record_served` inserts, nobody changes.

    It takes problems from the split itself, and triggers keep what is named: no foreign keys, of twenty rows eighty
    look-ups and locks.
    """

    __tablename__ = "exposure"
    __table_args__ = (Index("ix_exposure_recent", "split_id", "served_at"),)
    id: int | None = Field(default=None, sa_column=Column(BigInteger, Identity(always=True), primary_key=True))
    organisation_id: UUID = Field(index=True)
    key_id: UUID
    problem_id: UUID = Field(index=True)
    split_id: UUID
    variant: str = Field(default="", max_length=64)
    channel: str = Field(default="api", max_length=20)
    address: str = Field(default="", max_length=64)
    served_at: datetime = Field(default_factory=now)


class DailyBudget(SQLModel, table=True):
    """Problems of a split served to an organisation on one day (UTC)."""

    __tablename__ = "daily_budget"
    organisation_id: UUID = Field(foreign_key="organisation.id", primary_key=True)
    split_id: UUID = Field(foreign_key="split.id", primary_key=True)
    day: date = Field(primary_key=True)
    used: int = 0


class KeyReading(SQLModel, table=True):
    """How a key reads a split on one day (UTC): from where, up to which position, how many in the split's order."""

    __tablename__ = "key_reading"
    key_id: UUID = Field(foreign_key="api_key.id", primary_key=True)
    split_id: UUID = Field(foreign_key="split.id", primary_key=True)
    day: date = Field(primary_key=True)
    address: str = Field(default="", max_length=64)
    last_position: int = 0
    run: int = 0


class SplitReader(SQLModel, table=True):
    """Which of an account's unverified organisations takes part in a hidden split: the first that did."""

    __tablename__ = "split_reader"
    account_id: UUID = Field(foreign_key="account.id", primary_key=True)
    split_id: UUID = Field(foreign_key="split.id", primary_key=True)
    organisation_id: UUID = Field(foreign_key="organisation.id")


class ScrapingLift(SQLModel, table=True):
    """An owner lets an organisation read a benchmark at any pace."""

    __tablename__ = "scraping_lift"
    benchmark_id: UUID = Field(foreign_key="benchmark.id", primary_key=True)
    organisation_id: UUID = Field(foreign_key="organisation.id", primary_key=True)
    lifted_by: UUID = Field(foreign_key="account.id")
    reason: str = Field(default="", max_length=1000)
    created_at: datetime = Field(default_factory=now)
