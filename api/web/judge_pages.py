"""How a benchmark's judge models do against people, for its owner."""

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import HTMLResponse

from api.catalog.service import CatalogService
from api.core.deps import SessionDep, SettingsDep
from api.core.ratelimit import limited
from api.core.schemas import SlugPath
from api.core.spreadsheet import table
from api.reviews.measured import calibration_report, calibration_rows
from api.reviews.schemas import CalibrationReport
from api.web.owner_pages import owner_of
from api.web.render import page
from api.web.viewer import ViewerDep, signed_in

router = APIRouter(
    prefix="/b/{slug}/owner",
    tags=["pages"],
    dependencies=[Depends(signed_in), Depends(limited("write"))],
    include_in_schema=False,
)


async def _report(slug: SlugPath, viewer: ViewerDep, session: SessionDep, settings: SettingsDep) -> CalibrationReport:
    organisation_id = await owner_of(session, viewer, slug)
    return await calibration_report(session, settings.secrets.raw("review"), [organisation_id], slug)


@router.get("/judges", response_class=HTMLResponse)
async def judges_page(
    request: Request, slug: SlugPath, viewer: ViewerDep, session: SessionDep, settings: SettingsDep
) -> HTMLResponse:
    """Each judge beside the people: on whole answers and by criterion."""
    report = await _report(slug, viewer, session, settings)
    benchmark = await CatalogService(session).show(slug)
    return page(request, "judges.html", {"benchmark": benchmark, "report": report})


@router.get("/judges.csv", response_class=Response)
async def judges_table(slug: SlugPath, viewer: ViewerDep, session: SessionDep, settings: SettingsDep) -> Response:
    """Both scores and credits of every measured answer."""
    report = await _report(slug, viewer, session, settings)
    return Response(table(calibration_rows(report)), media_type="text/csv")
