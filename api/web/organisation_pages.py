"""Pages of an organisation: members, invitations, agreements, the feedback it has received; and the operators' list."""

from typing import Annotated
from urllib.parse import quote
from uuid import UUID

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import HTMLResponse

from api.accounts.addresses import normal_email
from api.accounts.errors import NoOrganisationError
from api.accounts.models import MemberRole, Organisation
from api.accounts.organisation_service import INVITATION_DAYS, OrganisationService
from api.accounts.principal import Public
from api.catalog.repository import CatalogRepository
from api.core.db import AsyncSession
from api.core.deps import SessionDep, SettingsDep
from api.core.errors import ForbiddenError, InvalidError, NotFoundError
from api.core.ids import parse_id, public_id
from api.core.ratelimit import limited
from api.core.schemas import IdPath, SlugPath
from api.core.settings import Settings
from api.feedback.repository import FeedbackRepository
from api.login.repository import LoginRepository
from api.mail.outbox import Outbox
from api.web.cookies import origin
from api.web.forms import FormDep
from api.web.operator_pages import require_operator
from api.web.profile_pages import profile, public_organisation
from api.web.render import go, page
from api.web.viewer import MaybeViewerDep, Viewer, ViewerDep, sign_in_needed, signed_in

router = APIRouter(
    tags=["pages"], dependencies=[Depends(signed_in), Depends(limited("write"))], include_in_schema=False
)
public = APIRouter(
    tags=["pages"], dependencies=[Depends(Public()), Depends(limited("public"))], include_in_schema=False
)
_LISTED = 500


async def _service(session: SessionDep, settings: SettingsDep) -> OrganisationService:
    return OrganisationService(session, settings.secrets.raw("pepper"))


ServiceDep = Annotated[OrganisationService, Depends(_service)]


@public.get("/o/{slug}", response_class=HTMLResponse)
async def organisation_page(
    request: Request,
    slug: SlugPath,
    viewer: MaybeViewerDep,
    service: ServiceDep,
    session: SessionDep,
    settings: SettingsDep,
) -> HTMLResponse:
    """For members: members, invitations, agreements, feedback from hidden splits; for all: benchmarks and models."""
    row = await service.repository.organisation_by_slug(slug)
    if viewer is not None and row and await service.repository.membership(viewer.user_id, row.id):
        return await _show(request, slug, viewer, service, session, settings)
    try:
        if row is None:
            raise NoOrganisationError("you are not a member of an organisation with this name")
        return await public_organisation(request, session, row)
    except NoOrganisationError:
        if viewer is None:
            # Whether there is one is for its members alone.
            raise sign_in_needed(request) from None
        raise


@router.post("/o/{slug}/invitations", response_class=HTMLResponse)
async def invite(
    request: Request,
    slug: SlugPath,
    viewer: ViewerDep,
    form: FormDep,
    service: ServiceDep,
    session: SessionDep,
    settings: SettingsDep,
) -> HTMLResponse:
    """A link for one new member; this page is the only place that ever shows it."""
    organisation = await service.of_owner(viewer.user_id, slug)
    email = form.text("email", 320)
    token = await service.invite(viewer.user_id, organisation, _role(form.text("role")), email)
    link = f"{origin(request)}/invite?token={token}"
    await Outbox(session, settings).invited(normal_email(email), organisation.name, link, INVITATION_DAYS)
    return await _show(request, slug, viewer, service, session, settings, link)


@router.post("/o/{slug}/invitations/{invitation}/withdraw")
async def withdraw(
    slug: SlugPath,
    invitation: IdPath,
    viewer: ViewerDep,
    _form: FormDep,
    service: ServiceDep,
) -> Response:
    """Make an invitation worthless."""
    organisation = await service.of_owner(viewer.user_id, slug)
    await service.withdraw(organisation, _id("inv", invitation))
    return go(f"/o/{slug}")


@router.post("/o/{slug}/members/{member}")
async def change_member(
    slug: SlugPath, member: IdPath, viewer: ViewerDep, form: FormDep, service: ServiceDep
) -> Response:
    """Another role, or out."""
    user_id = _id("usr", member)
    if form.text("role") == "remove":
        mine = user_id == viewer.user_id
        organisation = (
            (await service.of_member(viewer.user_id, slug))[0] if mine else await service.of_owner(viewer.user_id, slug)
        )
        await service.remove(organisation, user_id)
        return go("/account" if mine else f"/o/{slug}")
    organisation = await service.of_owner(viewer.user_id, slug)
    await service.set_role(organisation, user_id, _role(form.text("role")))
    return go(f"/o/{slug}")


@router.post("/o/{slug}/verify")
async def verify_by_domain(
    slug: SlugPath, viewer: ViewerDep, form: FormDep, service: ServiceDep, session: SessionDep, settings: SettingsDep
) -> Response:
    """Verify an organisation by its owner's address, where the provider has the last word on that domain."""
    organisation = await service.of_owner(viewer.user_id, slug)
    domain = form.text("domain", 253)
    if domain not in await _domains(session, settings, viewer):
        raise ForbiddenError("sign in with an address of that domain, through a provider that is trusted for it")
    await service.verify(organisation, viewer.user_id, domain=domain)
    return go(f"/o/{slug}")


@router.get("/invite", response_class=HTMLResponse)
async def invitation_page(
    request: Request, service: ServiceDep, token: Annotated[str, Query(max_length=100)] = ""
) -> HTMLResponse:
    """Who invites, before anything is accepted."""
    return page(request, "invite.html", {"invitation": await service.invitation(token), "token": token})


@router.post("/invite")
async def accept_invitation(viewer: ViewerDep, form: FormDep, service: ServiceDep) -> Response:
    """Become a member."""
    slug = await service.join(viewer.user_id, viewer.email, form.text("token"))
    return go(f"/o/{quote(slug)}")


@router.get("/operator", response_class=HTMLResponse)
async def operator_page(request: Request, viewer: ViewerDep, service: ServiceDep) -> HTMLResponse:
    """Every organisation, those that wait for verification first."""
    require_operator(viewer)
    return page(request, "operator.html", {"organisations": await service.repository.all(_LISTED)})


@router.post("/operator/organisations/{slug}")
async def verify_organisation(slug: SlugPath, viewer: ViewerDep, form: FormDep, service: ServiceDep) -> Response:
    """Verify an organisation, or take that back."""
    require_operator(viewer)
    organisation = await service.repository.organisation_by_slug(slug)
    if organisation is None:
        raise NoOrganisationError("there is no such organisation")
    if form.text("decision") == "verify":
        await service.verify(organisation, viewer.user_id)
    else:
        await service.unverify(organisation, viewer.user_id)
    return go("/operator")


async def _show(
    request: Request,
    slug: str,
    viewer: Viewer,
    service: OrganisationService,
    session: AsyncSession,
    settings: Settings,
    link: str = "",
) -> HTMLResponse:
    organisation, role = await service.of_member(viewer.user_id, slug)
    owner = role == MemberRole.OWNER
    members = await service.repository.members(organisation.id)
    invitations = await service.repository.invitations(organisation.id) if owner else []
    releases = FeedbackRepository(session)
    context = {
        "organisation": organisation,
        "owner": owner,
        "link": link,
        "roles": list(MemberRole),
        "members": [(row, public_id("usr", row.user_id), row.user_id == viewer.user_id) for row in members],
        "invitations": [(row, public_id("inv", row.id)) for row in invitations],
        "agreements": await CatalogRepository(session).agreements_of(organisation.id),
        "feedback": await releases.learnt(await releases.receiver(organisation.id)),
        "benchmarks": await CatalogRepository(session).owned_by(organisation.id),
        "domains": await _open_domains(service, session, settings, viewer, organisation) if owner else [],
    } | await profile(session, organisation)
    return page(request, "organisation.html", context)


async def _domains(session: AsyncSession, settings: Settings, viewer: Viewer) -> set[str]:
    """Domains of the viewer's addresses for which the provider that verified them has the last word."""
    found: set[str] = set()
    for provider in settings.login_providers:
        emails = await LoginRepository(session).emails_at(viewer.user_id, provider.vouches_as)
        found |= {email.rpartition("@")[2] for email in emails} & set(provider.domains)
    return found


async def _open_domains(
    service: OrganisationService, session: AsyncSession, settings: Settings, viewer: Viewer, organisation: Organisation
) -> list[str]:
    if organisation.verified_at is not None:
        return []
    found = sorted(await _domains(session, settings, viewer))
    return [domain for domain in found if await service.repository.by_domain(domain) is None]


def _role(text: str) -> MemberRole:
    if text not in set(MemberRole):
        raise InvalidError("the role is either owner or member")
    return MemberRole(text)


def _id(prefix: str, text: str) -> UUID:
    found = parse_id(prefix, text)
    if found is None:
        raise NotFoundError("there is nothing with this id")
    return found
