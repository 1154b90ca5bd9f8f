"""`/v1/benchmarks`."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query

from api.accounts.models import Scope
from api.accounts.principal import PrincipalDep, Public, Require
from api.catalog.schemas import (
    AgreementAccept,
    AgreementState,
    BenchmarkPage,
    BenchmarkPublic,
    NgramFilterPublic,
    ReleasePage,
)
from api.catalog.service import CatalogService
from api.core.deps import CursorsDep, SessionDep, SettingsDep
from api.core.errors import NotFoundError
from api.core.ratelimit import limited
from api.core.schemas import CursorQuery, SlugPath
from api.mail.outbox import Outbox

public = APIRouter(prefix="/v1", tags=["benchmarks"], dependencies=[Depends(Public()), Depends(limited("public"))])
router = APIRouter(
    prefix="/v1",
    tags=["benchmarks"],
    dependencies=[Depends(Require(Scope.PROBLEMS_READ)), Depends(limited("write"))],
)


@public.get("/benchmarks")
async def list_benchmarks(
    session: SessionDep,
    cursors: CursorsDep,
    cursor: CursorQuery = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> BenchmarkPage:
    """All benchmarks, by slug."""
    after = cursors.decode("benchmarks", cursor)
    items = await CatalogService(session).page(after[0] if after else None, limit)
    return BenchmarkPage(
        items=items, next=cursors.encode("benchmarks", [items[-1].slug]) if len(items) == limit else None
    )


@public.get("/benchmarks/{slug}")
async def show_benchmark(slug: SlugPath, session: SessionDep) -> BenchmarkPublic:
    """One benchmark: card, splits, counts, agreement. No prompts."""
    return await CatalogService(session).show(slug)


@public.get("/benchmarks/{slug}/versions")
async def list_versions(slug: SlugPath, session: SessionDep) -> ReleasePage:
    """Every release, newest first, and which of them only mend the golds of another."""
    return ReleasePage(benchmark=slug, items=await CatalogService(session).versions(slug))


@public.get("/benchmarks/{slug}/ngram-filter")
async def show_ngram_filter(slug: SlugPath, session: SessionDep) -> NgramFilterPublic:
    """The salted filter of the hidden problems' 13-grams, for the decontamination of training corpora."""
    return await CatalogService(session).ngram_filter(slug)


@router.post("/benchmarks/{slug}/agreement", status_code=201)
async def accept_agreement(
    slug: SlugPath, body: AgreementAccept, principal: PrincipalDep, session: SessionDep, settings: SettingsDep
) -> AgreementState:
    """Accept the data-use agreement of the current version for one's organisation, by name."""
    service = CatalogService(session)
    before = await service.accepted(slug, principal.organisation_id)
    state = await service.accept(slug, principal.organisation_id, principal.user_id, body.name, body.digest)
    if before is None:
        await Outbox(session, settings).access_asked(slug, state.version, principal.organisation_id)
    return state


@router.get("/benchmarks/{slug}/agreement")
async def show_agreement(slug: SlugPath, principal: PrincipalDep, session: SessionDep) -> AgreementState:
    """How one's organisation stands to the agreement of the current version."""
    found = await CatalogService(session).accepted(slug, principal.organisation_id)
    if found is None:
        raise NotFoundError("your organisation has not accepted the agreement of this version")
    return found
