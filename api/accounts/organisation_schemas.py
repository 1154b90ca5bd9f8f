"""JSON of organisations."""

from datetime import datetime
from typing import Annotated

from pydantic import StringConstraints

from api.accounts.models import MemberRole
from api.core.schemas import EMAIL, Model


class MemberPublic(Model):
    id: str
    name: str
    email: str | None
    role: str
    key_used_at: datetime | None


class InvitationPublic(Model):
    """An invitation that is still valid; its link was shown once, when it was made."""

    id: str
    email: str | None
    role: str
    invited_by: str
    created_at: datetime
    expires_at: datetime


class OrganisationDetail(Model):
    """One's organisation. Only its owners see invitations."""

    slug: str
    name: str
    verified: bool
    domain: str | None
    members: list[MemberPublic]
    invitations: list[InvitationPublic]


class InvitationCreate(Model):
    """Whom to invite: with an address, only who signs in with that address."""

    email: Annotated[str, StringConstraints(max_length=320, pattern=EMAIL)] | None = None
    role: MemberRole = MemberRole.MEMBER


class InvitationCreated(Model):
    """The link makes one person a member, once, within a week. It is in this response and nowhere else."""

    link: str


class MemberChange(Model):
    role: MemberRole
