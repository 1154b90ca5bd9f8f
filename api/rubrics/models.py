"""Table of rubrics that a benchmark's owner works on."""

from datetime import datetime
from enum import StrEnum
from uuid import UUID

from sqlalchemy import LargeBinary, UniqueConstraint
from sqlmodel import Column, Field, SQLModel

from api.core.db import now
from api.core.ids import new_id


class RubricState(StrEnum):
    """Where a rubric is: there is none, nobody has read it, somebody has, answers are graded by it."""

    MISSING = "missing"
    DRAFTED = "drafted"
    APPROVED = "approved"
    PUBLISHED = "published"


class RubricRow(SQLModel, table=True):
    """A problem of the current release that has a rubric or could have one.

    `kind`: of its reference. `model` drafted it, none where a person wrote it. `revision` counts the changes. `sealed`:
    `api.rubrics.schemas.RubricDocument` under the key of reviews, for it quotes the solution.
    """

    __tablename__ = "rubric"
    __table_args__ = (UniqueConstraint("benchmark_id", "name"),)
    id: UUID = Field(default_factory=new_id, primary_key=True)
    benchmark_id: UUID = Field(foreign_key="benchmark.id")
    name: str = Field(max_length=128)
    split: str = Field(max_length=64)
    kind: str = Field(max_length=64)
    state: str = Field(max_length=20)
    model: str = Field(default="", max_length=200, sa_column_kwargs={"server_default": ""})
    approved_by: UUID | None = Field(default=None, foreign_key="account.id")
    revision: int = Field(default=1, sa_column_kwargs={"server_default": "1"})
    sealed: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    changed_at: datetime = Field(default_factory=now)
