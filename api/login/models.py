"""Tables of the login. Nothing that opens a door is stored: tokens, links and codes are kept as keyed digests."""

from datetime import datetime
from enum import StrEnum
from uuid import UUID

from sqlalchemy import ARRAY, LargeBinary, Text, UniqueConstraint
from sqlmodel import Column, Field, SQLModel

from api.core.db import now
from api.core.ids import new_id


def _digest(*, primary_key: bool = False) -> Column[bytes]:
    return Column(LargeBinary, nullable=False, unique=not primary_key, primary_key=primary_key)


class Identity(SQLModel, table=True):
    """Someone at a provider is this user. `email` is the verified address the provider gave at the last sign-in."""

    __tablename__ = "identity"
    __table_args__ = (UniqueConstraint("issuer", "subject"),)
    id: UUID = Field(default_factory=new_id, primary_key=True)
    user_id: UUID = Field(foreign_key="account.id", index=True)
    issuer: str = Field(max_length=500)
    subject: str = Field(max_length=255)
    email: str = Field(max_length=320)
    created_at: datetime = Field(default_factory=now)
    used_at: datetime = Field(default_factory=now)


class WebSession(SQLModel, table=True):
    """A browser that is signed in; ended by time, by disuse, or by `ended_at`."""

    __tablename__ = "web_session"
    id: UUID = Field(default_factory=new_id, primary_key=True)
    user_id: UUID = Field(foreign_key="account.id", index=True)
    digest: bytes = Field(sa_column=_digest())
    address: str = Field(default="", max_length=64)
    agent: str = Field(default="", max_length=200)
    created_at: datetime = Field(default_factory=now)
    seen_at: datetime = Field(default_factory=now)
    expires_at: datetime
    ended_at: datetime | None = None


class LoginLink(SQLModel, table=True):
    """A link that signs one user in once; sent by e-mail, or printed by the server's own command."""

    __tablename__ = "login_link"
    digest: bytes = Field(sa_column=_digest(primary_key=True))
    user_id: UUID = Field(foreign_key="account.id", index=True)
    created_at: datetime = Field(default_factory=now)
    expires_at: datetime
    used_at: datetime | None = None


class GrantState(StrEnum):
    """`pending → approved → consumed`, or `pending → denied`."""

    PENDING = "pending"
    APPROVED = "approved"
    DENIED = "denied"
    CONSUMED = "consumed"


class DeviceGrant(SQLModel, table=True):
    """A command line that asks for a key (RFC 8628). `interval` grows when it asks too often."""

    __tablename__ = "device_grant"
    id: UUID = Field(default_factory=new_id, primary_key=True)
    device_digest: bytes = Field(sa_column=_digest())
    user_digest: bytes = Field(sa_column=_digest())
    client: str = Field(max_length=100)
    address: str = Field(default="", max_length=64)
    scopes: list[str] = Field(sa_column=Column(ARRAY(Text), nullable=False))
    state: str = Field(default=GrantState.PENDING.value, max_length=20)
    interval: int = 5
    user_id: UUID | None = Field(default=None, foreign_key="account.id", index=True)
    organisation_id: UUID | None = Field(default=None, foreign_key="organisation.id")
    days: int | None = None
    created_at: datetime = Field(default_factory=now)
    expires_at: datetime
    polled_at: datetime | None = None


class CodeGuess(SQLModel, table=True):
    """Wrong user codes of one user or one address within a window."""

    __tablename__ = "code_guess"
    subject: str = Field(primary_key=True, max_length=100)
    since: datetime = Field(default_factory=now)
    wrong: int = 0
