"""What one's organisations have used and have left, and their newest runs and episodes."""

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse

from api.accounts.models import Organisation
from api.accounts.repository import AccountRepository
from api.catalog.repository import CatalogRepository
from api.core.crypto import Aliases
from api.core.db import AsyncSession
from api.core.deps import AliasesDep, SessionDep, SettingsDep
from api.core.ids import public_id
from api.core.ratelimit import limited
from api.core.settings import Settings
from api.feedback.repository import FeedbackRepository
from api.sessions.trajectories import TrajectoryRepository
from api.submissions.allowances import AllowanceRepository
from api.submissions.repository import SubmissionRepository
from api.submissions.schemas import SubmissionPublic
from api.submissions.view import view
from api.web.render import page
from api.web.viewer import ViewerDep, signed_in

router = APIRouter(
    prefix="/account/usage",
    tags=["pages"],
    dependencies=[Depends(signed_in), Depends(limited("write"))],
    include_in_schema=False,
)
_NEWEST = 10


@router.get("", response_class=HTMLResponse)
async def usage_page(
    request: Request, viewer: ViewerDep, session: SessionDep, aliases: AliasesDep, settings: SettingsDep
) -> HTMLResponse:
    """For each of one's organisations: budgets, feedback received, the newest runs and episodes."""
    found = await AccountRepository(session).organisations_of(viewer.user_id)
    feedback = FeedbackRepository(session)
    parts = [
        {
            "organisation": organisation,
            "allowances": await AllowanceRepository(session).of(organisation.id),
            "feedback": await feedback.learnt(await feedback.receiver(organisation.id)),
            "runs": await _runs(session, aliases, settings, organisation),
            "episodes": await TrajectoryRepository(session).newest(organisation.id, _NEWEST),
        }
        for organisation, _ in found
    ]
    return page(request, "usage.html", {"parts": parts, "public_id": public_id})


async def _runs(
    session: AsyncSession, aliases: Aliases, settings: Settings, organisation: Organisation
) -> list[SubmissionPublic]:
    """The newest runs as their split's policy allows."""
    shown = []
    for row in await SubmissionRepository(session).page(organisation.id, None, _NEWEST):
        benchmark, release, split = await CatalogRepository(session).whereabouts(row.split_id)
        shown.append(await view(session, aliases, settings, row, benchmark.slug, release, split, whole=False))
    return shown
