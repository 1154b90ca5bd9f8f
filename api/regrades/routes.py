"""`/v1/benchmarks/{slug}/regrades`: public, no key."""

from fastapi import APIRouter, Depends

from api.accounts.principal import Public
from api.core.deps import SessionDep
from api.core.ratelimit import limited
from api.core.schemas import SlugPath
from api.regrades.schemas import RegradePage
from api.regrades.service import regrades

public = APIRouter(prefix="/v1", tags=["regrades"], dependencies=[Depends(Public()), Depends(limited("public"))])


@public.get("/benchmarks/{slug}/regrades")
async def list_regrades(slug: SlugPath, session: SessionDep) -> RegradePage:
    """What was corrected after publication: the reason, how far it is, and whose score moved by how much."""
    return await regrades(session, slug)
