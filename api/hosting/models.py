"""Tables of sessions. A session is its action log; the environment is only where the log is played."""

from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import Index, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Column, Field, SQLModel

from api.core.db import now
from api.core.ids import new_id


class SessionState(StrEnum):
    """`opening → running → ended → graded`, or `opening → failed` when no environment could be opened."""

    OPENING = "opening"
    RUNNING = "running"
    ENDED = "ended"
    GRADED = "graded"
    FAILED = "failed"


OVER = (SessionState.ENDED, SessionState.GRADED, SessionState.FAILED)
"""States in which an episode takes no more actions."""


class Origin(StrEnum):
    """Who acts: a participant step by step, or a trajectory that came with a submission."""

    LIVE = "live"
    POSTED = "posted"


class SessionHost(SQLModel, table=True):
    """A running process that holds environments. A process that starts again is another host."""

    __tablename__ = "session_host"
    id: UUID = Field(default_factory=new_id, primary_key=True)
    address: str = Field(max_length=200)
    token: str = Field(max_length=64)
    slots: int
    draining: bool = False
    stats: dict[str, Any] | None = Field(default=None, sa_column=Column(JSONB(none_as_null=True)))
    started_at: datetime = Field(default_factory=now)
    seen_at: datetime = Field(default_factory=now)


class LiveSession(SQLModel, table=True):
    """One episode. `host_id` and `epoch` are the lease: a write under another epoch is refused."""

    __tablename__ = "live_session"
    __table_args__ = (
        Index(
            "uq_live_session_submission_problem",
            "submission_id",
            "problem_id",
            unique=True,
            postgresql_where=text("state <> 'failed'"),
        ),
        Index(
            "uq_live_session_idempotency_key",
            "organisation_id",
            "idempotency_key",
            unique=True,
            postgresql_where=text("state <> 'failed'"),
        ),
        Index("ix_live_session_active", "host_id", postgresql_where=text("state in ('opening', 'running', 'ended')")),
    )
    id: UUID = Field(default_factory=new_id, primary_key=True)
    problem_id: UUID = Field(foreign_key="problem.id", index=True)
    split_id: UUID = Field(foreign_key="split.id")
    submission_id: UUID | None = Field(default=None, foreign_key="submission.id")
    organisation_id: UUID = Field(foreign_key="organisation.id", index=True)
    key_id: UUID = Field(foreign_key="api_key.id")
    idempotency_key: str | None = Field(default=None, max_length=200)
    origin: str = Field(default=Origin.LIVE.value, max_length=10)
    state: str = Field(default=SessionState.OPENING.value, max_length=10)
    seed: int
    variant: str = Field(default="", max_length=64)
    steps: int = 0
    step_limit: int = 0
    seconds: int = 0
    created_at: datetime = Field(default_factory=now)
    active_at: datetime = Field(default_factory=now)
    deadline: datetime | None = None
    ended_at: datetime | None = None
    host_id: UUID | None = None
    epoch: int = 0
    takeovers: int = 0
    faults: int = 0
    finish_reason: str | None = Field(default=None, max_length=40)
    answer: str | None = None
    usage: dict[str, Any] | None = Field(default=None, sa_column=Column(JSONB(none_as_null=True)))
    divergence: list[dict[str, Any]] | None = Field(default=None, sa_column=Column(JSONB(none_as_null=True)))
    failure: str = Field(default="", max_length=500)
    score: float | None = None
    outcome: str | None = Field(default=None, max_length=20)
    reason: str | None = None
    grader: str | None = Field(default=None, max_length=64)
    graded_at: datetime | None = None


class SessionStep(SQLModel, table=True):
    """One action and what was observed, written before it is answered. Number 0 is the first observation.

    In parts of a month each, which retention drops whole."""

    __tablename__ = "session_step"
    session_id: UUID = Field(foreign_key="live_session.id", primary_key=True)
    number: int = Field(primary_key=True)
    action: dict[str, Any] | None = Field(default=None, sa_column=Column(JSONB(none_as_null=True)))
    observation: dict[str, Any] = Field(sa_column=Column(JSONB, nullable=False))
    digest: str = Field(max_length=64)
    finish: str | None = Field(default=None, max_length=40)
    answer: str | None = None
    error: str | None = None
    stored_at: datetime = Field(default_factory=now)


class StepPart(SQLModel, table=True):
    """A part of `session_step`: the steps of sessions whose id is below `high` and in no earlier part."""

    __tablename__ = "step_part"
    part: str = Field(primary_key=True)
    high: UUID


class SessionRefusal(SQLModel, table=True):
    """When an organisation was last turned away for want of capacity: it waits, so others keep to their share."""

    __tablename__ = "session_refusal"
    organisation_id: UUID = Field(foreign_key="organisation.id", primary_key=True)
    refused_at: datetime = Field(default_factory=now)
