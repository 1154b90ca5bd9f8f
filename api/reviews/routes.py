"""`/v1/reviews`."""

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Path, Query, Response

from api.accounts.models import Scope
from api.accounts.principal import PrincipalDep, Require
from api.core.deps import SessionDep, SettingsDep
from api.core.ratelimit import limited
from api.core.schemas import CSV_TOO, EMAIL, IdPath, SlugPath
from api.core.spreadsheet import table
from api.reviews.measured import calibration_report, calibration_rows
from api.reviews.reviewers import add_reviewer, remove_reviewer, reviewers
from api.reviews.schemas import CalibrationReport, Claim, Claimed, QueueState, ReviewerPage, Vote, VoteResult
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


EmailPath = Annotated[str, Path(max_length=320, pattern=EMAIL)]
ServiceDep = Annotated[ReviewService, Depends(_service)]


@router.get("/queue")
async def show_queue(service: ServiceDep, benchmark: Annotated[str, Query(max_length=64)]) -> QueueState:
    """How many answers wait for people, and how far the reviewer is."""
    return await service.state(benchmark)


@router.post("/claim")
async def claim_review(body: Claim, service: ServiceDep) -> Claimed:
    """The next answer; nobody else gets it for half an hour."""
    return Claimed(task=await service.claim(body.benchmark))


@router.get("/{review}/images/{number}", response_class=Response)
async def show_review_image(
    review: IdPath, number: Annotated[int, Path(ge=0, le=1000)], service: ServiceDep
) -> Response:
    """A picture of the problem, by its place on the sheet, while the review is yours."""
    found = await service.picture(review, number)
    return Response(found.content, media_type=found.media_type, headers={"Content-Security-Policy": "sandbox"})


@router.post("/{review}/vote")
async def vote(review: IdPath, body: Vote, service: ServiceDep) -> VoteResult:
    """Give credits by criterion. Two votes that agree settle the answer; a third decides where they differ."""
    return await service.vote(review, body)


@router.post("/{review}/release", status_code=204)
async def release_review(review: IdPath, service: ServiceDep) -> None:
    """Give a claimed answer back to the queue."""
    await service.release(review)


@owners.get("/benchmarks/{slug}/calibration", response_model=CalibrationReport, responses=CSV_TOO)
async def show_calibration(
    slug: SlugPath,
    principal: PrincipalDep,
    session: SessionDep,
    settings: SettingsDep,
    form: Annotated[Literal["json", "csv"], Query(alias="format")] = "json",
) -> CalibrationReport | Response:
    """Judges against people, for the owner: by judge and criterion, with Pearson, kappa and the drift alarm.

    `format=csv`: both scores and credits of every measured answer.
    """
    key = settings.secrets.raw("review")
    report = await calibration_report(session, key, [principal.organisation_id], slug)
    if form == "json":
        return report
    return Response(table(calibration_rows(report)), media_type="text/csv")


@owners.get("/benchmarks/{slug}/reviewers")
async def list_reviewers(slug: SlugPath, principal: PrincipalDep, session: SessionDep) -> ReviewerPage:
    """Who reviews one's benchmark by name; members of its organisation may as well."""
    return await reviewers(session, principal.organisation_id, slug)


@owners.put("/benchmarks/{slug}/reviewers/{email}", status_code=204)
async def put_reviewer(
    slug: SlugPath, email: EmailPath, principal: PrincipalDep, session: SessionDep, settings: SettingsDep
) -> None:
    """Let somebody grade the queue of one's benchmark, by e-mail address; their key needs `reviews:write`."""
    await add_reviewer(session, settings.secrets.raw("pepper"), principal.organisation_id, slug, email)


@owners.delete("/benchmarks/{slug}/reviewers/{email}", status_code=204)
async def delete_reviewer(slug: SlugPath, email: EmailPath, principal: PrincipalDep, session: SessionDep) -> None:
    """Take a reviewer's part back; votes that were cast stay."""
    await remove_reviewer(session, principal.organisation_id, slug, email)
