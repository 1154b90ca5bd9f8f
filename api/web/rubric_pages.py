"""Rubrics of a benchmark, for its owner: drafted by the judge's model, edited, approved, published. Forms alone."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import HTMLResponse
from pydantic import ValidationError

from api.catalog.service import CatalogService
from api.core.deps import SessionDep, SettingsDep
from api.core.errors import InvalidError
from api.core.ratelimit import limited
from api.core.schemas import IdPath, SlugPath
from api.owner_jobs.schemas import ASKS, OwnerJobAsk
from api.owner_jobs.service import OwnerJobService
from api.rubrics.schemas import RubricApprove, RubricEdit
from api.rubrics.service import RubricService
from api.uploads.service import UploadService
from api.web.forms import Form, FormDep
from api.web.owner_pages import owner_of
from api.web.render import go, page, page_with_formulas
from api.web.viewer import ViewerDep, signed_in

router = APIRouter(
    prefix="/b/{slug}/owner/rubrics",
    tags=["pages"],
    dependencies=[Depends(signed_in), Depends(limited("write"))],
    include_in_schema=False,
)
_MOST = 50
_EMPTY = 3
_TEXTS = ("text", "full", "half", "none")


async def _service(slug: SlugPath, viewer: ViewerDep, session: SessionDep, settings: SettingsDep) -> RubricService:
    return RubricService(session, settings, viewer.user_id, [await owner_of(session, viewer, slug)])


ServiceDep = Annotated[RubricService, Depends(_service)]


@router.get("", response_class=HTMLResponse)
async def rubrics_page(
    request: Request, slug: SlugPath, viewer: ViewerDep, session: SessionDep, settings: SettingsDep, service: ServiceDep
) -> HTMLResponse:
    """The problems that have a rubric or could have one, with forms to have them drafted and published."""
    organisation_id = await owner_of(session, viewer, slug)
    uploads = await UploadService(session, settings, viewer.user_id, organisation_id).listed()
    context = {
        "benchmark": await CatalogService(session).owned(slug, [organisation_id], unpublished=True),
        "rubrics": (await service.listed(slug)).items,
        "packs": [pack for pack in uploads if (pack.benchmark, pack.state) == (slug, "checked")],
    }
    return page(request, "rubrics.html", context)


@router.post("")
async def begin_rubric_job(
    slug: SlugPath, viewer: ViewerDep, form: FormDep, session: SessionDep, settings: SettingsDep
) -> Response:
    """Have a worker look, draft or publish, and show its job."""
    organisation_id = await owner_of(session, viewer, slug)
    job = await OwnerJobService(session, settings, viewer.user_id, [organisation_id]).ask(slug, _asked(form))
    return go(f"/b/{slug}/owner/jobs/{job.id}")


def _asked(form: Form) -> OwnerJobAsk:
    ask: dict[str, Any] = {"job": form.text("job")}
    if ask["job"] == "draft_rubrics":
        pack = form.text("pack", 64) or None
        ask |= {"pack": pack, "problems": form.several("problem"), "again": form.text("again") == "true"}
    else:
        ask |= {"version": form.text("version", 40)}
    try:
        return ASKS.validate_python(ask)
    except ValidationError:
        raise InvalidError("name at most 500 problems to draft, or a version such as 1.0.1 to publish") from None


@router.get("/{rubric}", response_class=HTMLResponse)
async def rubric_page(
    request: Request, slug: SlugPath, rubric: IdPath, viewer: ViewerDep, session: SessionDep, service: ServiceDep
) -> HTMLResponse:
    """A rubric beside its problem and solution, with a form to edit it and one to approve it."""
    found = await service.show(rubric)
    empty = min(_EMPTY, _MOST - len(found.criteria))
    organisation_id = await owner_of(session, viewer, slug)
    benchmark = await CatalogService(session).owned(slug, [organisation_id], unpublished=True)
    context = {"benchmark": benchmark, "rubric": found, "empty": empty}
    return page_with_formulas(request, "rubric.html", context)


@router.post("/{rubric}")
async def edit_rubric(slug: SlugPath, rubric: IdPath, form: FormDep, service: ServiceDep) -> Response:
    """Keep what the form says, and show it."""
    await service.edit(rubric, _edited(form))
    return go(f"/b/{slug}/owner/rubrics/{rubric}")


@router.post("/{rubric}/approve")
async def approve_rubric(slug: SlugPath, rubric: IdPath, form: FormDep, service: ServiceDep) -> Response:
    """Approve the revision that the page showed."""
    try:
        approved = RubricApprove(revision=_number(form, "revision"))
    except ValidationError:
        raise InvalidError("'revision' is a number from 1 on") from None
    await service.approve(rubric, approved.revision)
    return go(f"/b/{slug}/owner/rubrics")


def _edited(form: Form) -> RubricEdit:
    """The criteria of a form that have an id; its fields are numbered. Raises InvalidError."""
    numbered = [number for number in range(_MOST) if form.text(f"id-{number}")]
    criteria = [_criterion(form, number) for number in numbered]
    try:
        return RubricEdit.model_validate(
            {"revision": _number(form, "revision"), "total": _number(form, "total"), "criteria": criteria}
        )
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise InvalidError(f"{place}: {first['msg']}") from None


def _criterion(form: Form, number: int) -> dict[str, Any]:
    return {
        "id": form.text(f"id-{number}"),
        "points": _number(form, f"points-{number}"),
        "requires": form.text(f"requires-{number}", 2000).replace(",", " ").split(),
        "alternative": form.text(f"alternative-{number}") or None,
        **{name: form.text(f"{name}-{number}", 4000) for name in _TEXTS},
    }


def _number(form: Form, name: str) -> float | int:
    text = form.text(name, 20)
    try:
        return int(text) if text.isdecimal() else float(text)
    except ValueError:
        raise InvalidError(f"'{name}' is a number") from None
