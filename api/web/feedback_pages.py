"""What the hidden splits of one's benchmark let out: their presets, what those cost, and releases of rankings."""

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import HTMLResponse

from api.catalog.service import CatalogService
from api.core.deps import SessionDep, SettingsDep
from api.core.ratelimit import limited
from api.core.schemas import SlugPath
from api.feedback.service import FeedbackService
from api.web.forms import FormDep
from api.web.owner_pages import owner_of
from api.web.render import go, page
from api.web.viewer import ViewerDep, signed_in

router = APIRouter(
    prefix="/b/{slug}/owner/feedback",
    tags=["pages"],
    dependencies=[Depends(signed_in), Depends(limited("write"))],
    include_in_schema=False,
)


@router.get("", response_class=HTMLResponse)
async def feedback_page(
    request: Request, slug: SlugPath, viewer: ViewerDep, session: SessionDep, settings: SettingsDep
) -> HTMLResponse:
    """Each hidden split with its rules, its releases and a form to call for one."""
    organisation_id = await owner_of(session, viewer, slug)
    catalog, service = CatalogService(session), FeedbackService(session, settings)
    benchmark = await catalog.show(slug)
    parts = []
    for split in benchmark.splits:
        _, row = await catalog.split(slug, split.name)
        if (rules := await service.rules(row.id)) is not None:
            schedule = await service.schedule([organisation_id], slug, split.name)
            parts.append({"split": split, "rules": rules, "schedule": schedule})
    return page(request, "feedback.html", {"benchmark": benchmark, "parts": parts})


@router.post("/release")
async def call_release(
    slug: SlugPath, viewer: ViewerDep, form: FormDep, session: SessionDep, settings: SettingsDep
) -> Response:
    """Call for a release of a split's ranking part now, within the year's allowance."""
    organisation_id = await owner_of(session, viewer, slug)
    await FeedbackService(session, settings).call([organisation_id], slug, form.text("split", 64))
    return go(f"/b/{slug}/owner/feedback")
