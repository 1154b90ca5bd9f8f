"""`/v1/benchmarks/{slug}/problems`, `/v1/problems/{alias}` and assets."""

from typing import Annotated

import msgspec
from fastapi import APIRouter, Depends, Path, Query, Response

from api.accounts.models import Scope
from api.accounts.principal import PrincipalDep, Require
from api.catalog.repository import AssetAccess, CatalogRepository, OpenAsset
from api.catalog.service import require_agreement
from api.core.db import AsyncSession
from api.core.deps import SessionDep
from api.core.errors import NotFoundError
from api.core.ratelimit import limited
from api.core.schemas import CursorQuery, SlugPath
from api.problems.deps import Serving, ServingDep
from api.problems.repository import ProblemFilters
from api.problems.schemas import ProblemPage, ProblemPublic
from api.problems.service import ProblemService

router = APIRouter(
    prefix="/v1",
    tags=["problems"],
    dependencies=[Depends(Require(Scope.PROBLEMS_READ)), Depends(limited("problems"))],
)


def _service(session: AsyncSession, serving: Serving) -> ProblemService:
    paced = serving.settings.rate_limits_enabled
    return ProblemService(session, serving.aliases, serving.principal, serving.fingerprints, paced=paced, alone=True)


@router.get("/benchmarks/{slug}/problems", response_model=ProblemPage)
async def list_problems(
    slug: SlugPath,
    session: SessionDep,
    serving: ServingDep,
    response: Response,
    split: Annotated[str, Query(max_length=64)],
    cursor: CursorQuery = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    held_back: bool = False,
    subject: Annotated[str | None, Query(max_length=100)] = None,
    problem_type: Annotated[str | None, Query(alias="type", max_length=64)] = None,
    with_images: bool | None = None,
) -> Response:
    """The problems of a split, one page at a time: at most 20 on hidden splits, each a row in the exposure ledger.

    `subject`, `type` and `with_images` list those alone; only what is listed counts.

    Where siblings are exposed at random, `held_back=true` lists those that were not drawn: ask for them only for the
    run that is about to be submitted, so that the contamination test keeps its power.
    """
    filters = ProblemFilters(subject, problem_type, with_images)
    listing = f"problems:{slug}:{split}:{held_back}:{filters}"
    after = serving.cursors.decode(listing, cursor)
    service = _service(session, serving)
    served = await service.page(slug, split, after[0] if after else 0, limit, filters, held_back=held_back)
    following = serving.cursors.encode(listing, [served.last]) if served.last is not None else None
    if served.canary:
        response.headers["Heldout-Canary"] = served.canary
    budget = served.budget and served.budget.model_dump()
    content = msgspec.json.encode({"items": served.plain, "next": following, "budget": budget})
    return Response(content, media_type="application/json", headers=response.headers)


@router.get("/problems/{alias}")
async def show_problem(
    alias: Annotated[str, Path(max_length=80)], session: SessionDep, serving: ServingDep
) -> ProblemPublic:
    """One problem by the alias this organisation knows it under; counts against the budget as any other."""
    return await _service(session, serving).one(alias)


@router.get("/benchmarks/{slug}/assets/{version}/{path:path}", response_class=Response)
async def show_asset(
    slug: SlugPath,
    version: Annotated[str, Path(max_length=40)],
    path: Annotated[str, Path(max_length=300)],
    principal: PrincipalDep,
    session: SessionDep,
) -> Response:
    """An image of a statement. Behind the same key and scope as its problem, and on hidden splits the agreement."""
    repository = CatalogRepository(session)
    shown: OpenAsset | AssetAccess | None = await repository.open_asset(slug, version, path)
    if shown is None:
        row = await repository.asset(slug, version, path, principal.organisation_id)
        if row is None:
            raise NotFoundError("there is no such file in this version")
        require_agreement(row.agreement, row.agreement_state, slug)
        shown = row
    return Response(shown.content, media_type=shown.media_type, headers={"Content-Security-Policy": "sandbox"})
