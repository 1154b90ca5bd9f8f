"""Tables of organisations beside those of accounts."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import LargeBinary
from sqlmodel import Column, Field, SQLModel

from api.accounts.models import MemberRole
from api.core.db import now
from api.core.ids import new_id


class Invitation(SQLModel, table=True):
    """A link that makes one person a member, once; with `email`, only the person of that address."""

    __tablename__ = "invitation"
    id: UUID = Field(default_factory=new_id, primary_key=True)
    organisation_id: UUID = Field(foreign_key="organisation.id", index=True)
    invited_by: UUID = Field(foreign_key="account.id")
    digest: bytes = Field(sa_column=Column(LargeBinary, nullable=False, unique=True))
    email: str | None = Field(default=None, max_length=320)
    role: str = Field(default=MemberRole.MEMBER.value, max_length=20)
    created_at: datetime = Field(default_factory=now)
    expires_at: datetime
    used_at: datetime | None = None
    withdrawn_at: datetime | None = None
