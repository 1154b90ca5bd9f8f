"""`/v1/reviews`."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query

from api.accounts.models import Scope
from api.accounts.principal import PrincipalDep, Require
from api.core.deps import SessionDep, SettingsDep
from api.core.ratelimit import limited
from api.core.schemas import IdPath, SlugPath
from api.reviews.measured import calibration_report
from api.reviews.schemas import CalibrationReport, Claim, Claimed, QueueState, Vote, VoteResult
from api.reviews.service import ReviewService

router = APIRouter(
    prefix="/v1/reviews",
    tags=["reviews"],
    dependencies=[Depends(Require(Scope.REVIEWS_WRITE)), Depends(limited("write"))],
)
owners = APIRouter(
    prefix="/v1",
    tags=["reviews"],
    dependencies=[Depends(Require(Scope.BENCHMARKS_WRITE)), Depends(limited("owner"))],
)


async def _service(session: SessionDep, settings: SettingsDep, principal: PrincipalDep) -> ReviewService:
    return ReviewService(session, settings.secrets.raw("review"), principal.user_id)


ServiceDep = Annotated[ReviewService, Depends(_service)]


@router.get("/queue")
async def show_queue(service: ServiceDep, benchmark: Annotated[str, Query(max_length=64)]) -> QueueState:
    """How many answers wait for people, and how far the reviewer is."""
    return await service.state(benchmark)


@router.post("/claim")
async def claim_review(body: Claim, service: ServiceDep) -> Claimed:
    """The next answer; nobody else gets it for half an hour."""
    return Claimed(task=await service.claim(body.benchmark))


@router.post("/{review}/vote")
async def vote(review: IdPath, body: Vote, service: ServiceDep) -> VoteResult:
    """Give credits by criterion. Two votes that agree settle the answer; a third decides where they differ."""
    return await service.vote(review, body)


@router.post("/{review}/release", status_code=204)
async def release_review(review: IdPath, service: ServiceDep) -> None:
    """Give a claimed answer back to the queue."""
    await service.release(review)


@owners.get("/benchmarks/{slug}/calibration")
async def show_calibration(
    slug: SlugPath, principal: PrincipalDep, session: SessionDep, settings: SettingsDep
) -> CalibrationReport:
    """Judges against people, for the owner: by judge and criterion, with agreement and the drift alarm."""
    return await calibration_report(session, settings.secrets.raw("review"), principal.organisation_id, slug)
