"""`/v1/packs`: owners bring benchmarks."""

from typing import Annotated

from fastapi import APIRouter, Body, Depends, Path

from api.accounts.models import Scope
from api.accounts.principal import PrincipalDep, Require
from api.core.deps import SessionDep, SettingsDep
from api.core.ratelimit import limited
from api.core.schemas import IdPath
from api.uploads.schemas import PackCreate, PackPage, PackPreview, PackPublic, PackPublish
from api.uploads.service import UploadService

router = APIRouter(
    prefix="/v1",
    tags=["packs"],
    dependencies=[Depends(Require(Scope.BENCHMARKS_WRITE)), Depends(limited("owner"))],
)


async def _service(session: SessionDep, settings: SettingsDep, principal: PrincipalDep) -> UploadService:
    return UploadService(session, settings, principal.user_id, principal.organisation_id)


ServiceDep = Annotated[UploadService, Depends(_service)]


@router.post("/packs", status_code=201)
async def begin_pack(body: PackCreate, service: ServiceDep) -> PackPublic:
    """Begin to upload a pack: a zip, or a tar as it is, under gzip or under Zstandard. `missing` numbers its parts."""
    return await service.begin(body)


@router.get("/packs")
async def list_packs(service: ServiceDep) -> PackPage:
    """Your organisation's newest uploads."""
    return PackPage(items=await service.listed())


@router.get("/packs/{pack}")
async def show_pack(pack: IdPath, service: ServiceDep) -> PackPublic:
    """An upload: what is missing, how far its check is, every fault by file and line."""
    return await service.show(pack)


@router.put("/packs/{pack}/parts/{number}", status_code=204)
async def send_pack_part(
    pack: IdPath,
    number: Annotated[int, Path(ge=0, le=1_000_000)],
    service: ServiceDep,
    content: Annotated[bytes, Body(media_type="application/octet-stream", min_length=1)],
) -> None:
    """Send one part of the archive: `part_bytes` bytes from `number * part_bytes` on. Sent again it is replaced."""
    await service.keep(pack, number, content)


@router.post("/packs/{pack}/check", status_code=202)
async def check_pack(pack: IdPath, service: ServiceDep) -> PackPublic:
    """Have it checked whole once all parts are there: the format, the golds, and the admission check."""
    return await service.check(pack)


@router.get("/packs/{pack}/preview")
async def preview_pack(pack: IdPath, service: ServiceDep) -> PackPreview:
    """The first problems of each split as a participant will see them."""
    return await service.preview(pack)


@router.post("/packs/{pack}/publish", status_code=202)
async def publish_pack(pack: IdPath, body: PackPublish, service: ServiceDep) -> PackPublic:
    """Publish a checked pack as a release of its benchmark, which is made if it is new."""
    return await service.publish(pack, anyway=body.anyway)


@router.delete("/packs/{pack}", status_code=204)
async def delete_pack(pack: IdPath, service: ServiceDep) -> None:
    """Forget an upload that is not published, with its archive."""
    await service.drop(pack)
