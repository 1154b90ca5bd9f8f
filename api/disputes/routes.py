"""Disputes: participants raise them, owners decide them, everybody sees their states."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path

from api.accounts.models import Scope
from api.accounts.principal import PrincipalDep, Public, Require
from api.core.deps import AliasesDep, SessionDep, SettingsDep
from api.core.ratelimit import limited
from api.core.schemas import IdPath, SlugPath
from api.disputes.schemas import DisputeCreate, DisputeDecide, DisputeOwn, DisputeOwnPage, DisputePage
from api.disputes.service import DisputeService, disputes

public = APIRouter(prefix="/v1", tags=["disputes"], dependencies=[Depends(Public()), Depends(limited("public"))])
participants = APIRouter(
    prefix="/v1",
    tags=["disputes"],
    dependencies=[Depends(Require(Scope.SUBMISSIONS_WRITE)), Depends(limited("write"))],
)
owners = APIRouter(
    prefix="/v1",
    tags=["disputes"],
    dependencies=[Depends(Require(Scope.BENCHMARKS_WRITE)), Depends(limited("owner"))],
)


async def _service(
    session: SessionDep, settings: SettingsDep, aliases: AliasesDep, principal: PrincipalDep
) -> DisputeService:
    return DisputeService(session, settings, aliases, principal.user_id, [principal.organisation_id])


ServiceDep = Annotated[DisputeService, Depends(_service)]


@public.get("/benchmarks/{slug}/disputes")
async def list_disputes(slug: SlugPath, session: SessionDep) -> DisputePage:
    """How many golds of a benchmark were disputed, on which splits, and what became of it. Reasons are not public."""
    return await disputes(session, slug)


@participants.post("/problems/{alias}/disputes", status_code=201)
async def raise_dispute(
    alias: Annotated[str, Path(max_length=80)], body: DisputeCreate, principal: PrincipalDep, service: ServiceDep
) -> DisputeOwn:
    """Say that the gold of a problem is wrong, and why. Once for each problem; at most ten wait on a benchmark."""
    return await service.dispute(alias, principal.organisation_id, body.reason)


@participants.get("/disputes")
async def list_raised_disputes(principal: PrincipalDep, service: ServiceDep) -> DisputeOwnPage:
    """What your organisation disputed, with the owners' answers."""
    return DisputeOwnPage(items=await service.raised(principal.organisation_id))


@owners.get("/benchmarks/{slug}/disputes/received")
async def list_received_disputes(slug: SlugPath, service: ServiceDep) -> DisputeOwnPage:
    """What participants dispute on one's benchmark, with their reasons and the problems' names in the pack."""
    return DisputeOwnPage(items=await service.received(slug))


@owners.put("/disputes/{dispute}")
async def decide_dispute(dispute: IdPath, body: DisputeDecide, service: ServiceDep) -> DisputeOwn:
    """Accept or reject a dispute on one's benchmark, once, with an answer to who raised it."""
    return await service.decide(dispute, body)
