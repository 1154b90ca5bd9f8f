"""What an organisation learnt of a hidden split, and the owner's call for a release."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query

from api.accounts.models import Scope
from api.accounts.principal import PrincipalDep, Require
from api.core.deps import SessionDep, SettingsDep
from api.core.ratelimit import limited
from api.core.schemas import SlugPath
from api.feedback.schemas import ReleaseCalled, ReleaseSchedule, SplitFeedbackPublic
from api.feedback.service import FeedbackService

participants = APIRouter(
    prefix="/v1",
    tags=["feedback"],
    dependencies=[Depends(Require(Scope.SUBMISSIONS_WRITE)), Depends(limited("write"))],
)
owners = APIRouter(
    prefix="/v1",
    tags=["feedback"],
    dependencies=[Depends(Require(Scope.BENCHMARKS_WRITE)), Depends(limited("owner"))],
)
SplitQuery = Annotated[str, Query(max_length=64)]


@participants.get("/benchmarks/{slug}/feedback")
async def show_feedback(
    slug: SlugPath, principal: PrincipalDep, session: SessionDep, settings: SettingsDep, split: SplitQuery = "test"
) -> SplitFeedbackPublic:
    """What one's organisation has learnt of a split so far, what is left this year, and the next scheduled release."""
    return await FeedbackService(session, settings).of_organisation(principal, slug, split)


@owners.get("/benchmarks/{slug}/ranking-releases")
async def list_releases(
    slug: SlugPath, principal: PrincipalDep, session: SessionDep, settings: SettingsDep, split: SplitQuery = "test"
) -> ReleaseSchedule:
    """When the ranking part of one's own benchmark was released and is next, and how often you may call for it."""
    return await FeedbackService(session, settings).schedule([principal.organisation_id], slug, split)


@owners.post("/benchmarks/{slug}/ranking-release", status_code=202)
async def call_release(
    slug: SlugPath, principal: PrincipalDep, session: SessionDep, settings: SettingsDep, split: SplitQuery = "test"
) -> ReleaseCalled:
    """Release the ranking part of one's own benchmark now, for all who asked, besides the scheduled releases."""
    return await FeedbackService(session, settings).call([principal.organisation_id], slug, split)
