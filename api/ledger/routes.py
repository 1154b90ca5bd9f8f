"""`/v1/benchmarks/{slug}/ledger` and `/scraping`, for owners."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query

from api.accounts.models import Scope
from api.accounts.principal import PrincipalDep, Require
from api.core.deps import CursorsDep, SessionDep
from api.core.ratelimit import limited
from api.core.schemas import CursorQuery, IdPath, SlugPath
from api.ledger.schemas import LedgerCheck, LedgerPage, LiftCreate, ScrapingReport
from api.ledger.scraping import ScrapingService
from api.ledger.service import LedgerService

router = APIRouter(
    prefix="/v1",
    tags=["ledger"],
    dependencies=[Depends(Require(Scope.BENCHMARKS_WRITE)), Depends(limited("owner"))],
)


@router.get("/benchmarks/{slug}/ledger")
async def list_ledger(
    slug: SlugPath,
    principal: PrincipalDep,
    session: SessionDep,
    cursors: CursorsDep,
    organisation: Annotated[str | None, Query(max_length=64)] = None,
    cursor: CursorQuery = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> LedgerPage:
    """Who was served what, when, from where, in which variant; newest first."""
    listing = f"ledger:{slug}:{organisation}"
    before = cursors.decode(listing, cursor)
    items, last = await LedgerService(session, principal).page(slug, before[0] if before else None, organisation, limit)
    following = cursors.encode(listing, [last]) if last is not None else None
    return LedgerPage(benchmark=slug, items=items, next=following)


@router.get("/benchmarks/{slug}/ledger/check")
async def check_ledger(slug: SlugPath, principal: PrincipalDep, session: SessionDep) -> LedgerCheck:
    """Walk the hash chain of the ledger and name the first row that does not fit."""
    return await LedgerService(session, principal).check(slug)


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
