"""Typed models of an organisation's members, and of who has access to a benchmark."""

from datetime import datetime
from typing import Literal

from heldout._records import Received

Role = Literal["member", "owner"]
AccessState = Literal["requested", "accepted", "declined"]
Decision = Literal["accepted", "declined"]


class Member(Received):
    """A member; `key_used_at` is when one of their keys was last used."""

    id: str
    name: str
    role: str
    email: str | None = None
    key_used_at: datetime | None = None


class Invitation(Received):
    """An invitation that still holds."""

    id: str
    role: str
    expires_at: datetime
    email: str | None = None
    invited_by: str = ""
    created_at: datetime | None = None


class Organisation(Received):
    """The key's organisation. Only its owners are shown `invitations`."""

    slug: str
    name: str
    verified: bool = False
    domain: str | None = None
    members: tuple[Member, ...] = ()
    invitations: tuple[Invitation, ...] = ()


class Invited(Received):
    """The link that makes one person a member, once, within a week. It is shown once."""

    link: str


class Access(Received):
    """How one organisation stands to a version's agreement, and how many problems it was served since.

    `organisation` is its short name; `text_digest` is the SHA-256 of the text that was accepted.
    """

    id: str
    benchmark: str
    version: str
    organisation: str
    state: str
    organisation_name: str = ""
    verified: bool = False
    name: str = ""
    email: str | None = None
    reason: str = ""
    text_digest: str = ""
    accepted_at: datetime | None = None
    decided_at: datetime | None = None
    decided_by: str | None = None
    served: int = 0
    last_served_at: datetime | None = None
