"""What members and owners may do with their organisation."""

import re
import secrets
from datetime import timedelta
from uuid import UUID

from api.accounts.addresses import normal_email
from api.accounts.errors import (
    DomainTakenError,
    InvitationSpentError,
    LastOwnerError,
    NameTakenError,
    NoMemberError,
    NoOrganisationError,
    SlugTakenError,
)
from api.accounts.models import Invitation, MemberRole, Membership, Organisation, Scope
from api.accounts.organisation_repository import OpenInvitation, OrganisationRepository
from api.accounts.service import grantable
from api.core.crypto import keyed_digests
from api.core.db import AsyncSession, now
from api.core.errors import ForbiddenError, InvalidError, NotFoundError
from api.core.names import folded, plain_name

INVITATION_DAYS = 7
# More than anybody needs, and few enough that one account cannot fill the table.
OWNED_AT_MOST = 20
_SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")


class OrganisationService:
    """Organisations in one transaction of the caller's. `actor` is the user who acts."""

    def __init__(self, session: AsyncSession, pepper: bytes) -> None:
        self.repository = OrganisationRepository(session)
        self._pepper = pepper

    async def create(self, actor: UUID, slug: str, name: str) -> Organisation:
        """A new organisation whose owner is the actor. Raises SlugTakenError, NameTakenError, InvalidError."""
        if not _SLUG.fullmatch(slug):
            raise InvalidError(
                "the short name must have 1 to 63 characters of a-z, 0-9 and '-', and not begin or end with '-'"
            )
        shown = _shown(name)
        # Two at the same moment could each find the last place free.
        await self.repository.lock_user(actor)
        if await self.repository.owned_by(actor) >= OWNED_AT_MOST:
            raise ForbiddenError(f"you own {OWNED_AT_MOST} organisations already")
        if await self.repository.organisation_by_slug(slug):
            raise SlugTakenError("choose another short name")
        row = Organisation.model_validate({"slug": slug, "name": shown, "created_by": actor})
        await self.repository.add(row)
        for text in (slug, shown):
            if not await self.repository.reserve_name(folded(text), row.id):
                raise NameTakenError(
                    "boards show names, so no two may look alike, whatever the case, spaces, signs and accents; choose "
                    "another name or short name"
                )
        await self.repository.add(Membership(user_id=actor, organisation_id=row.id, role=MemberRole.OWNER.value))
        return row

    async def of_member(self, actor: UUID, slug: str) -> tuple[Organisation, str]:
        """An organisation and the actor's role in it. Raises NoOrganisationError for everybody else, too."""
        row = await self.repository.organisation_by_slug(slug)
        membership = await self.repository.membership(actor, row.id) if row else None
        if row is None or membership is None:
            raise NoOrganisationError("you are not a member of an organisation with this name")
        return row, membership.role

    async def of_owner(self, actor: UUID, slug: str) -> Organisation:
        """An organisation that the actor owns. Raises NoOrganisationError, ForbiddenError."""
        row, role = await self.of_member(actor, slug)
        if role != MemberRole.OWNER:
            raise ForbiddenError("only an owner of the organisation may do that")
        return row

    async def invite(self, actor: UUID, organisation: Organisation, role: MemberRole, email: str | None) -> str:
        """A token that makes one person a member; with an address, only that person. It is not kept."""
        address = normal_email(email) if email else None
        if email and address is None:
            raise InvalidError("this is not a valid e-mail address")
        token = secrets.token_urlsafe(32)
        row = Invitation(
            organisation_id=organisation.id,
            invited_by=actor,
            digest=self._digests(token)[0],
            email=address,
            role=role.value,
            expires_at=now() + timedelta(days=INVITATION_DAYS),
        )
        await self.repository.add(row)
        return token

    async def invitation(self, token: str) -> OpenInvitation:
        """What an invitation is for. Raises InvitationSpentError."""
        row = await self.repository.invitation(self._digests(token))
        if row is None:
            raise InvitationSpentError("it was used or withdrawn, or it has expired; ask for another")
        return row

    async def join(self, actor: UUID, email: str | None, token: str) -> str:
        """Make the actor a member; the invitation is used up. Returns the organisation's slug."""
        row = await self.invitation(token)
        if row.email is not None and row.email != email:
            raise ForbiddenError("this invitation is for another e-mail address; sign in with that one")
        known = await self.repository.membership(actor, row.organisation_id)
        if known is None:
            await self.repository.add(Membership(user_id=actor, organisation_id=row.organisation_id, role=row.role))
        elif row.role == MemberRole.OWNER:
            await self.repository.set_role(actor, row.organisation_id, row.role)
        await self.repository.use(row.id)
        return row.slug

    async def withdraw(self, organisation: Organisation, invitation_id: UUID) -> None:
        """Make an invitation worthless."""
        if not await self.repository.withdraw(invitation_id, organisation.id):
            raise NotFoundError("there is no such invitation, or it has been used")

    async def set_role(self, organisation: Organisation, user_id: UUID, role: MemberRole) -> None:
        """Change a member's role; keys that the new role does not cover end. Raises LastOwnerError, NoMemberError."""
        await self.repository.lock(organisation.id)
        known = await self._member(organisation, user_id)
        if known.role == role:
            return
        if known.role == MemberRole.OWNER:
            await self._not_the_last(organisation)
        await self.repository.set_role(user_id, organisation.id, role.value)
        covered = grantable(role.value, operator=False)
        lost = [scope.value for scope in Scope if scope not in covered and scope is not Scope.ADMIN]
        if lost:
            await self.repository.revoke_keys(user_id, organisation.id, lost)

    async def remove(self, organisation: Organisation, user_id: UUID) -> None:
        """Take a member out and end their keys for it. Raises LastOwnerError, NoMemberError."""
        await self.repository.lock(organisation.id)
        known = await self._member(organisation, user_id)
        if known.role == MemberRole.OWNER:
            await self._not_the_last(organisation)
        await self.repository.remove(user_id, organisation.id)
        await self.repository.revoke_keys(user_id, organisation.id)

    async def verify(self, organisation: Organisation, by: UUID | None, *, domain: str | None = None) -> None:
        """Mark an organisation as who it says it is. Raises DomainTakenError: one organisation for each domain."""
        if domain:
            other = await self.repository.by_domain(domain)
            if other is not None and other.id != organisation.id:
                raise DomainTakenError(f"'{other.slug}' is verified by {domain}; ask its owners for an invitation")
        await self.repository.verify(organisation, by, domain)

    async def unverify(self, organisation: Organisation, by: UUID | None) -> None:
        """Take the mark away."""
        await self.repository.unverify(organisation, by)

    async def _member(self, organisation: Organisation, user_id: UUID) -> Membership:
        known = await self.repository.membership(user_id, organisation.id)
        if known is None:
            raise NoMemberError("the organisation has no such member")
        return known

    async def _not_the_last(self, organisation: Organisation) -> None:
        if await self.repository.owners(organisation.id) <= 1:
            raise LastOwnerError("make somebody else an owner first")

    def _digests(self, token: str) -> list[bytes]:
        return keyed_digests(self._pepper, "invitation", token)


def _shown(name: str) -> str:
    text = name.strip()
    if not 2 <= len(text) <= 200 or not folded(text):
        raise InvalidError("the name must have 2 to 200 characters, letters or digits among them")
    try:
        return plain_name(text)
    except ValueError as error:
        raise InvalidError(f"the name cannot be used: {error}") from None
