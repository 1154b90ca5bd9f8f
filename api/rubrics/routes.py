"""`/v1/benchmarks/{slug}/rubrics` and `/v1/rubrics/{rubric}`, for owners."""

from typing import Annotated

from fastapi import APIRouter, Depends

from api.accounts.models import Scope
from api.accounts.principal import PrincipalDep, Require
from api.core.deps import SessionDep, SettingsDep
from api.core.ratelimit import limited
from api.core.schemas import IdPath, SlugPath
from api.rubrics.schemas import RubricApprove, RubricEdit, RubricPage, RubricPublic
from api.rubrics.service import RubricService

router = APIRouter(
    prefix="/v1",
    tags=["owners"],
    dependencies=[Depends(Require(Scope.BENCHMARKS_WRITE)), Depends(limited("owner"))],
)


async def _service(session: SessionDep, settings: SettingsDep, principal: PrincipalDep) -> RubricService:
    return RubricService.of(session, settings, principal)


ServiceDep = Annotated[RubricService, Depends(_service)]


@router.get("/benchmarks/{slug}/rubrics")
async def list_rubrics(slug: SlugPath, service: ServiceDep) -> RubricPage:
    """The problems of one's benchmark that have a rubric or could have one, as the job `draft_rubrics` last found them.

    Nobody sees a rubric who takes part in a hidden split of the benchmark, nor an owner who shares a member with such
    an organisation.
    """
    return await service.listed(slug)


@router.get("/rubrics/{rubric}")
async def show_rubric(rubric: IdPath, service: ServiceDep) -> RubricPublic:
    """A rubric beside its problem and the solution."""
    return await service.show(rubric)


@router.put("/rubrics/{rubric}")
async def edit_rubric(rubric: IdPath, body: RubricEdit, service: ServiceDep) -> RubricPublic:
    """Write another rubric for the problem. It has to be approved anew; `faults` says what is in the way."""
    return await service.edit(rubric, body)


@router.post("/rubrics/{rubric}/approve")
async def approve_rubric(rubric: IdPath, body: RubricApprove, service: ServiceDep) -> RubricPublic:
    """Say that you have read this revision, which has no faults. The next release has what is approved."""
    return await service.approve(rubric, body.revision)
