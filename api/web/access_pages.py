"""Pages of agreements: read and accept one; for owners, who asked and who has access."""

from uuid import UUID

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import HTMLResponse

from api.accounts.access_schemas import AccessDecision
from api.accounts.access_service import AccessService
from api.accounts.errors import NoOrganisationError
from api.accounts.models import MemberRole, Organisation
from api.accounts.repository import AccountRepository
from api.catalog.repository import OwnedBenchmark
from api.catalog.schemas import AgreementState
from api.catalog.service import CatalogService
from api.core.db import AsyncSession
from api.core.deps import CursorsDep, SessionDep, SettingsDep
from api.core.errors import InvalidError
from api.core.ratelimit import limited
from api.core.schemas import CursorQuery, IdPath, SlugPath
from api.ledger.schemas import LiftCreate
from api.ledger.scraping import ScrapingService
from api.mail.outbox import Outbox
from api.web.forms import FormDep
from api.web.markdown import render
from api.web.render import go, page
from api.web.viewer import Viewer, ViewerDep, signed_in

router = APIRouter(
    prefix="/b/{slug}",
    tags=["pages"],
    dependencies=[Depends(signed_in), Depends(limited("write"))],
    include_in_schema=False,
)
_PAGE = 100


@router.get("/agreement", response_class=HTMLResponse)
async def agreement_page(request: Request, slug: SlugPath, viewer: ViewerDep, session: SessionDep) -> HTMLResponse:
    """The data-use agreement of the current version, and how one's organisations stand to it."""
    catalog = CatalogService(session)
    benchmark = await catalog.show(slug)
    statuses, undecided = await access_status_of(session, viewer, slug)
    context = {
        "benchmark": benchmark,
        "text": render(benchmark.agreement.text) if benchmark.agreement else None,
        "statuses": statuses,
        "open": undecided,
    }
    return page(request, "agreement.html", context)


@router.post("/agreement")
async def accept_agreement(
    slug: SlugPath, viewer: ViewerDep, form: FormDep, session: SessionDep, settings: SettingsDep
) -> Response:
    """Accept for an organisation, by name; the time and the digest of the text are kept."""
    if form.text("agree") != "yes" or len(form.visible("name")) < 2:
        raise InvalidError("tick the box and enter your full name")
    organisations = {row.slug: row for row, _ in await AccountRepository(session).organisations_of(viewer.user_id)}
    organisation = organisations.get(form.text("organisation", 64))
    if organisation is None:
        raise NoOrganisationError("choose one of your organisations")
    name, digest = form.visible("name"), form.text("digest", 64)
    catalog = CatalogService(session)
    before = await catalog.accepted(slug, organisation.id)
    state = await catalog.accept(slug, organisation.id, viewer.user_id, name, digest)
    if before is None:
        await Outbox(session, settings).access_asked(slug, state.version, organisation.id)
    return go(f"/b/{slug}/agreement")


@router.get("/access", response_class=HTMLResponse)
async def access_page(
    request: Request,
    slug: SlugPath,
    viewer: ViewerDep,
    session: SessionDep,
    cursors: CursorsDep,
    cursor: CursorQuery = None,
) -> HTMLResponse:
    """For owners: applicants who wait, and everybody who has access."""
    service, benchmark = await _service(session, viewer, slug)
    waiting, _ = await service.page("requested", None, _PAGE)
    before = cursors.decode(f"page:access:{slug}", cursor)
    items, last = await service.page(None, UUID(before[0]) if before else None, _PAGE)
    context = {
        "benchmark": benchmark,
        "waiting": waiting,
        "items": [item for item in items if item.state != "requested"],
        "scraping": await (await _scraping(session, viewer)).report(slug),
        "following": cursors.encode(f"page:access:{slug}", [str(last)]) if last else None,
    }
    return page(request, "access.html", context)


@router.get("/access.csv")
async def export_access(slug: SlugPath, viewer: ViewerDep, session: SessionDep) -> Response:
    """The whole list as CSV."""
    service, _ = await _service(session, viewer, slug)
    headers = {"Content-Disposition": f'attachment; filename="access-{slug}.csv"', "Cache-Control": "no-store"}
    return Response(await service.export(), media_type="text/csv", headers=headers)


@router.post("/access/{request_id}")
async def decide_access(
    slug: SlugPath,
    request_id: IdPath,
    viewer: ViewerDep,
    form: FormDep,
    session: SessionDep,
    settings: SettingsDep,
) -> Response:
    """Approve, decline with a reason, or take access back."""
    state = form.text("decision")
    if state not in ("accepted", "declined"):
        raise InvalidError("approve or decline")
    decision = AccessDecision.model_validate({"state": state, "reason": form.text("reason", 1000)})
    service, _ = await _service(session, viewer, slug)
    await Outbox(session, settings).access_decided(await service.decide(request_id, decision))
    return go(f"/b/{slug}/access")


@router.post("/scraping")
async def change_pace(slug: SlugPath, viewer: ViewerDep, form: FormDep, session: SessionDep) -> Response:
    """Lift the limit for an organisation, or slow it down again."""
    service, organisation = await _scraping(session, viewer), form.text("organisation", 64)
    if form.text("decision") == "lift":
        await service.lift(slug, LiftCreate(organisation=organisation or "-", reason=form.text("reason", 1000)))
    else:
        await service.restore(slug, organisation)
    return go(f"/b/{slug}/access")


async def access_status_of(
    session: AsyncSession, viewer: Viewer, slug: str
) -> tuple[list[tuple[Organisation, AgreementState]], list[Organisation]]:
    """The viewer's organisations that accepted the current agreement, with how they stand, and those that did not."""
    catalog = CatalogService(session)
    rows = [row for row, _ in await AccountRepository(session).organisations_of(viewer.user_id)]
    found = [(row, await catalog.accepted(slug, row.id)) for row in rows]
    return [(row, state) for row, state in found if state], [row for row, state in found if not state]


async def _owned(session: AsyncSession, viewer: Viewer) -> list[UUID]:
    found = await AccountRepository(session).organisations_of(viewer.user_id)
    return [row.id for row, role in found if role == MemberRole.OWNER]


async def _scraping(session: AsyncSession, viewer: Viewer) -> ScrapingService:
    return ScrapingService(session, viewer.user_id, await _owned(session, viewer))


async def _service(session: AsyncSession, viewer: Viewer, slug: str) -> tuple[AccessService, OwnedBenchmark]:
    benchmark = await CatalogService(session).owned(slug, await _owned(session, viewer))
    return AccessService(session, viewer.user_id, benchmark.id), benchmark
