"""`/v1/benchmarks/{slug}/access`: for owners."""

from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter, Depends, Query, Response

from api.accounts.access_schemas import AccessDecision, AccessPage
from api.accounts.access_service import AccessService
from api.accounts.models import Scope
from api.accounts.principal import Principal, PrincipalDep, Require
from api.catalog.service import CatalogService
from api.core.db import AsyncSession
from api.core.deps import CursorsDep, SessionDep, SettingsDep
from api.core.ratelimit import limited
from api.core.schemas import CSV_TOO, CursorQuery, IdPath, SlugPath
from api.mail.outbox import Outbox

router = APIRouter(
    prefix="/v1",
    tags=["access"],
    dependencies=[Depends(Require(Scope.BENCHMARKS_WRITE)), Depends(limited("owner"))],
)


@router.get("/benchmarks/{slug}/access", response_model=AccessPage, responses=CSV_TOO)
async def list_access(
    slug: SlugPath,
    principal: PrincipalDep,
    session: SessionDep,
    cursors: CursorsDep,
    state: Literal["requested", "accepted", "declined"] | None = None,
    cursor: CursorQuery = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
    form: Annotated[Literal["json", "csv"], Query(alias="format")] = "json",
) -> AccessPage | Response:
    """Who asked for access to one's benchmark, who has it, and how much they were served; `format=csv` is all of it."""
    service = await _service(session, principal, slug)
    if form == "csv":
        return Response(await service.export(), media_type="text/csv")
    listing = f"access:{slug}:{state}"
    before = cursors.decode(listing, cursor)
    items, last = await service.page(state, UUID(before[0]) if before else None, limit)
    following = cursors.encode(listing, [str(last)]) if last else None
    return AccessPage(benchmark=slug, items=items, next=following)


@router.patch("/benchmarks/{slug}/access/{request}", status_code=204)
async def decide_access(
    slug: SlugPath,
    request: IdPath,
    body: AccessDecision,
    principal: PrincipalDep,
    session: SessionDep,
    settings: SettingsDep,
) -> None:
    """Approve an applicant, decline with a reason, or take access back."""
    service = await _service(session, principal, slug)
    await Outbox(session, settings).access_decided(await service.decide(request, body))


async def _service(session: AsyncSession, principal: Principal, slug: str) -> AccessService:
    benchmark = await CatalogService(session).owned(slug, [principal.organisation_id])
    return AccessService(session, principal.user_id, benchmark.id)
