"""Runs that the service plays: endpoints that it asks and containers that it runs, with a way to cancel each."""

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import HTMLResponse

from api.accounts.repository import AccountRepository
from api.core.db import AsyncSession
from api.core.deps import SessionDep
from api.core.ids import parse_id
from api.core.ratelimit import limited
from api.core.schemas import IdPath
from api.endpoints.errors import NoRunError
from api.endpoints.models import RunState
from api.endpoints.repository import EndpointRunRepository
from api.endpoints.runs import Runs, public, reports_little
from api.web.forms import FormDep
from api.web.render import go, page
from api.web.viewer import Viewer, ViewerDep, signed_in

router = APIRouter(
    prefix="/account/runs",
    tags=["pages"],
    dependencies=[Depends(signed_in), Depends(limited("write"))],
    include_in_schema=False,
)
_SECONDS = 5
_UNDER_WAY = (RunState.QUEUED, RunState.PLAYING)


@router.get("", response_class=HTMLResponse)
async def runs_page(request: Request, viewer: ViewerDep, session: SessionDep) -> HTMLResponse:
    """The newest runs of one's organisations, as much of each as its split's policy tells."""
    parts = [
        {"organisation": organisation, "runs": await Runs(session, organisation.id).listed()}
        for organisation, _ in await AccountRepository(session).organisations_of(viewer.user_id)
    ]
    return page(request, "runs.html", {"parts": parts, "under_way": _UNDER_WAY})


@router.get("/{run}", response_class=HTMLResponse)
async def run_page(request: Request, run: IdPath, viewer: ViewerDep, session: SessionDep) -> HTMLResponse:
    """One run: how far it is, what it cost, how it ended, what comes next. Asked for again until it has ended."""
    found = await (await _runs(session, viewer, run)).of(run)
    under_way = found.state in _UNDER_WAY
    context = {"run": public(found), "secret": reports_little(found), "under_way": under_way}
    response = page(request, "run.html", context)
    if under_way:
        response.headers["Refresh"] = str(_SECONDS)
    return response


@router.post("/{run}/cancel")
async def cancel_run(run: IdPath, form: FormDep, viewer: ViewerDep, session: SessionDep) -> Response:
    """Ask nothing more, stop a container, end its episodes."""
    del form
    await (await _runs(session, viewer, run)).cancel(run)
    return go(f"/account/runs/{run}")


async def _runs(session: AsyncSession, viewer: Viewer, run: str) -> Runs:
    """The runs of the organisation that a run is of, for its members alone. Raises NoRunError."""
    run_id = parse_id("run", run)
    found = run_id and await EndpointRunRepository(session).one(run_id)
    mine = await AccountRepository(session).organisations_of(viewer.user_id)
    if not found or found.organisation_id not in {organisation.id for organisation, _ in mine}:
        raise NoRunError("the page /account/runs lists those of your organisations")
    return Runs(session, found.organisation_id)
