"""The page of a benchmark's ratings: how entries do against each other in matches."""

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse

from api.accounts.principal import Public
from api.catalog.service import CatalogService
from api.core.deps import SessionDep
from api.core.ratelimit import limited
from api.core.schemas import SlugPath
from api.matches.service import ratings
from api.web.render import page
from api.web.viewer import MaybeViewerDep

router = APIRouter(
    prefix="/b/{slug}",
    tags=["pages"],
    dependencies=[Depends(Public()), Depends(limited("public"))],
    include_in_schema=False,
)
_ENDS = ("no action", "too slow", "gone")


@router.get("/ratings", response_class=HTMLResponse)
async def ratings_page(request: Request, slug: SlugPath, session: SessionDep, _viewer: MaybeViewerDep) -> HTMLResponse:
    """Ratings on Elo's scale, and the newest ranked matches."""
    found = await ratings(session, slug)
    benchmark = await CatalogService(session).show(slug)
    context = {"benchmark": benchmark, "rated": found.items, "newest": found.matches, "ends": _ENDS}
    return page(request, "ratings.html", context)
