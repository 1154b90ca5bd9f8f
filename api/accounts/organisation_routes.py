"""`/v1/organisation`: the organisation of the key, its members and its invitations."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends

from api.accounts.addresses import normal_email
from api.accounts.errors import NoMemberError
from api.accounts.models import MemberRole, Organisation, Scope
from api.accounts.organisation_schemas import (
    InvitationCreate,
    InvitationCreated,
    InvitationPublic,
    MemberChange,
    MemberPublic,
    OrganisationDetail,
)
from api.accounts.organisation_service import INVITATION_DAYS, OrganisationService
from api.accounts.principal import Principal, PrincipalDep, Require
from api.core.deps import SessionDep, SettingsDep
from api.core.errors import NotFoundError
from api.core.ids import parse_id, public_id
from api.core.ratelimit import limited
from api.core.schemas import IdPath
from api.mail.outbox import Outbox

reading = APIRouter(prefix="/v1", tags=["organisations"], dependencies=[Depends(Require()), Depends(limited("read"))])
router = APIRouter(
    prefix="/v1",
    tags=["organisations"],
    dependencies=[Depends(Require(Scope.ACCOUNT_WRITE)), Depends(limited("write"))],
)


async def _service(session: SessionDep, settings: SettingsDep) -> OrganisationService:
    return OrganisationService(session, settings.secrets.raw("pepper"))


ServiceDep = Annotated[OrganisationService, Depends(_service)]


async def _owned(service: OrganisationService, principal: Principal) -> Organisation:
    return await service.of_owner(principal.user_id, principal.organisation_slug)


def _member(public: str) -> UUID:
    user_id = parse_id("usr", public)
    if user_id is None:
        raise NoMemberError("GET /v1/organisation lists the members")
    return user_id


@reading.get("/organisation")
async def show_organisation(principal: PrincipalDep, service: ServiceDep) -> OrganisationDetail:
    """The key's organisation: its members, and for its owners the invitations that are still valid."""
    row, role = await service.of_member(principal.user_id, principal.organisation_slug)
    invitations = await service.repository.invitations(row.id) if role == MemberRole.OWNER else []
    return OrganisationDetail(
        slug=row.slug,
        name=row.name,
        verified=row.verified_at is not None,
        domain=row.domain,
        members=[
            MemberPublic(id=public_id("usr", m.user_id), name=m.name, email=m.email, role=m.role, key_used_at=m.used_at)
            for m in await service.repository.members(row.id)
        ],
        invitations=[
            InvitationPublic(
                id=public_id("inv", i.id),
                email=i.email,
                role=i.role,
                invited_by=i.invited_by,
                created_at=i.created_at,
                expires_at=i.expires_at,
            )
            for i in invitations
        ],
    )


@router.post("/organisation/invitations", status_code=201)
async def invite_member(
    body: InvitationCreate, principal: PrincipalDep, service: ServiceDep, session: SessionDep, settings: SettingsDep
) -> InvitationCreated:
    """A link that makes one person a member; for owners. It is sent to the address, if the service sends mail."""
    organisation = await _owned(service, principal)
    token = await service.invite(principal.user_id, organisation, body.role, body.email)
    link = f"{settings.base_url}/invite?token={token}"
    await Outbox(session, settings).invited(normal_email(body.email or ""), organisation.name, link, INVITATION_DAYS)
    return InvitationCreated(link=link)


@router.delete("/organisation/invitations/{invitation}", status_code=204)
async def withdraw_invitation(invitation: IdPath, principal: PrincipalDep, service: ServiceDep) -> None:
    """Make an invitation worthless; for owners."""
    organisation = await _owned(service, principal)
    invitation_id = parse_id("inv", invitation)
    if invitation_id is None:
        raise NotFoundError("GET /v1/organisation lists the invitations")
    await service.withdraw(organisation, invitation_id)


@router.patch("/organisation/members/{member}", status_code=204)
async def change_member(member: IdPath, body: MemberChange, principal: PrincipalDep, service: ServiceDep) -> None:
    """Give a member another role; keys that it does not cover end. For owners."""
    await service.set_role(await _owned(service, principal), _member(member), body.role)


@router.delete("/organisation/members/{member}", status_code=204)
async def remove_member(member: IdPath, principal: PrincipalDep, service: ServiceDep) -> None:
    """Take a member out and end their keys for this organisation; for owners, and for oneself."""
    user_id = _member(member)
    if user_id == principal.user_id:
        organisation, _ = await service.of_member(principal.user_id, principal.organisation_slug)
    else:
        organisation = await _owned(service, principal)
    await service.remove(organisation, user_id)
