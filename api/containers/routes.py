"""`/v1/containers`: participants bring what the service is to run."""

from typing import Annotated

from fastapi import APIRouter, Body, Depends, Path

from api.accounts.models import Scope
from api.accounts.principal import PrincipalDep, Require
from api.containers.schemas import ContainerPage, ContainerPublic
from api.core.deps import SessionDep, SettingsDep
from api.core.ratelimit import limited
from api.core.schemas import IdPath
from api.uploads.models import CONTAINER
from api.uploads.schemas import PackCreate, PackPublic
from api.uploads.service import UploadService

router = APIRouter(
    prefix="/v1",
    tags=["containers"],
    dependencies=[Depends(Require(Scope.SUBMISSIONS_WRITE)), Depends(limited("owner"))],
)


async def _service(session: SessionDep, settings: SettingsDep, principal: PrincipalDep) -> UploadService:
    return UploadService(session, settings, principal.user_id, principal.organisation_id, CONTAINER)


ServiceDep = Annotated[UploadService, Depends(_service)]


@router.post("/containers", status_code=201)
async def begin_container(body: PackCreate, service: ServiceDep) -> ContainerPublic:
    """Begin to upload an image (`docker save`, OCI layout) or a tar of files. `missing` numbers its parts."""
    return _public(await service.begin(body))


@router.get("/containers")
async def list_containers(service: ServiceDep) -> ContainerPage:
    """Your organisation's newest containers."""
    return ContainerPage(items=[_public(one) for one in await service.listed()])


@router.get("/containers/{container}")
async def show_container(container: IdPath, service: ServiceDep) -> ContainerPublic:
    """A container, and what is missing of it."""
    return _public(await service.show(container))


@router.put("/containers/{container}/parts/{number}", status_code=204)
async def send_container_part(
    container: IdPath,
    number: Annotated[int, Path(ge=0, le=1_000_000)],
    service: ServiceDep,
    content: Annotated[bytes, Body(media_type="application/octet-stream", min_length=1)],
) -> None:
    """Send one part of the archive: `part_bytes` bytes from `number * part_bytes` on. Sent again it is replaced."""
    await service.keep(container, number, content)


@router.delete("/containers/{container}", status_code=204)
async def delete_container(container: IdPath, service: ServiceDep) -> None:
    """Delete a container that no run needs now."""
    await service.drop(container)


def _public(upload: PackPublic) -> ContainerPublic:
    return ContainerPublic.model_validate(upload.model_dump(include=set(ContainerPublic.model_fields)))
