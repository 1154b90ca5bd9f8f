"""The owner's audit: `/v1/benchmarks/{slug}/ledger`, `/leak-trace` and what belongs to them."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response

from api.accounts.models import Scope
from api.accounts.principal import PrincipalDep, Public, Require
from api.audit.participants import ParticipantService
from api.audit.schemas import (
    DeclarationCreate,
    DeclarationPublic,
    FeedbackPublic,
    LeakCreate,
    LeakTracePublic,
    LedgerCheck,
    LedgerPage,
    LiftCreate,
    RegradePage,
    ScrapingReport,
)
from api.audit.scraping import ScrapingService
from api.audit.service import AuditService, regrades
from api.core.deps import CursorsDep, SessionDep
from api.core.ratelimit import limited
from api.core.schemas import CursorQuery, IdPath, SlugPath

router = APIRouter(
    prefix="/v1",
    tags=["audit"],
    dependencies=[Depends(Require(Scope.BENCHMARKS_WRITE)), Depends(limited("owner"))],
)
public = APIRouter(prefix="/v1", tags=["audit"], dependencies=[Depends(Public()), Depends(limited("public"))])
participants = APIRouter(
    prefix="/v1",
    tags=["audit"],
    dependencies=[Depends(Require(Scope.SUBMISSIONS_WRITE)), Depends(limited("write"))],
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
    items, last = await AuditService(session, principal).page(slug, before[0] if before else None, organisation, limit)
    following = cursors.encode(listing, [last]) if last is not None else None
    return LedgerPage(benchmark=slug, items=items, next=following)


@router.get("/benchmarks/{slug}/ledger/check")
async def check_ledger(slug: SlugPath, principal: PrincipalDep, session: SessionDep) -> LedgerCheck:
    """Walk the hash chain of the ledger and name the first row that does not fit."""
    return await AuditService(session, principal).check(slug)


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


@public.get("/benchmarks/{slug}/regrades")
async def list_regrades(slug: SlugPath, session: SessionDep) -> RegradePage:
    """What was mended after publication: the reason, how far it is, and whose score moved by how much."""
    return await regrades(session, slug)


@router.post("/benchmarks/{slug}/leak-trace", status_code=202)
async def trace_leak(
    slug: SlugPath, body: LeakCreate, principal: PrincipalDep, session: SessionDep, response: Response
) -> LeakTracePublic:
    """Trace a leaked text, pairs of problem and answer, or a submission to the copy it came from."""
    trace = await AuditService(session, principal).trace(slug, body)
    response.headers["Location"] = f"/v1/leak-traces/{trace.id}"
    return trace


@router.get("/leak-traces/{trace}")
async def show_leak_trace(trace: IdPath, principal: PrincipalDep, session: SessionDep) -> LeakTracePublic:
    """The suspects, ranked, and whether the evidence is enough to name anyone."""
    return await AuditService(session, principal).traced(trace)


@participants.post("/benchmarks/{slug}/declarations", status_code=201)
async def declare_run(
    slug: SlugPath, body: DeclarationCreate, principal: PrincipalDep, session: SessionDep
) -> DeclarationPublic:
    """Declare a run before it is made: an entry with this model and this commit as its version carries a mark."""
    return await ParticipantService(session, principal).declare(slug, body)


@participants.get("/benchmarks/{slug}/feedback")
async def show_feedback(
    slug: SlugPath, principal: PrincipalDep, session: SessionDep, split: Annotated[str, Query(max_length=64)] = "test"
) -> FeedbackPublic:
    """What one's organisation has been told of a split so far: attempts, releases, bits."""
    return await ParticipantService(session, principal).feedback(slug, split)
