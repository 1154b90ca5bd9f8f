"""Tables of accounts."""

from datetime import datetime
from enum import StrEnum
from uuid import UUID

from sqlalchemy import ARRAY, Index, LargeBinary, Text, UniqueConstraint, text
from sqlmodel import Column, Field, SQLModel

from api.core.db import now
from api.core.ids import new_id


class Scope(StrEnum):
    """What a key may do."""

    PROBLEMS_READ = "problems:read"
    SUBMISSIONS_WRITE = "submissions:write"
    SESSIONS_WRITE = "sessions:write"
    BENCHMARKS_WRITE = "benchmarks:write"
    REVIEWS_WRITE = "reviews:write"
    ACCOUNT_WRITE = "account:write"
    ADMIN = "admin"


class MemberRole(StrEnum):
    """A user's part in an organisation."""

    OWNER = "owner"
    MEMBER = "member"


class User(SQLModel, table=True):
    """A person. `deleted_at` empties the name and the address but keeps the row: the ledger points at it.

    `run_letters`: they want an e-mail when a run of theirs is over.
    """

    __tablename__ = "account"
    id: UUID = Field(default_factory=new_id, primary_key=True)
    email: str | None = Field(default=None, unique=True, max_length=320)
    name: str = Field(default="", max_length=200)
    is_operator: bool = False
    # A process of the release before adds people without it while a release is rolled out.
    run_letters: bool = Field(default=False, sa_column_kwargs={"server_default": text("false")})
    created_at: datetime = Field(default_factory=now)
    deleted_at: datetime | None = None


class Organisation(SQLModel, table=True):
    """A team: budgets, quotas, variants and agreements belong to it.

    Verified by an operator, or by an owner's address in `domain`: feedback on hidden splits is its own from then on.
    Before that, those that one account made (`created_by`; None: the operator's commands) share its limits.
    """

    __tablename__ = "organisation"
    id: UUID = Field(default_factory=new_id, primary_key=True)
    slug: str = Field(unique=True, max_length=64)
    name: str = Field(max_length=200)
    verified_at: datetime | None = None
    verified_by: UUID | None = Field(default=None, foreign_key="account.id")
    domain: str | None = Field(default=None, unique=True, max_length=253)
    created_by: UUID | None = Field(default=None, foreign_key="account.id", index=True)
    created_at: datetime = Field(default_factory=now)


class OrganisationGroup(SQLModel, table=True):
    """Who is grouped with whom since when, by whom and why; `lead_id` leads, and is in its group, too. Nothing goes.

    While `ended_at` is None, the verified organisations of a group have one budget, one quota, one rate, one cap on
    what waits, and what one is told of a hidden split is told to all.
    """

    __tablename__ = "organisation_group"
    __table_args__ = (
        Index(
            "ux_organisation_group_organisation_id",
            "organisation_id",
            unique=True,
            postgresql_where=text("ended_at is null"),
        ),
    )
    id: UUID = Field(default_factory=new_id, primary_key=True)
    lead_id: UUID = Field(foreign_key="organisation.id", index=True)
    organisation_id: UUID = Field(foreign_key="organisation.id")
    reason: str = Field(max_length=1000)
    formed_at: datetime
    formed_by: UUID | None = Field(default=None, foreign_key="account.id")
    ended_at: datetime | None = None
    ended_by: UUID | None = Field(default=None, foreign_key="account.id")


class OrganisationName(SQLModel, table=True):
    """What names and slugs of organisations look like (`api.core.names.folded`): nobody else's may look the same."""

    __tablename__ = "organisation_name"
    folded: str = Field(primary_key=True, max_length=400)
    organisation_id: UUID = Field(foreign_key="organisation.id", index=True)


class Membership(SQLModel, table=True):
    """Who belongs to which organisation, and as what."""

    __tablename__ = "membership"
    user_id: UUID = Field(foreign_key="account.id", primary_key=True)
    organisation_id: UUID = Field(foreign_key="organisation.id", primary_key=True, index=True)
    role: str = Field(default=MemberRole.MEMBER.value, max_length=20)


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


class ApiKey(SQLModel, table=True):
    """A key: shown once, stored as HMAC-SHA256 under the instance's pepper.

    `networks`: the addresses that it works from, in CIDR notation; none named: any. `requests_per_minute` counts beside
    the organisation's own limits.
    """

    __tablename__ = "api_key"
    id: UUID = Field(default_factory=new_id, primary_key=True)
    user_id: UUID = Field(foreign_key="account.id", index=True)
    organisation_id: UUID = Field(foreign_key="organisation.id", index=True)
    name: str = Field(max_length=100)
    hint: str = Field(max_length=16)
    digest: bytes = Field(sa_column=Column(LargeBinary, nullable=False, unique=True))
    scopes: list[str] = Field(sa_column=Column(ARRAY(Text), nullable=False))
    created_at: datetime = Field(default_factory=now)
    expires_at: datetime | None = None
    last_used_at: datetime | None = None
    revoked_at: datetime | None = None
    networks: list[str] = Field(
        default_factory=list, sa_column=Column(ARRAY(Text), nullable=False, server_default=text("'{}'"))
    )
    requests_per_minute: int | None = None


class AgreementAcceptance(SQLModel, table=True):
    """An organisation accepted the agreement of a release, by name and time; `state` follows the owner's approval."""

    __tablename__ = "agreement_acceptance"
    __table_args__ = (UniqueConstraint("organisation_id", "release_id"),)
    id: UUID = Field(default_factory=new_id, primary_key=True)
    organisation_id: UUID = Field(foreign_key="organisation.id")
    release_id: UUID = Field(foreign_key="release.id", index=True)
    user_id: UUID = Field(foreign_key="account.id")
    name: str = Field(max_length=200)
    text_digest: str = Field(max_length=64)
    state: str = Field(default="accepted", max_length=20)
    reason: str = Field(default="", max_length=1000)
    accepted_at: datetime = Field(default_factory=now)
    decided_at: datetime | None = None
    decided_by: UUID | None = Field(default=None, foreign_key="account.id")


class Reviewer(SQLModel, table=True):
    """A user who may grade a benchmark's review queue."""

    __tablename__ = "reviewer"
    benchmark_id: UUID = Field(foreign_key="benchmark.id", primary_key=True)
    user_id: UUID = Field(foreign_key="account.id", primary_key=True)
