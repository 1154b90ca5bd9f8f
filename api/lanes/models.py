"""Tables of what waits to be graded."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from sqlalchemy import ARRAY, BigInteger, Identity, Index, Uuid
from sqlmodel import Column, Field, SQLModel

from api.core.db import now

CHANNEL = "heldout_lanes"
"""PostgreSQL's notification channel; the payload is the lane in which something waits."""


class Lane(StrEnum):
    """Where an answer is graded. What is slow in one lane keeps nobody waiting in another."""

    INLINE = "inline"
    """Kinds that neither search nor calculate, in the worker itself."""
    PROCESSES = "processes"
    """Kinds that calculate, in processes that can be killed."""
    JUDGES = "judges"
    """Kinds that ask a judge."""
    SANDBOXES = "sandboxes"
    """Programs and episodes."""


@dataclass(frozen=True)
class LaneSpec:
    """How a lane is worked on.

    `chunk`: answers of one job. `at_once`: jobs a worker has under way, at least. `batch`: answers it takes in one
    transaction. `seconds`: what one answer takes, roughly; estimates are counts times this.
    """

    chunk: int
    at_once: int
    batch: int
    seconds: float


SPECS = {
    Lane.INLINE: LaneSpec(chunk=250, at_once=2, batch=500, seconds=0.0005),
    Lane.PROCESSES: LaneSpec(chunk=4, at_once=2, batch=4, seconds=0.1),
    Lane.JUDGES: LaneSpec(chunk=1, at_once=8, batch=1, seconds=0.5),
    Lane.SANDBOXES: LaneSpec(chunk=1, at_once=4, batch=1, seconds=0.5),
}


class LaneTurn(SQLModel, table=True):
    """How far a lane is: the turn of the latest job that was taken. Whoever comes anew begins here."""

    __tablename__ = "lane_turn"
    lane: str = Field(primary_key=True, max_length=16)
    turn: int = Field(sa_column=Column(BigInteger, nullable=False))


class GradingJob(SQLModel, table=True):
    """Answers of one submission, or one episode, that wait to be graded; gone when their verdicts are written.

    A lane takes its jobs in the order of their turns. An organisation's jobs have turns one after the other, so that
    its second is behind everybody's first. A job is free at `free_at`: later while a worker has it or after a fault.
    """

    __tablename__ = "grading_job"
    __table_args__ = (
        Index("ix_grading_job_order", "lane", "turn", "id"),
        Index("ix_grading_job_organisation", "organisation_id", "lane", "turn"),
    )
    id: int | None = Field(default=None, sa_column=Column(BigInteger, Identity(always=True), primary_key=True))
    lane: str = Field(max_length=16)
    organisation_id: UUID = Field(foreign_key="organisation.id")
    submission_id: UUID | None = Field(default=None, foreign_key="submission.id", index=True)
    session_id: UUID | None = Field(default=None, foreign_key="live_session.id", index=True)
    problems: list[UUID] = Field(sa_column=Column(ARRAY(Uuid()), nullable=False))
    items: int
    turn: int = Field(sa_column=Column(BigInteger, nullable=False))
    attempts: int = 0
    free_at: datetime = Field(default_factory=now)
    trace: str | None = Field(default=None, max_length=64)
