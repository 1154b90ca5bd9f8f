"""`/v1/benchmarks/{slug}/leak-trace` and `/v1/leak-traces`, for owners."""

from fastapi import APIRouter, Depends, Response

from api.accounts.models import Scope
from api.accounts.principal import PrincipalDep, Require
from api.core.deps import SessionDep
from api.core.ratelimit import limited
from api.core.schemas import IdPath, SlugPath
from api.leaks.schemas import LeakCreate, LeakTracePublic
from api.leaks.service import LeakService

router = APIRouter(
    prefix="/v1",
    tags=["leaks"],
    dependencies=[Depends(Require(Scope.BENCHMARKS_WRITE)), Depends(limited("owner"))],
)


@router.post("/benchmarks/{slug}/leak-trace", status_code=202)
async def trace_leak(
    slug: SlugPath, body: LeakCreate, principal: PrincipalDep, session: SessionDep, response: Response
) -> LeakTracePublic:
    """Trace a leaked text, pairs of problem and answer, or a submission to the copy it came from."""
    trace = await LeakService(session, principal).trace(slug, body)
    response.headers["Location"] = f"/v1/leak-traces/{trace.id}"
    return trace


@router.get("/leak-traces/{trace}")
async def show_leak_trace(trace: IdPath, principal: PrincipalDep, session: SessionDep) -> LeakTracePublic:
    """The suspects, ranked, and whether the evidence is enough to name anyone."""
    return await LeakService(session, principal).traced(trace)
