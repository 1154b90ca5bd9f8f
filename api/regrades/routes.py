"""`/v1/benchmarks/{slug}/regrades`: public to read; owners begin one."""

from fastapi import APIRouter, Depends

from api.accounts.models import Scope
from api.accounts.principal import PrincipalDep, Public, Require
from api.core.deps import SessionDep
from api.core.ratelimit import limited
from api.core.schemas import SlugPath
from api.regrades.schemas import RegradeBegun, RegradeCreate, RegradePage
from api.regrades.service import ask, regrades

public = APIRouter(prefix="/v1", tags=["regrades"], dependencies=[Depends(Public()), Depends(limited("public"))])
owners = APIRouter(
    prefix="/v1",
    tags=["regrades"],
    dependencies=[Depends(Require(Scope.BENCHMARKS_WRITE)), Depends(limited("owner"))],
)


@public.get("/benchmarks/{slug}/regrades")
async def list_regrades(slug: SlugPath, session: SessionDep) -> RegradePage:
    """What was corrected after publication: the reason, how far it is, and whose score moved by how much."""
    return await regrades(session, slug)


@owners.post("/benchmarks/{slug}/regrades", status_code=202)
async def begin_regrade(
    slug: SlugPath, body: RegradeCreate, principal: PrincipalDep, session: SessionDep
) -> RegradeBegun:
    """Grade every stored submission anew, with today's graders and the golds of the current release.

    The reason is public. On hidden splits what moved is shown with the next scheduled release.
    """
    return await ask(session, principal.organisation_id, slug, body.reason)
