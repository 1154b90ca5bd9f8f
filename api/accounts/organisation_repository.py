"""SQL of organisations, their members and their invitations."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlmodel import select

from api.accounts.models import MemberRole, Organisation
from api.accounts.repository import AccountRepository
from api.core.query import Command, Query


@dataclass(frozen=True)
class OrganisationListed:
    """An organisation as operators see it; `verified_by` is a user's name."""

    slug: str
    name: str
    created_at: datetime
    verified_at: datetime | None
    domain: str | None
    verified_by: str | None
    members: int


@dataclass(frozen=True)
class Member:
    """A member; `used_at`: when one of the member's keys for the organisation was last used."""

    user_id: UUID
    role: str
    name: str
    email: str | None
    used_at: datetime | None


@dataclass(frozen=True)
class InvitationListed:
    """An invitation that is still valid; `invited_by` is a user's name."""

    id: UUID
    email: str | None
    role: str
    created_at: datetime
    expires_at: datetime
    invited_by: str


@dataclass(frozen=True)
class OpenInvitation:
    """An invitation that is still valid, with the organisation it is for."""

    id: UUID
    organisation_id: UUID
    email: str | None
    role: str
    slug: str
    name: str


_ALL = Query(
    OrganisationListed,
    "Organisations with the number of their members: those that wait for verification first, then the newest.",
    """select o.slug, o.name, o.created_at, o.verified_at, o.domain, u.name as verified_by,
              (select count(*) from membership m where m.organisation_id = o.id) as members
       from organisation o left join account u on u.id = o.verified_by
       order by o.verified_at is not null, o.created_at desc limit :limit""",
)
_LOCK = Command(
    "One change of members at a time, or two owners could each remove the other.",
    "select 1 from organisation where id = :id for update",
)
_MEMBERS = Query(
    Member,
    "Members of an organisation, owners first.",
    """select m.user_id, m.role, u.name, u.email,
              (select max(k.last_used_at) from api_key k
               where k.user_id = u.id and k.organisation_id = m.organisation_id) as used_at
       from membership m join account u on u.id = m.user_id
       where m.organisation_id = :organisation order by m.role desc, u.name, u.id""",
)
_OWNERS = Query(
    int,
    "How many owners an organisation has.",
    "select count(*) from membership where organisation_id = :organisation and role = :role",
)
_OWNED_BY = Query(
    int, "How many organisations a user owns.", "select count(*) from membership where user_id = :user and role = :role"
)
_SET_ROLE = Command(
    "Change a member's role.",
    "update membership set role = :role where user_id = :user and organisation_id = :organisation",
)
_REMOVE = Command(
    "Take a member out.", "delete from membership where user_id = :user and organisation_id = :organisation"
)
_REVOKE_KEYS = Command(
    "End a member's keys for an organisation; only those with one of `scopes`, where it is not null.",
    """update api_key set revoked_at = clock_timestamp()
       where user_id = :user and organisation_id = :organisation and revoked_at is null
         and (cast(:scopes as text[]) is null or scopes && cast(:scopes as text[]))""",
)
_INVITATIONS = Query(
    InvitationListed,
    "An organisation's valid invitations, newest first.",
    """select i.id, i.email, i.role, i.created_at, i.expires_at, u.name as invited_by
       from invitation i join account u on u.id = i.invited_by
       where i.organisation_id = :organisation and i.used_at is null and i.withdrawn_at is null
         and i.expires_at > clock_timestamp() order by i.created_at desc""",
)
_INVITATION = Query(
    OpenInvitation,
    "An invitation that is still valid, locked until the transaction ends.",
    """select i.id, i.organisation_id, i.email, i.role, o.slug, o.name
       from invitation i join organisation o on o.id = i.organisation_id
       where i.digest = any(:digests) and i.used_at is null and i.withdrawn_at is null
         and i.expires_at > clock_timestamp() for update of i""",
)
_VERIFY = Query(
    bool,
    "Mark an organisation as who it says it is, by the database's own check of who may.",
    "select verify_organisation(:organisation, cast(:by as uuid), cast(:domain as text))",
)
_UNVERIFY = Query(bool, "Take that mark away.", "select unverify_organisation(:organisation, cast(:by as uuid))")
_IS_INVITED = Query(
    bool,
    "Whether an invitation that is still valid names this address.",
    """select exists (select 1 from invitation where email = :email and used_at is null and withdrawn_at is null
                      and expires_at > now())""",
)
_USE = Command("Use an invitation up.", "update invitation set used_at = clock_timestamp() where id = :id")
_WITHDRAW = Command(
    "Withdraw an invitation that nobody has used.",
    """update invitation set withdrawn_at = clock_timestamp()
       where id = :id and organisation_id = :organisation and used_at is null and withdrawn_at is null""",
)


class OrganisationRepository(AccountRepository):
    """Organisations, members and invitations, beside what accounts have."""

    async def by_domain(self, domain: str) -> Organisation | None:
        return (await self._session.exec(select(Organisation).where(Organisation.domain == domain))).one_or_none()

    async def all(self, limit: int) -> list[OrganisationListed]:
        """Those that wait for verification first, then the newest."""
        return await self._session.fetch_all(_ALL, limit=limit)

    async def verify(self, organisation: Organisation, by: UUID | None, domain: str | None) -> None:
        """Mark it as who it says it is. The database refuses that to the web role where `by` may not."""
        await self._session.fetch_one(_VERIFY, organisation=organisation.id, by=by, domain=domain)
        await self._session.refresh(organisation)

    async def unverify(self, organisation: Organisation, by: UUID | None) -> None:
        """Take the mark away."""
        await self._session.fetch_one(_UNVERIFY, organisation=organisation.id, by=by)
        await self._session.refresh(organisation)

    async def lock(self, organisation_id: UUID) -> None:
        """One change of members at a time, or two owners could each remove the other."""
        await self._session.run(_LOCK, id=organisation_id)

    async def members(self, organisation_id: UUID) -> list[Member]:
        """Owners first, then by name."""
        return await self._session.fetch_all(_MEMBERS, organisation=organisation_id)

    async def owners(self, organisation_id: UUID) -> int:
        """How many there are."""
        return await self._session.fetch_one(_OWNERS, organisation=organisation_id, role=MemberRole.OWNER.value)

    async def set_role(self, user_id: UUID, organisation_id: UUID, role: str) -> None:
        await self._session.run(_SET_ROLE, role=role, user=user_id, organisation=organisation_id)

    async def remove(self, user_id: UUID, organisation_id: UUID) -> None:
        await self._session.run(_REMOVE, user=user_id, organisation=organisation_id)

    async def revoke_keys(self, user_id: UUID, organisation_id: UUID, scopes: list[str] | None = None) -> int:
        """End a member's keys for an organisation; only those with one of `scopes`, where it is given."""
        return await self._session.run(_REVOKE_KEYS, user=user_id, organisation=organisation_id, scopes=scopes)

    async def invitations(self, organisation_id: UUID) -> list[InvitationListed]:
        """Valid invitations, newest first."""
        return await self._session.fetch_all(_INVITATIONS, organisation=organisation_id)

    async def invitation(self, digests: list[bytes]) -> OpenInvitation | None:
        """An invitation that is still valid, locked until the transaction ends."""
        return await self._session.fetch_optional(_INVITATION, digests=digests)

    async def is_invited(self, email: str) -> bool:
        return await self._session.fetch_one(_IS_INVITED, email=email)

    async def use(self, invitation_id: UUID) -> None:
        await self._session.run(_USE, id=invitation_id)

    async def withdraw(self, invitation_id: UUID, organisation_id: UUID) -> bool:
        return await self._session.run(_WITHDRAW, id=invitation_id, organisation=organisation_id) == 1

    async def owned_by(self, user_id: UUID) -> int:
        """How many organisations a user owns."""
        return await self._session.fetch_one(_OWNED_BY, user=user_id, role=MemberRole.OWNER.value)
