"""`/v1/endpoint-runs`: the service asks a participant's endpoint."""

from typing import Annotated

from fastapi import APIRouter, Depends

from api.accounts.models import Scope
from api.accounts.principal import PrincipalDep, Require
from api.core.deps import AliasesDep, SessionDep, SettingsDep
from api.core.ratelimit import limited
from api.core.schemas import IdPath
from api.endpoints.schemas import EndpointRunCreate, EndpointRunPage, EndpointRunPublic, EndpointRunResume
from api.endpoints.service import EndpointRunService
from api.submissions.routes import IdempotencyKey

router = APIRouter(
    prefix="/v1/endpoint-runs",
    tags=["endpoint runs"],
    dependencies=[Depends(Require(Scope.SUBMISSIONS_WRITE)), Depends(limited("submissions"))],
)
reading = APIRouter(
    prefix="/v1/endpoint-runs",
    tags=["endpoint runs"],
    dependencies=[Depends(Require(Scope.SUBMISSIONS_WRITE)), Depends(limited("read"))],
)


async def _service(
    session: SessionDep, aliases: AliasesDep, principal: PrincipalDep, settings: SettingsDep
) -> EndpointRunService:
    return EndpointRunService(session, aliases, principal, settings)


ServiceDep = Annotated[EndpointRunService, Depends(_service)]


@router.post("", status_code=202)
async def begin_endpoint_run(
    body: EndpointRunCreate, service: ServiceDep, idempotency_key: IdempotencyKey = None
) -> EndpointRunPublic:
    """Have the service play a split against an OpenAI-compatible endpoint: its problems go to nobody else."""
    return await service.begin(body, idempotency_key)


@reading.get("")
async def list_endpoint_runs(service: ServiceDep) -> EndpointRunPage:
    """Your organisation's newest runs."""
    return EndpointRunPage(items=await service.runs.listed())


@reading.get("/{run}")
async def show_endpoint_run(run: IdPath, service: ServiceDep) -> EndpointRunPublic:
    """How far a run is, what it has cost, and why it stopped."""
    return await service.runs.show(run)


@router.post("/{run}/cancel", status_code=202)
async def cancel_endpoint_run(run: IdPath, service: ServiceDep) -> EndpointRunPublic:
    """Ask nothing more, stop its container, end its episodes. Answers stay: resume it, or finalize its submission."""
    return await service.runs.cancel(run)


@router.post("/{run}/resume", status_code=202)
async def resume_endpoint_run(run: IdPath, body: EndpointRunResume, service: ServiceDep) -> EndpointRunPublic:
    """Go on with the problems that have no answer, with the key again and, where they are given, other caps."""
    return await service.resume(run, body)
