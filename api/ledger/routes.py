"""`/v1/benchmarks/{slug}/ledger` and `/scraping`, for owners."""

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Response

from api.accounts.models import Scope
from api.accounts.principal import PrincipalDep, Require
from api.core.deps import CursorsDep, SessionDep
from api.core.ratelimit import limited
from api.core.schemas import CSV_TOO, CursorQuery, IdPath, SlugPath, UtcTime
from api.ledger.repository import LedgerFilters
from api.ledger.schemas import LedgerCheck, LedgerPage, LiftCreate, ScrapingReport
from api.ledger.scraping import ScrapingService
from api.ledger.service import LedgerService

router = APIRouter(
    prefix="/v1",
    tags=["ledger"],
    dependencies=[Depends(Require(Scope.BENCHMARKS_WRITE)), Depends(limited("owner"))],
)


async def ledger_filters(
    organisation: Annotated[str | None, Query(max_length=64)] = None,
    split: Annotated[str | None, Query(max_length=64)] = None,
    problem: Annotated[str | None, Query(max_length=128)] = None,
    key: Annotated[str | None, Query(max_length=100)] = None,
    channel: Annotated[str | None, Query(max_length=20)] = None,
    address: Annotated[str | None, Query(max_length=64)] = None,
    since: UtcTime | None = None,
    until: UtcTime | None = None,
) -> LedgerFilters:
    """The filters of the query string."""
    return LedgerFilters(
        organisation=organisation,
        split=split,
        problem=problem,
        key=key,
        channel=channel,
        address=address,
        since=since,
        until=until,
    )


LedgerFiltersDep = Annotated[LedgerFilters, Depends(ledger_filters)]


@router.get("/benchmarks/{slug}/ledger", response_model=LedgerPage, responses=CSV_TOO)
async def list_ledger(
    slug: SlugPath,
    principal: PrincipalDep,
    session: SessionDep,
    cursors: CursorsDep,
    filters: LedgerFiltersDep,
    cursor: CursorQuery = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    form: Annotated[Literal["json", "csv"], Query(alias="format")] = "json",
) -> LedgerPage | Response:
    """Who was served what, when, from where, in which variant; newest first. `format=csv` is 100,000 rows at once."""
    listing = f"ledger:{slug}:{filters}"
    decoded = cursors.decode(listing, cursor)
    before = decoded[0] if decoded else None
    service = LedgerService(session, [principal.organisation_id])
    if form == "csv":
        text, last = await service.export(slug, before, filters)
        link = {"Link": f'<?format=csv&cursor={cursors.encode(listing, [last])}>; rel="next"'} if last else {}
        return Response(text, media_type="text/csv", headers=link)
    items, last = await service.page(slug, before, filters, limit)
    following = cursors.encode(listing, [last]) if last is not None else None
    return LedgerPage(benchmark=slug, items=items, next=following)


@router.get("/benchmarks/{slug}/ledger/check")
async def check_ledger(slug: SlugPath, principal: PrincipalDep, session: SessionDep) -> LedgerCheck:
    """Walk the hash chain of the ledger and name the first row that does not fit."""
    return await LedgerService(session, [principal.organisation_id]).check(slug)


@router.get("/benchmarks/{slug}/scraping")
async def show_scraping(slug: SlugPath, principal: PrincipalDep, session: SessionDep) -> ScrapingReport:
    """Patterns of scraping: in order, too fast, many keys of one organisation or address; and whose pace is lifted."""
    return await ScrapingService(session, principal.user_id, [principal.organisation_id]).report(slug)


@router.post("/benchmarks/{slug}/scraping/lifts", status_code=204)
async def lift_pace(slug: SlugPath, body: LiftCreate, principal: PrincipalDep, session: SessionDep) -> None:
    """Let an organisation read one's benchmark at any pace."""
    await ScrapingService(session, principal.user_id, [principal.organisation_id]).lift(slug, body)


@router.delete("/benchmarks/{slug}/scraping/lifts/{organisation}", status_code=204)
async def restore_pace(slug: SlugPath, organisation: IdPath, principal: PrincipalDep, session: SessionDep) -> None:
    """Slow an organisation down again like everybody else."""
    await ScrapingService(session, principal.user_id, [principal.organisation_id]).restore(slug, organisation)
