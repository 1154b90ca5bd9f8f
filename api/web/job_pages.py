"""What an owner has a worker do: item statistics, previews of regradings, diffs, exports; and disputes of golds."""

from typing import Any

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import HTMLResponse
from pydantic import ValidationError

from api.catalog.service import CatalogService
from api.core.deps import AliasesDep, SessionDep, SettingsDep
from api.core.errors import InvalidError
from api.core.ratelimit import limited
from api.core.schemas import IdPath, SlugPath
from api.disputes.schemas import DisputeDecide
from api.disputes.service import DisputeService
from api.owner_jobs.schemas import ASKS, OwnerJobAsk
from api.owner_jobs.service import OwnerJobService
from api.web.forms import Form, FormDep
from api.web.owner_pages import owner_of
from api.web.render import go, page
from api.web.viewer import ViewerDep, signed_in

router = APIRouter(
    prefix="/b/{slug}/owner",
    tags=["pages"],
    dependencies=[Depends(signed_in), Depends(limited("write"))],
    include_in_schema=False,
)
_SECONDS = 2
_FIELDS: dict[str, tuple[str, ...]] = {
    "items": ("split",),
    "regrade_preview": (),
    "diff": ("old", "new"),
    "export": ("version",),
    "presets": ("split",),
    "delete": ("confirm", "reason"),
    "retire": ("split", "into", "version", "everything", "anyway"),
}
"""The jobs that a page asks for, and the fields of their forms."""
_TICKED = ("everything", "anyway")


@router.get("/jobs", response_class=HTMLResponse)
async def jobs_page(
    request: Request,
    slug: SlugPath,
    viewer: ViewerDep,
    session: SessionDep,
    settings: SettingsDep,
) -> HTMLResponse:
    """The newest jobs of a benchmark, with a form for each kind of job."""
    organisation_id = await owner_of(session, viewer, slug)
    service = OwnerJobService(session, settings, viewer.user_id, [organisation_id])
    catalog = CatalogService(session)
    context = {
        "benchmark": await catalog.show(slug),
        "releases": await catalog.versions(slug),
        "jobs": await service.listed(slug),
    }
    return page(request, "jobs.html", context)


@router.post("/jobs")
async def begin_job(
    slug: SlugPath, viewer: ViewerDep, form: FormDep, session: SessionDep, settings: SettingsDep
) -> Response:
    """Have a job done, and show it."""
    organisation_id = await owner_of(session, viewer, slug)
    service = OwnerJobService(session, settings, viewer.user_id, [organisation_id])
    job = await service.ask(slug, _asked(form))
    return go(f"/b/{slug}/owner/jobs/{job.id}")


def _asked(form: Form) -> OwnerJobAsk:
    job = form.text("job")
    if job == "retire" and form.text("sure") != "true":
        raise InvalidError("tick the box: the golds of a retired split are public for good")
    fields: dict[str, Any] = {name: form.text(name, 1000) for name in _FIELDS.get(job, ())}
    fields |= {name: fields[name] == "true" for name in _TICKED if name in fields}
    try:
        return ASKS.validate_python({"job": job} | {name: value for name, value in fields.items() if value})
    except ValidationError:
        raise InvalidError(f"a job is one of {', '.join(_FIELDS)}, with the fields of its form") from None


@router.get("/jobs/{job}", response_class=HTMLResponse)
async def job_page(
    request: Request, slug: SlugPath, job: IdPath, viewer: ViewerDep, session: SessionDep, settings: SettingsDep
) -> HTMLResponse:
    """How far a job is, and what it found. The page is asked for again until the job has ended."""
    organisation_id = await owner_of(session, viewer, slug)
    found = await OwnerJobService(session, settings, viewer.user_id, [organisation_id]).show(job)
    benchmark = await CatalogService(session).owned(slug, [organisation_id], unpublished=True)
    response = page(request, "job.html", {"benchmark": benchmark, "job": found})
    if found.finished_at is None:
        response.headers["Refresh"] = str(_SECONDS)
    return response


@router.get("/jobs/{job}/file")
async def job_file(
    slug: SlugPath, job: IdPath, viewer: ViewerDep, session: SessionDep, settings: SettingsDep
) -> Response:
    """The pack that an export wrote."""
    organisation_id = await owner_of(session, viewer, slug)
    content = await OwnerJobService(session, settings, viewer.user_id, [organisation_id]).file(job)
    name = {"Content-Disposition": f'attachment; filename="{slug}.tar.gz"'}
    return Response(content, media_type="application/gzip", headers=name)


@router.get("/disputes", response_class=HTMLResponse)
async def disputes_page(
    request: Request,
    slug: SlugPath,
    viewer: ViewerDep,
    session: SessionDep,
    settings: SettingsDep,
    aliases: AliasesDep,
) -> HTMLResponse:
    """What participants say of the golds, with a form to answer each."""
    organisation_id = await owner_of(session, viewer, slug)
    service = DisputeService(session, settings, aliases, viewer.user_id, [organisation_id])
    context = {"benchmark": await CatalogService(session).show(slug), "disputes": await service.received(slug)}
    return page(request, "disputes.html", context)


@router.post("/disputes/{dispute}")
async def decide_dispute(
    slug: SlugPath,
    dispute: IdPath,
    viewer: ViewerDep,
    form: FormDep,
    session: SessionDep,
    settings: SettingsDep,
    aliases: AliasesDep,
) -> Response:
    """Accept or reject a dispute, with an answer."""
    organisation_id = await owner_of(session, viewer, slug)
    try:
        decision = DisputeDecide.model_validate({"state": form.text("state"), "answer": form.text("answer", 4000)})
    except ValidationError:
        raise InvalidError("accept or reject it, with an answer of at least ten characters") from None
    await DisputeService(session, settings, aliases, viewer.user_id, [organisation_id]).decide(dispute, decision)
    return go(f"/b/{slug}/owner/disputes")
