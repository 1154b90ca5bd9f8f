"""Bringing a benchmark with a browser: upload a pack, read its faults, look at it as a participant will, publish it."""

import hashlib
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Path, Request, Response
from fastapi.responses import HTMLResponse
from pydantic import ValidationError

from api.accounts.models import MemberRole, Organisation
from api.accounts.repository import AccountRepository
from api.core.db import AsyncSession
from api.core.deps import SessionDep, SettingsDep
from api.core.errors import InvalidError
from api.core.ids import parse_id
from api.core.ratelimit import limited
from api.core.schemas import IdPath
from api.core.settings import Settings
from api.owner_jobs.schemas import DraftRubricsAsk
from api.owner_jobs.service import OwnerJobService
from api.uploads.errors import NoPackError
from api.uploads.models import PackState
from api.uploads.repository import UploadRepository
from api.uploads.schemas import PackCreate, PackPreview, PackPublic
from api.uploads.service import UploadService
from api.web.forms import Form, FormDep
from api.web.guide_pages import FOLDER
from api.web.render import go, page, page_with_formulas
from api.web.viewer import Viewer, ViewerDep, signed_in

router = APIRouter(
    prefix="/packs",
    tags=["pages"],
    dependencies=[Depends(signed_in), Depends(limited("write"))],
    include_in_schema=False,
)
_SECONDS = 2
_ROOM = 64 * 1024
"""Bytes of a form beside its file."""


class Uploads:
    """Uploads of the organisations that the viewer is an owner of."""

    def __init__(self, session: AsyncSession, settings: Settings, viewer: Viewer) -> None:
        self._session = session
        self._settings = settings
        self._viewer = viewer

    async def organisations(self) -> list[Organisation]:
        """Organisations of which the viewer is an owner."""
        found = await AccountRepository(self._session).organisations_of(self._viewer.user_id)
        return [organisation for organisation, role in found if role == MemberRole.OWNER]

    async def chosen(self, form: Form) -> Organisation:
        """The one that a form names. Raises InvalidError."""
        wanted = form.text("organisation", 64)
        found = next((one for one in await self.organisations() if one.slug == wanted), None)
        if found is None:
            raise InvalidError("choose an organisation that you are an owner of")
        return found

    def of(self, organisation_id: UUID) -> UploadService:
        """What one may do with the uploads of one of them."""
        return UploadService(self._session, self._settings, self._viewer.user_id, organisation_id)

    async def of_pack(self, pack: str) -> UploadService:
        """The same, by a pack. Raises NoPackError."""
        upload_id = parse_id("pck", pack)
        upload = upload_id and await UploadRepository(self._session).one(upload_id)
        if not upload or upload.organisation_id not in {one.id for one in await self.organisations()}:
            raise NoPackError("the page /packs lists those of your organisations")
        return self.of(upload.organisation_id)


async def _uploads(session: SessionDep, settings: SettingsDep, viewer: ViewerDep) -> Uploads:
    return Uploads(session, settings, viewer)


UploadsDep = Annotated[Uploads, Depends(_uploads)]


@router.get("", response_class=HTMLResponse)
async def packs_page(request: Request, uploads: UploadsDep, settings: SettingsDep) -> HTMLResponse:
    """The newest packs of one's organisations, and a form to upload one."""
    organisations = await uploads.organisations()
    packs = [(one, pack) for one in organisations for pack in await uploads.of(one.id).listed()]
    packs.sort(key=lambda found: found[1].created_at, reverse=True)
    most = settings.max_body_bytes - _ROOM
    context = {
        "organisations": organisations,
        "packs": packs,
        "most": max(1, most // 1024**2),
        "largest": settings.pack_bytes // 1024**2,
        "example": (FOLDER / "files" / "pack-example.zip").is_file(),
    }
    return page(request, "packs.html", context)


@router.post("")
async def upload_pack(form: FormDep, uploads: UploadsDep) -> Response:
    """Take a small archive in, whole, and have it checked."""
    organisation = await uploads.chosen(form)
    service = uploads.of(organisation.id)
    name, content = await form.file("pack")
    if not content:
        raise InvalidError("choose the archive of a pack: a zip, tar, tar.gz or tar.zst")
    digest = hashlib.sha256(content).hexdigest()
    pack = await service.begin(PackCreate(name=name[:200] or "pack", size=len(content), sha256=digest))
    for number in range(pack.parts):
        await service.keep(pack.id, number, content[number * pack.part_bytes : (number + 1) * pack.part_bytes])
    await service.check(pack.id)
    return go(f"/packs/{pack.id}")


@router.post("/begin")
async def begin_upload(form: FormDep, uploads: UploadsDep) -> PackPublic:
    """Begin to send an archive in parts, or go on with one of the same bytes. For the page's script."""
    organisation = await uploads.chosen(form)
    fields = {name: form.text(name) for name in ("name", "size", "sha256")}
    try:
        begun = PackCreate.model_validate(fields)
    except ValidationError:
        raise InvalidError("the file is empty, or its name is longer than 200 characters") from None
    service = uploads.of(organisation.id)
    for pack in await service.listed():
        if pack.state == PackState.UPLOADING and (pack.sha256, pack.size) == (begun.sha256, begun.size):
            return pack
    return await service.begin(begun)


@router.post("/{pack}/parts/{number}")
async def send_part(
    pack: IdPath, number: Annotated[int, Path(ge=0, le=1_000_000)], form: FormDep, uploads: UploadsDep
) -> PackPublic:
    """Take one part in; sent again it is replaced. For the page's script."""
    service = await uploads.of_pack(pack)
    _, content = await form.file("part")
    await service.keep(pack, number, content)
    return await service.show(pack)


@router.post("/{pack}/check")
async def check_upload(pack: IdPath, form: FormDep, uploads: UploadsDep) -> PackPublic:
    """Have what was sent in parts checked. For the page's script."""
    del form
    return await (await uploads.of_pack(pack)).check(pack)


@router.get("/{pack}", response_class=HTMLResponse)
async def pack_page(request: Request, pack: IdPath, uploads: UploadsDep) -> HTMLResponse:
    """How far a pack is, every fault, and its problems as participants will see them."""
    service = await uploads.of_pack(pack)
    found = await service.show(pack)
    preview = await service.preview(pack) if found.benchmark else PackPreview(benchmark=None, version=None, items=[])
    response = page_with_formulas(request, "pack.html", {"pack": found, "preview": preview.items})
    if found.state in ("checking", "publishing"):
        response.headers["Refresh"] = str(_SECONDS)
    return response


@router.post("/{pack}/publish")
async def publish_pack(pack: IdPath, form: FormDep, uploads: UploadsDep) -> Response:
    """Publish a checked pack as a release."""
    service = await uploads.of_pack(pack)
    await service.publish(pack, anyway=form.text("anyway") == "yes")
    return go(f"/packs/{pack}")


@router.post("/{pack}/rubrics")
async def look_at_rubrics(
    pack: IdPath, viewer: ViewerDep, form: FormDep, session: SessionDep, settings: SettingsDep, uploads: UploadsDep
) -> Response:
    """Have a worker look which problems of a checked pack have a rubric or could have one."""
    del form
    found = await (await uploads.of_pack(pack)).show(pack)
    organisations = [one.id for one in await uploads.organisations()]
    service = OwnerJobService(session, settings, viewer.user_id, organisations)
    job = await service.ask(found.benchmark or "", DraftRubricsAsk(job="draft_rubrics", pack=pack, problems=[]))
    return go(f"/b/{job.benchmark}/owner/jobs/{job.id}")


@router.post("/{pack}/delete")
async def delete_pack(pack: IdPath, form: FormDep, uploads: UploadsDep) -> Response:
    """Forget an upload that is not published."""
    del form
    await (await uploads.of_pack(pack)).drop(pack)
    return go("/packs")
