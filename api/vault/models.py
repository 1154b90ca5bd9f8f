"""Tables of the schema `vault`, which the web process has no right to read."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import LargeBinary
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
