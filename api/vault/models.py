"""Tables of the schema `vault`, which the web process has no right to read."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKeyConstraint, LargeBinary
from sqlmodel import Column, Field, SQLModel

from api.core.db import now


class SealedReference(SQLModel, table=True):
    """The secret side of one problem, sealed under the vault key and bound to the problem's id."""

    __tablename__ = "reference"
    __table_args__ = {"schema": "vault"}
    problem_id: UUID = Field(foreign_key="problem.id", primary_key=True)
    release_id: UUID = Field(foreign_key="release.id", index=True)
    sealed: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class SealedEpisode(SQLModel, table=True):
    """Environment, specification and probes of an episode, under the hosts' key. The one table a host may read."""

    __tablename__ = "episode"
    __table_args__ = {"schema": "vault"}
    problem_id: UUID = Field(foreign_key="problem.id", primary_key=True)
    sealed: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class SealedEvidence(SQLModel, table=True):
    """What the probes of a session saw, under the hosts' key. A host may write it and not read it."""

    __tablename__ = "evidence"
    __table_args__ = {"schema": "vault"}
    session_id: UUID = Field(foreign_key="live_session.id", primary_key=True)
    sealed: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class SealedReply(SQLModel, table=True):
    """A judge's reply by the digest of all that was asked, under the vault key. A worker may add and read."""

    __tablename__ = "judge_reply"
    __table_args__ = {"schema": "vault"}
    digest: str = Field(primary_key=True, max_length=64)
    sealed: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    created_at: datetime = Field(default_factory=now)


class SplitPartRow(SQLModel, table=True):
    """Which part of its split a hidden problem is in: `feedback` or `ranking`. Written once, at publication."""

    __tablename__ = "split_part"
    __table_args__ = {"schema": "vault"}
    problem_id: UUID = Field(foreign_key="problem.id", primary_key=True)
    split_id: UUID = Field(foreign_key="split.id", index=True)
    part: str = Field(max_length=20)


class SealedFeedbackState(SQLModel, table=True):
    """What a receiver has learnt of a split over all releases of it, with its best runs, under the vault key."""

    __tablename__ = "feedback_state"
    __table_args__ = {"schema": "vault"}
    benchmark_id: UUID = Field(foreign_key="benchmark.id", primary_key=True)
    split: str = Field(max_length=64, primary_key=True)
    receiver: UUID = Field(primary_key=True)
    sealed: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class SealedVerdict(SQLModel, table=True):
    """What was said of one answer to a hidden split, under the vault key. `submission_item` says nothing of it."""

    __tablename__ = "verdict"
    __table_args__ = (
        ForeignKeyConstraint(
            ["submission_id", "problem_id"],
            ["submission_item.submission_id", "submission_item.problem_id"],
            ondelete="CASCADE",
        ),
        {"schema": "vault"},
    )
    submission_id: UUID = Field(primary_key=True)
    problem_id: UUID = Field(primary_key=True)
    sealed: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class SealedPackPart(SQLModel, table=True):
    """One part of an uploaded archive, sealed for the holder of the vault key. The web process may only add it."""

    __tablename__ = "pack_part"
    __table_args__ = {"schema": "vault"}
    upload_id: UUID = Field(foreign_key="pack_upload.id", primary_key=True)
    number: int = Field(primary_key=True)
    sealed: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class SealedEndpointKey(SQLModel, table=True):
    """The key of a participant's endpoint while its run is played, sealed for the worker. The web process adds it."""

    __tablename__ = "endpoint_key"
    __table_args__ = {"schema": "vault"}
    run_id: UUID = Field(foreign_key="endpoint_run.id", primary_key=True)
    sealed: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
