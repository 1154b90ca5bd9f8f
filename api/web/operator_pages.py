"""The operators' console: what waits, who holds sessions, what failed and why, and a retry."""

import shutil
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from fastapi import Path as InPath
from fastapi.responses import HTMLResponse

from api.core.deps import SessionDep, SettingsDep
from api.core.errors import ForbiddenError
from api.core.ids import public_id
from api.core.ratelimit import limited
from api.hosting.leases import LeaseRepository
from api.operations.failures import FailureRepository, retry
from api.operations.overview import overview
from api.operations.readiness import readiness
from api.operations.work import work
from api.web.forms import FormDep
from api.web.render import go, page
from api.web.viewer import Viewer, ViewerDep, signed_in

router = APIRouter(
    prefix="/operator/service",
    tags=["pages"],
    dependencies=[Depends(signed_in), Depends(limited("write"))],
    include_in_schema=False,
)
_ROWS = 50


@router.get("", response_class=HTMLResponse)
async def service_page(request: Request, viewer: ViewerDep, session: SessionDep, settings: SettingsDep) -> HTMLResponse:
    """Queues, workers, hosts, open episodes, failures, disk, releases, people."""
    require_operator(viewer)
    leases, failures = LeaseRepository(session), FailureRepository(session)
    context = {
        "faults": (await readiness(session)).faults,
        "work": await work(session),
        "hosts": await leases.host_stats(),
        "counts": await leases.counts(),
        "episodes": await failures.episodes(_ROWS),
        "jobs": await failures.jobs(_ROWS),
        "runs": await failures.runs(_ROWS),
        "disk": shutil.disk_usage(Path(settings.data_dir)),
        "public_id": public_id,
        "overview": await overview(session, _ROWS),
    }
    return page(request, "service.html", context)


@router.post("/jobs/{job}/retry")
async def retry_job(
    job: Annotated[int, InPath(ge=1, le=2**62)], viewer: ViewerDep, _form: FormDep, session: SessionDep
) -> Response:
    """Try a job that was given up once more."""
    require_operator(viewer)
    await retry(session, job)
    return go("/operator/service")


def require_operator(viewer: Viewer) -> None:
    """Raises ForbiddenError for anybody else."""
    if not viewer.is_operator:
        raise ForbiddenError("this page is for operators of the service")
