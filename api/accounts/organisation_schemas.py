"""JSON of organisations."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints

from api.accounts.models import MemberRole


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid")


class MemberPublic(_Model):
    id: str
    name: str
    email: str | None
    role: str
    key_used_at: datetime | None


class InvitationPublic(_Model):
    """An invitation that still holds; its link was shown once, when it was made."""

    id: str
    email: str | None
    role: str
    invited_by: str
    created_at: datetime
    expires_at: datetime


class OrganisationDetail(_Model):
    """One's organisation. Only its owners see invitations."""

    slug: str
    name: str
    verified: bool
    domain: str | None
    members: list[MemberPublic]
    invitations: list[InvitationPublic]


class InvitationCreate(_Model):
    """Whom to invite: with an address, only who signs in with that address."""

    email: Annotated[str, StringConstraints(max_length=320)] | None = None
    role: MemberRole = MemberRole.MEMBER


class InvitationCreated(_Model):
    """The link makes one person a member, once, within a week. It is in this response and nowhere else."""

    link: str


class MemberChange(_Model):
    role: MemberRole
