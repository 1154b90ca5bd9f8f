"""Who was served what of one's benchmark, with filters, as a page and as CSV."""

from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import HTMLResponse
from pydantic import TypeAdapter, ValidationError

from api.catalog.service import CatalogService
from api.core.deps import CursorsDep, SessionDep
from api.core.errors import InvalidError
from api.core.ratelimit import limited
from api.core.schemas import CursorQuery, SlugPath, UtcTime
from api.ledger.repository import LedgerFilters
from api.ledger.service import MOST_EXPORTED, LedgerService
from api.web.owner_pages import owner_of
from api.web.render import page
from api.web.viewer import ViewerDep, signed_in

router = APIRouter(
    prefix="/b/{slug}",
    tags=["pages"],
    dependencies=[Depends(signed_in), Depends(limited("write"))],
    include_in_schema=False,
)
_PAGE = 100
_TIME: TypeAdapter[UtcTime] = TypeAdapter(UtcTime)
_Short = Annotated[str, Query(max_length=128)]


async def _given(
    organisation: _Short = "",
    split: _Short = "",
    problem: _Short = "",
    key: _Short = "",
    channel: _Short = "",
    address: _Short = "",
    since: _Short = "",
    until: _Short = "",
) -> dict[str, str]:
    """The fields of the form that are filled."""
    fields = {name: value.strip() for name, value in locals().items()}
    return {name: value for name, value in fields.items() if value}


GivenDep = Annotated[dict[str, str], Depends(_given)]


def _filters(given: dict[str, str]) -> LedgerFilters:
    try:
        since, until = [_TIME.validate_python(given[name]) if name in given else None for name in ("since", "until")]
    except ValidationError:
        raise InvalidError("'from' and 'before' are days, like 2026-11-23") from None
    return LedgerFilters(
        organisation=given.get("organisation"),
        split=given.get("split"),
        problem=given.get("problem"),
        key=given.get("key"),
        channel=given.get("channel"),
        address=given.get("address"),
        since=since,
        until=until,
    )


@router.get("/exposure", response_class=HTMLResponse)
async def exposure_page(
    request: Request,
    slug: SlugPath,
    viewer: ViewerDep,
    session: SessionDep,
    cursors: CursorsDep,
    given: GivenDep,
    cursor: CursorQuery = None,
    chain: Annotated[bool, Query()] = False,
) -> HTMLResponse:
    """Rows of the ledger, newest first; with `chain` whether its hash chain holds."""
    service = LedgerService(session, [await owner_of(session, viewer, slug)])
    listing = f"page:exposure:{slug}:{given}"
    before = cursors.decode(listing, cursor)
    items, last = await service.page(slug, before[0] if before else None, _filters(given), _PAGE)
    context = {
        "benchmark": await CatalogService(session).show(slug),
        "items": items,
        "given": given,
        "query": urlencode(given),
        "most": MOST_EXPORTED,
        "chain": await service.check(slug) if chain else None,
        "following": cursors.encode(listing, [last]) if last is not None else None,
    }
    return page(request, "exposure.html", context)


@router.get("/exposure.csv")
async def export_exposure(slug: SlugPath, viewer: ViewerDep, session: SessionDep, given: GivenDep) -> Response:
    """The newest rows that the filters let through, as CSV."""
    service = LedgerService(session, [await owner_of(session, viewer, slug)])
    text, _ = await service.export(slug, None, _filters(given))
    headers = {"Content-Disposition": f'attachment; filename="exposure-{slug}.csv"', "Cache-Control": "no-store"}
    return Response(text, media_type="text/csv", headers=headers)
