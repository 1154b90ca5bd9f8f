"""`/v1/benchmarks/{slug}/jobs`, `/v1/jobs/{job}` and `/v1/benchmarks/{slug}/items`, for owners."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response

from api.accounts.models import Scope
from api.accounts.principal import PrincipalDep, Require
from api.core.deps import SessionDep, SettingsDep
from api.core.ratelimit import limited
from api.core.schemas import IdPath, SlugPath
from api.owner_jobs.schemas import ItemStatisticsPublic, OwnerJobAsk, OwnerJobPage, OwnerJobPublic
from api.owner_jobs.service import OwnerJobService

router = APIRouter(
    prefix="/v1",
    tags=["owners"],
    dependencies=[Depends(Require(Scope.BENCHMARKS_WRITE)), Depends(limited("owner"))],
)


async def _service(session: SessionDep, settings: SettingsDep, principal: PrincipalDep) -> OwnerJobService:
    return OwnerJobService.of(session, settings, principal)


ServiceDep = Annotated[OwnerJobService, Depends(_service)]


@router.post("/benchmarks/{slug}/jobs", status_code=202)
async def begin_job(slug: SlugPath, body: OwnerJobAsk, service: ServiceDep) -> OwnerJobPublic:
    """Have a worker do something for one's benchmark: `diff`, `export`, `retire`, `regrade_preview`, `items`,
    `presets`, `draft_rubrics` or `publish_rubrics`."""
    return await service.ask(slug, body)


@router.get("/benchmarks/{slug}/jobs")
async def list_jobs(slug: SlugPath, service: ServiceDep) -> OwnerJobPage:
    """The newest jobs of one's benchmark, without their results."""
    return OwnerJobPage(benchmark=slug, items=await service.listed(slug))


@router.get("/jobs/{job}")
async def show_job(job: IdPath, service: ServiceDep) -> OwnerJobPublic:
    """How far a job is, and once it is done, what it found."""
    return await service.show(job)


@router.get(
    "/jobs/{job}/file",
    response_class=Response,
    responses={200: {"content": {"application/gzip": {"schema": {"type": "string", "format": "binary"}}}}},
)
async def load_job_file(job: IdPath, service: ServiceDep) -> Response:
    """The pack that an export wrote: a tar under gzip, as `POST /v1/packs` takes it."""
    return Response(await service.file(job), media_type="application/gzip")


@router.get("/benchmarks/{slug}/items")
async def show_items(
    slug: SlugPath, service: ServiceDep, split: Annotated[str, Query(min_length=1, max_length=64)] = "test"
) -> ItemStatisticsPublic:
    """How submissions do on each problem of a split, suspected wrong golds first, as it was last measured.

    Nobody sees it who takes part in a hidden split of the benchmark, nor an owner who shares a member with such an
    organisation.
    """
    return await service.items(slug, split)
